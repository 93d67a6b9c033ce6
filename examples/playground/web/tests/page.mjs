// Helpers that open the page in a real browser.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../target/page", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".gz": "application/gzip", ".png": "image/png" };

/// Serves the page and starts the browser. `close` stops both.
export async function start() {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      const file = join(ROOT, path === "/" ? "index.html" : path);
      response.writeHead(200, { "content-type": TYPES[extname(file)] }).end(await readFile(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  return {
    browser,
    address: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/// Opens the page with a link after the `#`. `faults` collects errors, warnings and panics.
export async function open({ browser, address }, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 740 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => {
    if (["error", "warning"].includes(line.type()) || /panic/i.test(line.text())) faults.push(line.text());
  });
  await page.goto(`${address}#${hash}`);
  return Object.assign(page, { faults });
}

/// Returns the program's status, empty while the page loads.
const status = (page) => page.evaluate(() => (typeof playground === "undefined" ? {} : playground.status));

/// Waits until the program's status satisfies a condition, and returns it.
export async function until(page, condition, what = condition.toString()) {
  const end = Date.now() + 20_000;
  for (;;) {
    const now = await status(page);
    if (condition(now)) return now;
    if (Date.now() > end) throw new Error(`timeout while waiting for ${what}; the last status: ${JSON.stringify(now)}`);
    await page.waitForTimeout(30);
  }
}

/// Parses a position of the status, `x,y`.
export const place = (text) => {
  const [x, y] = text.split(",").map(Number);
  return { x, y };
};

/// Drags from one place to another, slowly enough that several frames are drawn in between.
export async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.waitForTimeout(60);
  await page.mouse.down();
  await page.waitForTimeout(60);
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await page.waitForTimeout(60);
  await page.mouse.up();
}

/// Drops files, given as [name, content], on the window.
export async function drop(page, files) {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, content] of files) transfer.items.add(new File([content], name));
    return transfer;
  }, files);
  await page.dispatchEvent("#glcanvas", "drop", { dataTransfer: transfer });
}

/// Returns true if the canvas shows more than eight colours.
export async function is_painted(page) {
  const picture = await page.locator("#glcanvas").screenshot();
  return page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return new Set(pixels).size > 8;
  }, [...picture]);
}

// Tests of the page in Chromium. They read the program's status; see src/host.rs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drag, drop, is_painted, open, place, start, until } from "./page.mjs";

const VIEWS = ["pair", "scene", "walk", "crowd", "drawing"];
// Two separate circles.
const APART = "pair?a=circle/at-2,0/-/-&b=circle/at2,0/-/-";

let site;
before(async () => (site = await start()));
after(() => site.close());

/// Opens the page, runs `check`, and asserts that the page had no faults.
async function visit(hash, check, options) {
  const page = await open(site, hash, options);
  try {
    await check(page);
    assert.deepEqual(page.faults, []);
  } finally {
    await page.context().close();
  }
}

const plus = (at, x, y) => ({ x: at.x + x, y: at.y + y });
const text_of_message = (page) => page.locator("#message p").textContent();
const fragment = (page) => page.evaluate(() => location.hash.slice(1));

test("the page opens with a touching pair", () =>
  visit("", async (page) => {
    await until(page, (now) => now.view === "pair" && now.touching === "yes");
    assert.ok(await is_painted(page));
    assert.ok(await page.locator("#message").isHidden());
  }));

test("the canvas has the resolution of the screen", () =>
  visit("", async (page) => {
    await until(page, (now) => now.view === "pair");
    const [width, wanted] = await page.evaluate(() => [glcanvas.width, glcanvas.clientWidth * 2]);
    assert.equal(width, wanted);
    assert.ok(await is_painted(page));
  }, { deviceScaleFactor: 2 }));

test("dragging a shape away and back stops and restarts the touch", () =>
  visit("", async (page) => {
    const { b } = await until(page, (now) => now.touching === "yes" && now.b !== "none");
    const home = place(b);
    await drag(page, home, plus(home, 40, -260));
    const apart = await until(page, (now) => now.touching === "no", "apart");
    assert.ok(Number(apart.distance) > 0 && apart.depth === "none", JSON.stringify(apart));
    const there = place(apart.b);
    await drag(page, there, plus(there, -40, 260));
    const back = await until(page, (now) => now.touching === "yes", "together");
    assert.ok(Number(back.depth) >= 0, JSON.stringify(back));
  }));

test("a finger drags a shape", () =>
  visit(APART, async (page) => {
    const { a, b } = await until(page, (now) => now.touching === "no" && now.b !== "none");
    const [from, to] = [place(b), place(a)];
    const session = await page.context().newCDPSession(page);
    const touch = async (type, ...touchPoints) => {
      await session.send("Input.dispatchTouchEvent", { type, touchPoints });
      await page.waitForTimeout(60);
    };
    await touch("touchStart", from);
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await touch("touchMove", { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
    }
    await touch("touchEnd");
    await until(page, (now) => now.touching === "yes", "together");
  }, { hasTouch: true }));

for (const view of VIEWS) {
  test(`the view ${view} is painted without a message`, () =>
    visit(view, async (page) => {
      await until(page, (now) => now.view === view, view);
      assert.ok(await is_painted(page));
      assert.equal(await page.evaluate(() => playground.status.message), "");
    }));
}

test("editing the address changes the view", () =>
  visit("", async (page) => {
    for (const view of [...VIEWS, ...VIEWS.toReversed()]) {
      await page.evaluate((view) => (location.hash = view), view);
      await until(page, (now) => now.view === view, view);
    }
  }));

test("the scene view fires events without input", () =>
  visit("scene", async (page) => {
    const first = await until(page, (now) => now.view === "scene");
    await until(page, (now) => Number(now.started) > Number(first.started), "another start");
  }));

test("the right arrow key moves the player to the right", () =>
  visit("walk", async (page) => {
    const x = (now) => Number(now.position.split(",")[0]);
    const first = await until(page, (now) => now.on_floor === "true", "on the floor");
    await page.keyboard.down("ArrowRight");
    await until(page, (now) => x(now) > x(first) + 0.5, "further right");
    await page.keyboard.up("ArrowRight");
  }));

test("reloading the address restores the state", () =>
  visit("", async (page) => {
    const { b } = await until(page, (now) => now.touching === "yes" && now.b !== "none");
    await drag(page, place(b), plus(place(b), 40, -260));
    const moved = await until(page, (now) => now.touching === "no", "apart");
    await page.waitForFunction((b) => location.hash.startsWith("#pair?") && playground.status.b === b, moved.b);
    // The address is written with a delay.
    await page.waitForTimeout(600);
    const link = await fragment(page);
    await page.reload();
    const again = await until(page, (now) => now.touching === "no", "apart again");
    assert.deepEqual([again.b, again.distance], [moved.b, moved.distance]);
    assert.equal(await fragment(page), link);
  }));

for (const [link, expected] of [
  ["pair?a=blob/-/-/-", /no shape "blob"/],
  ["pair?b=circle/-/-", /3 nodes/],
  ["pair?a=circle/scaleNaN,1/-/-", /finite/],
  ["crowd?n=1e30", /from 1000 to 50000/],
  ["nowhere", /no view "nowhere"; the views are pair/],
  // The page is built without the map loader.
  ["drawing?map", /no sample "map"; the samples are "drawing"\.$/],
  ["%", /no view "%"/],
]) {
  test(`the invalid link #${link} shows a message`, () =>
    visit(link, async (page) => {
      const { message } = await until(page, (now) => now.message, "a message");
      assert.match(message, expected);
      assert.ok(await is_painted(page));
    }));
}

test("dropping a drawing opens it", () =>
  visit("", async (page) => {
    await until(page, (now) => now.view === "pair");
    const circle = (x) => `<circle cx="${x}" cy="50" r="30"/>`;
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">${[50, 90, 200].map(circle)}</svg>`;
    await drop(page, [["three ünits.svg", drawing]]);
    const shown = await until(page, (now) => now.file === "three ünits.svg", "the drawing");
    assert.deepEqual([shown.view, shown.colliders, shown.touching, shown.message], ["drawing", "3", "1", ""]);
    assert.ok(await is_painted(page));
  }));

test("dropping an invalid file shows a message, and the page keeps running", () =>
  visit("", async (page) => {
    await until(page, (now) => now.view === "pair");
    for (const [name, content] of [["notes.txt", "not a drawing"], ["ünten.svg", "<svg"], ["empty.tmx", ""]]) {
      await drop(page, [[name, content]]);
      const { message } = await until(page, (now) => now.message?.includes(name), name);
      assert.ok(message.length > name.length + 10, message);
    }
    await page.evaluate(() => (location.hash = "walk"));
    await until(page, (now) => now.view === "walk", "walk");
  }));

test("the page survives windows as small as one pixel", () =>
  visit("", async (page) => {
    await until(page, (now) => now.touching === "yes");
    for (const view of VIEWS) {
      await page.evaluate((view) => (location.hash = view), view);
      for (const [width, height] of [[1, 1], [1100, 1], [1, 740], [320, 480], [1100, 740]]) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(100);
      }
      await until(page, (now) => now.view === view, view);
      assert.ok(await is_painted(page));
    }
  }));

const PHONE = { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true };

test("on a narrow phone the whole footer is on the screen", () =>
  visit("", async (page) => {
    await until(page, (now) => now.touching === "yes");
    const { width, height } = PHONE.viewport;
    const parts = await page.locator("footer > span:visible, footer label").all();
    assert.equal(parts.length, 4);
    for (const part of parts) {
      const box = await part.boundingBox();
      const text = await part.textContent();
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, text + JSON.stringify(box));
    }
  }, PHONE));

test("on a narrow phone every tab responds to a tap", () =>
  visit("", async (page) => {
    await until(page, (now) => now.touching === "yes");
    for (const [view, x] of [["scene", 89], ["walk", 148], ["crowd", 207], ["drawing", 276], ["pair", 34]]) {
      await page.touchscreen.tap(x, 23);
      await until(page, (now) => now.view === view, view);
    }
  }, PHONE));

test("a lost graphics context shows a message with a reload button", () =>
  visit("", async (page) => {
    await until(page, (now) => now.touching === "yes");
    await page.evaluate(() => gl.getExtension("WEBGL_lose_context").loseContext());
    await page.locator("#message").waitFor();
    assert.match(await text_of_message(page), /graphics.*lost/);
    assert.ok(await page.evaluate(() => playground.stopped));
    await page.locator("#message button").click();
    await until(page, (now) => now.touching === "yes", "a touching pair after a reload");
  }));

test("a page whose program cannot be loaded shows a message", async () => {
  const page = await open(site);
  await page.route("**/playground.wasm", (route) => route.abort());
  await page.reload();
  await page.locator("#message").waitFor();
  assert.match(await text_of_message(page), /cannot start/);
  await page.context().close();
});

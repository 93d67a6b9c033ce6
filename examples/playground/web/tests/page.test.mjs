// Tests of the page in Chromium. They read the program's status; see src/host.rs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drag, drop, is_painted, open, place, start, until } from "./page.mjs";

const VIEWS = ["mirror", "pair", "scene", "walk", "crowd", "drawing"];
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

test("the page opens with the duel, and the decomposing engine is soon wrong", () =>
  visit("", async (page) => {
    await until(page, (now) => now.view === "mirror" && Number(now.decomposing) > 0);
    const { hitgraph, lie } = await until(page, (now) => now.lie, "a wrong answer");
    assert.equal(hitgraph, "0");
    assert.match(lie, /^(PHANTOM|MISSED) HIT, .+ – .+$/);
    assert.ok(await is_painted(page));
    assert.ok(await page.locator("#message").isHidden());
    assert.ok(await page.locator("#loading").isHidden());
  }));

test("a loading indicator is visible before the program arrives", async () => {
  const page = await open(site, "mirror");
  let arrive;
  await page.route("**/playground.wasm.gz", async (route) => {
    await new Promise((resolve) => (arrive = resolve));
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await page.locator("#loading").waitFor({ state: "visible" });
  while (arrive === undefined) await page.waitForTimeout(20);
  arrive();
  await page.locator("#loading").waitFor({ state: "hidden" });
  await page.context().close();
});

test("the keys take over the knight, and the address replays the duel", () =>
  visit("mirror?seed=3", async (page) => {
    await until(page, (now) => now.view === "mirror" && now.seed === "3" && now.hand === "nobody");
    await page.locator("#glcanvas").focus();
    await page.keyboard.down("ArrowRight");
    const start = await until(page, (now) => now.hand === "player", "the player");
    await until(page, (now) => Number(now.knight) > Number(start.knight) + 0.3, "further right");
    await page.keyboard.up("ArrowRight");
    await page.waitForFunction(() => /seed=3&inputs=../.test(location.hash));
    const link = await fragment(page);
    await page.goto("about:blank");
    await page.goto(`${site.address}#${link}`);
    const again = await until(page, (now) => now.hand === "link", "the replay");
    assert.equal(again.seed, "3");
  }));

test("send this opens the moment in the pair view, where the engines disagree", () =>
  visit("mirror?seed=1", async (page) => {
    const { lie, send } = await until(page, (now) => now.send, "a wrong answer");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const { x, y } = place(send);
    await page.mouse.move(x, y);
    await page.waitForTimeout(60);
    await page.mouse.down();
    await page.waitForTimeout(60);
    await page.mouse.up();
    const pair = await until(page, (now) => now.view === "pair", "the pair view");
    assert.notEqual(pair.touching, pair.decomposed_touching, lie);
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("#pair?a="));
  }));

test("copy as Rust test copies two tests", () =>
  visit("mirror?seed=1", async (page) => {
    const { copy } = await until(page, (now) => now.copy, "a wrong answer");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const { x, y } = place(copy);
    await page.mouse.move(x, y);
    await page.waitForTimeout(60);
    await page.mouse.down();
    await page.waitForTimeout(60);
    await page.mouse.up();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("#[should_panic"));
  }));

test("a drawing dropped on the duel becomes the opponent", () =>
  visit("mirror", async (page) => {
    await until(page, (now) => now.view === "mirror");
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><circle id="hat" r="9" transform="scale(3 1)"/>
      <g id="leg"><rect y="9" width="8" height="30"/></g></svg>`;
    await drop(page, [["beast.svg", drawing]]);
    await until(page, (now) => now.view === "mirror" && now.opponent === "beast.svg", "the opponent");
    await until(page, (now) => /hat|leg/.test(now.lie), "a wrong answer about its limbs");
  }));

test("the page names its source, docs and guide, and describes itself", () =>
  visit("mirror", async (page) => {
    assert.deepEqual(await page.locator("footer .links a").allTextContents(), ["source", "docs", "guide"]);
    for (const name of ["description", "twitter:card"]) {
      assert.ok(await page.locator(`meta[name="${name}"]`).getAttribute("content"));
    }
    const card = await page.request.get(new URL("card.png", site.address).href);
    assert.equal(card.status(), 200);
    await until(page, (now) => now.view === "mirror");
    await page.locator("nav a").nth(1).focus();
    await page.keyboard.press("Enter");
    await until(page, (now) => now.view === "pair", "the pair view by keyboard");
  }));

test("the canvas has the resolution of the screen", () =>
  visit("pair", async (page) => {
    await until(page, (now) => now.view === "pair");
    const [width, wanted] = await page.evaluate(() => [glcanvas.width, glcanvas.clientWidth * 2]);
    assert.equal(width, wanted);
    assert.ok(await is_painted(page));
  }, { deviceScaleFactor: 2 }));

test("dragging a shape away and back stops and restarts the touch", () =>
  visit("pair", async (page) => {
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

test("Center fits the view to the content", () =>
  visit(APART, async (page) => {
    const { center } = await until(page, (now) => now.touching === "no" && now.b !== "none");
    const { width } = await page.locator("#glcanvas").boundingBox();
    await page.mouse.move(100, 400);
    for (let step = 0; step < 30; step++) await page.mouse.wheel(0, -400);
    await until(page, (now) => place(now.b).x > width, "a zoom");
    await page.mouse.click(place(center).x, place(center).y, { delay: 120 });
    const { a } = await until(page, (now) => place(now.b).x < width, "both shapes");
    assert.ok(place(a).x > 0, a);
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
  visit("pair", async (page) => {
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
  ["nowhere", /no view "nowhere"; the views are mirror, pair/],
  ["drawing?cave", /no sample "cave"; the samples are "drawing" and "map"\.$/],
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
  visit("pair", async (page) => {
    await until(page, (now) => now.view === "pair");
    const circle = (x) => `<circle cx="${x}" cy="50" r="30"/>`;
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">${[50, 90, 200].map(circle)}</svg>`;
    await drop(page, [["three ünits.svg", drawing]]);
    const shown = await until(page, (now) => now.file === "three ünits.svg", "the drawing");
    assert.deepEqual([shown.view, shown.colliders, shown.touching, shown.message], ["drawing", "3", "1", ""]);
    assert.ok(await is_painted(page));
  }));

test("a dropped Tiled map opens when its tileset has arrived", () =>
  visit("drawing?map", async (page) => {
    const sample = await until(page, (now) => now.file === "cave.tmx", "the sample");
    assert.ok(Number(sample.colliders) > 5);
    const map = `<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="32" tileheight="32">
      <tileset firstgid="1" source="stone.tsx"/>
      <layer id="1" name="ground" width="2" height="1"><data encoding="csv">1,1</data></layer></map>`;
    const tileset = `<tileset version="1.10" name="stone" tilewidth="32" tileheight="32" tilecount="1" columns="1">
      <image source="stone.png" width="32" height="32"/></tileset>`;
    await drop(page, [["my.tmx", map]]);
    await until(page, (now) => now.message?.includes("needs stone.tsx"), "the name of the tileset");
    await drop(page, [["stone.tsx", tileset]]);
    const { colliders } = await until(page, (now) => now.file === "my.tmx", "the map");
    assert.equal(colliders, "1");
    assert.ok(await is_painted(page));
  }));

const repeated = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join("\n");
for (const [name, content, expected] of [
  ["2,000 circles in one place", repeated(2000, () => '<circle cx="50" cy="50" r="10"/>'), { touching: "1999000" }],
  [
    "20,000 small circles",
    repeated(20_000, (at) => `<circle cx="${(at % 200) * 5}" cy="${Math.floor(at / 200) * 5}" r="2"/>`),
    { colliders: "20000", touching: "0" },
  ],
  ["100,000 attributes", `<rect${repeated(100_000, (at) => ` a${at}="1"`)}/>`, { message: /more than 1000 attributes/ }],
]) {
  test(`a drawing with ${name} needs seconds and at most 200 MB`, () =>
    visit("drawing", async (page) => {
      await until(page, (now) => now.file === "collision_test.svg");
      await drop(page, [["big.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 500">${content}</svg>`]]);
      const now = await until(page, (now) => now.file === "big.svg" || now.message, name);
      for (const [key, value] of Object.entries(expected)) assert.match(now[key], new RegExp(value));
      await drag(page, { x: 100, y: 400 }, { x: 160, y: 430 });
      const megabytes = await page.evaluate(() => wasm_memory.buffer.byteLength / 2 ** 20);
      assert.ok(megabytes < 200, `${megabytes} MB`);
    }));
}

test("dropping an invalid file shows a message, and the page keeps running", () =>
  visit("pair", async (page) => {
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
  visit("pair", async (page) => {
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
  visit("pair", async (page) => {
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
  visit("pair", async (page) => {
    await until(page, (now) => now.touching === "yes");
    for (const [view, x] of [["scene", 114], ["walk", 160], ["crowd", 206], ["drawing", 264], ["pair", 72], ["mirror", 30]]) {
      await page.touchscreen.tap(x, 23);
      await until(page, (now) => now.view === view, view);
    }
  }, PHONE));

test("on a phone a tap opens and closes the panel, and Center is on the screen", () =>
  visit("pair", async (page) => {
    const first = await until(page, (now) => now.touching === "yes" && now.sheet === "closed");
    const center = place(first.center);
    assert.ok(center.x > 0 && center.x < PHONE.viewport.width && center.y < 90, first.center);
    const tap = ({ x, y }) => page.touchscreen.tap(x, y);
    await tap(place(first.handle));
    const open = await until(page, (now) => now.sheet === "open" && now.handle !== first.handle, "open");
    await tap(place(open.handle));
    await until(page, (now) => now.sheet === "closed", "closed");
  }, PHONE));

test("on a phone a finger scrolls the panel without moving a slider", () =>
  visit("scene", async (page) => {
    const first = await until(page, (now) => now.view === "scene" && now.handle);
    await page.touchscreen.tap(place(first.handle).x, place(first.handle).y);
    const { handle, wide } = await until(page, (now) => now.sheet === "open" && now.handle !== first.handle, "open");
    const session = await page.context().newCDPSession(page);
    const touch = async (type, ...touchPoints) => {
      await session.send("Input.dispatchTouchEvent", { type, touchPoints });
      await page.waitForTimeout(60);
    };
    // On the sliders below the first heading.
    const from = { x: 150, y: place(handle).y + 110 };
    await touch("touchStart", from);
    for (const part of [10, 25, 45, 70]) await touch("touchMove", { x: from.x + part / 10, y: from.y - part });
    await touch("touchEnd");
    const after = await until(page, (now) => Number(now.scroll) > 20, "scrolled");
    assert.equal(after.wide, wide);
  }, PHONE));

test("on a phone a thumb moves the knight", () =>
  visit("mirror?seed=2", async (page) => {
    const first = await until(page, (now) => now.view === "mirror");
    const session = await page.context().newCDPSession(page);
    const send = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", { x: 8, y: 250 });
    await until(page, (now) => now.hand === "player", "the player");
    await until(page, (now) => Number(now.knight) < Number(first.knight) - 0.3, "further left");
    await send("touchEnd");
  }, PHONE));

test("on a phone the buttons of Walk work at once", () =>
  visit("walk", async (page) => {
    const x = (now) => Number(now.position.split(",")[0]);
    const first = await until(page, (now) => now.on_floor === "true", "on the floor");
    const session = await page.context().newCDPSession(page);
    const send = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", place(first.right));
    await until(page, (now) => x(now) > x(first) + 0.5, "further right");
    await send("touchEnd");
  }, PHONE));

test("a lost graphics context shows a message with a reload button", () =>
  visit("pair", async (page) => {
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
  await page.route("**/playground.wasm.gz", (route) => route.abort());
  await page.reload();
  await page.locator("#message").waitFor();
  assert.match(await text_of_message(page), /cannot start/);
  await page.context().close();
});

// What the page gives the program beside miniquad's gl.js, whose globals this uses: the state in the address, files,
// messages, and the status for the tests. The program's side is in src/host.rs.

"use strict";

const playground = (() => {
  // Larger files would take all the memory that a page gets.
  const LARGEST_FILE = 32 << 20;
  // Browsers refuse to change the address more than about a hundred times in half a minute.
  const ADDRESS_INTERVAL = 400;

  const message = document.querySelector("#message");

  // Says something over the program until it is put away by its button.
  function say(text, button = "Close", press = () => {}) {
    message.querySelector("p").textContent = text;
    message.querySelector("button").textContent = button;
    message.querySelector("button").onclick = () => {
      message.hidden = true;
      canvas.focus();
      press();
    };
    message.hidden = false;
  }

  // Of several reasons to stop only the first is told: the others follow from it.
  let stopped = false;
  function stop(text) {
    if (stopped) return;
    stopped = true;
    cancelAnimationFrame(animation_frame_timeout);
    say(`${text} The address still shows what you saw.`, "Reload", () => location.reload());
  }

  // The state in the address.
  let waiting = null;
  let published = null;
  let timer = null;
  // What was in it when it was last read or written.
  let known = "";

  function read_address() {
    known = location.hash;
    const hash = known.slice(1);
    let state = hash;
    try {
      state = decodeURIComponent(hash);
    } catch {
      // A percent sign that stands for nothing: the program says what is wrong with it.
    }
    waiting = state === "" ? null : new TextEncoder().encode(state);
  }

  function write_address() {
    timer = null;
    // What the user has put there goes first, also if nobody has told of it yet.
    if (waiting !== null || location.hash !== known) return;
    history.replaceState(null, "", `#${encodeURI(published)}`);
    known = location.hash;
  }

  // Files, from wherever.
  async function open_files(list) {
    const files = [];
    for (const file of list) {
      if (file.size > LARGEST_FILE) return say(`${file.name}: larger than ${LARGEST_FILE >> 20} MB.`);
      try {
        files.push([new TextEncoder().encode(file.name), new Uint8Array(await file.arrayBuffer())]);
      } catch {
        return say(`${file.name}: it cannot be read. Is it a folder?`);
      }
    }
    if (stopped || wasm_exports === undefined || files.length === 0) return;
    wasm_exports.on_files_dropped_start();
    for (const [name, bytes] of files) {
      wasm_exports.on_file_dropped(put(name), name.length, put(bytes), bytes.length);
    }
    wasm_exports.on_files_dropped_finish();
  }

  // Gives bytes to the program, which owns them from then on.
  function put(bytes) {
    const place = wasm_exports.allocate_vec_u8(bytes.length);
    memory(place, bytes.length).set(bytes);
    return place;
  }

  // Of the program's memory, which moves when it grows.
  function memory(from, length) {
    return new Uint8Array(wasm_memory.buffer, from, length);
  }

  function text(from, length) {
    return new TextDecoder().decode(memory(from, length));
  }

  let status = {};
  Object.assign(importObject.env, {
    // The clock of gl.js has whole milliseconds, too coarse to time an update.
    now: () => (performance.timeOrigin + performance.now()) / 1000,
    hitgraph_state_length: () => waiting?.length ?? 0,
    hitgraph_take_state(into) {
      memory(into, waiting.length).set(waiting);
      waiting = null;
    },
    hitgraph_publish_state(from, length) {
      published = text(from, length);
      timer ??= setTimeout(write_address, ADDRESS_INTERVAL);
    },
    hitgraph_publish_status(from, length) {
      const lines = text(from, length).split("\n").map((line) => line.split(/=(.*)/s, 2));
      status = Object.fromEntries(lines);
    },
  });

  async function start() {
    if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
    if (document.createElement("canvas").getContext("webgl") === null) throw new Error("this browser has no WebGL");
    const response = await fetch("playground.wasm");
    if (!response.ok) throw new Error(`playground.wasm is not there (${response.status})`);
    const module = await WebAssembly.compile(await response.arrayBuffer());
    const instance = await WebAssembly.instantiate(module, importObject);
    wasm_memory = instance.exports.memory;
    wasm_exports = instance.exports;
    wasm_exports.main();
    new ResizeObserver(() => window.onresize()).observe(canvas);
  }

  window.addEventListener("hashchange", read_address);
  window.addEventListener("error", (event) => stop(`The playground has stopped: ${event.message}.`));
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    stop("The browser has taken the graphics away (WebGL context lost).");
  });
  // gl.js has a handler of its own, which garbles names and does not survive folders.
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    open_files([...event.dataTransfer.files]);
  }, true);
  document.querySelector("#files").addEventListener("change", async (event) => {
    await open_files([...event.target.files]);
    event.target.value = "";
    canvas.focus();
  });
  // gl.js keeps these from the browser; nothing here needs them.
  window.addEventListener("keydown", (event) => {
    if (/^(F\d+|Tab)$/.test(event.key)) event.stopImmediatePropagation();
  }, true);

  read_address();
  start().catch((error) => stop(`The playground cannot start: ${error.message}.`));

  return { get status() { return status; }, get stopped() { return stopped; } };
})();

// The page's side of the interface in src/host.rs: the link in the address, files, messages, and the status for the
// tests. Uses globals of miniquad's gl.js.

"use strict";

const playground = (() => {
  // Larger files could exceed the memory limit of a page.
  const MAX_FILE_SIZE = 32 << 20;
  // Browsers limit address changes to about a hundred per 30 seconds. In milliseconds.
  const ADDRESS_INTERVAL = 400;

  const message = document.querySelector("#message");
  const loading = document.querySelector("#loading");
  const live = document.querySelector("#live");

  // Shows a message over the program until its button is pressed.
  function show_message(text, button = "Close", on_close = () => {}) {
    message.querySelector("p").textContent = text;
    message.querySelector("textarea")?.remove();
    loading.hidden = true;
    message.querySelector("button").textContent = button;
    message.querySelector("button").onclick = () => {
      message.hidden = true;
      canvas.focus();
      on_close();
    };
    message.hidden = false;
    message.querySelector("button").focus();
  }

  // Only the first error is shown: later ones follow from it.
  let stopped = false;
  function stop(text) {
    if (stopped) return;
    stopped = true;
    cancelAnimationFrame(animation_frame_timeout);
    show_message(`${text} The address still contains the link to your view.`, "Reload", () => location.reload());
  }

  // The link in the address: pending (not yet taken by the program) and published by the program.
  let pending = null;
  let published = null;
  let timer = null;
  // The fragment when it was last read or written.
  let last_hash = "";

  function read_address() {
    last_hash = location.hash;
    const hash = last_hash.slice(1);
    let link = hash;
    try {
      link = decodeURIComponent(hash);
    } catch {
      // An invalid percent escape is passed on unchanged; the program reports the error.
    }
    pending = link === "" ? null : new TextEncoder().encode(link);
  }

  function write_address() {
    timer = null;
    // An address edited by the user takes precedence, even before its hashchange event.
    if (pending !== null || location.hash !== last_hash) return;
    history.replaceState(null, "", `#${encodeURI(published)}`);
    last_hash = location.hash;
  }

  // Copies a text, or shows it where the browser does not allow that. A link is completed to an address.
  async function copy(text) {
    const copied = text.startsWith("#") ? new URL(encodeURI(text), location.href).href : text;
    try {
      await navigator.clipboard.writeText(copied);
    } catch {
      show_message("This browser does not let the page copy. Copy this text yourself:");
      const area = document.createElement("textarea");
      area.value = copied;
      area.readOnly = true;
      message.querySelector("p").after(area);
      area.select();
    }
  }

  // Announces the program's messages and, every few seconds, the last wrong answer of the duel.
  let announced = 0;
  function announce(status, before) {
    const now = performance.now();
    if (status.message && status.message !== before.message) live.textContent = status.message;
    else if (status.lie && status.lie !== before.lie && now - announced > 5000) {
      announced = now;
      live.textContent = `${status.lie}. hitgraph: ${status.hitgraph} wrong, decomposing engine: ${status.decomposing}.`;
    }
  }

  // Passes dropped or selected files to the program.
  async function open_files(list) {
    const files = [];
    for (const file of list) {
      if (file.size > MAX_FILE_SIZE) {
        return show_message(`${file.name}: the file is larger than ${MAX_FILE_SIZE >> 20} MB.`);
      }
      try {
        files.push([new TextEncoder().encode(file.name), new Uint8Array(await file.arrayBuffer())]);
      } catch {
        return show_message(`${file.name}: the file cannot be read. Is it a folder?`);
      }
    }
    if (stopped || wasm_exports === undefined || files.length === 0) return;
    wasm_exports.on_files_dropped_start();
    for (const [name, bytes] of files) {
      wasm_exports.on_file_dropped(put(name), name.length, put(bytes), bytes.length);
    }
    wasm_exports.on_files_dropped_finish();
  }

  // Copies bytes into wasm memory and returns their address. The program owns them.
  function put(bytes) {
    const place = wasm_exports.allocate_vec_u8(bytes.length);
    memory(place, bytes.length).set(bytes);
    return place;
  }

  // Returns a view of wasm memory. It is invalid after the memory has grown.
  function memory(from, length) {
    return new Uint8Array(wasm_memory.buffer, from, length);
  }

  function text(from, length) {
    return new TextDecoder().decode(memory(from, length));
  }

  let status = {};
  Object.assign(importObject.env, {
    // The clock of gl.js has a resolution of 1 ms, too coarse to time an update.
    now: () => (performance.timeOrigin + performance.now()) / 1000,
    hitgraph_link_length: () => pending?.length ?? 0,
    hitgraph_take_link(into) {
      memory(into, pending.length).set(pending);
      pending = null;
    },
    hitgraph_publish_link(from, length) {
      published = text(from, length);
      timer ??= setTimeout(write_address, ADDRESS_INTERVAL);
    },
    hitgraph_publish_status(from, length) {
      const lines = text(from, length).split("\n").map((line) => line.split(/=(.*)/s, 2));
      const before = status;
      status = Object.fromEntries(lines);
      loading.hidden = true;
      announce(status, before);
    },
    hitgraph_copy(from, length) {
      copy(text(from, length));
    },
  });

  // Decompresses the program, unless the server or the browser has already done so.
  async function decompressed(bytes) {
    const [first, second] = new Uint8Array(bytes, 0, 2);
    if (first !== 0x1f || second !== 0x8b) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  async function start() {
    if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
    if (document.createElement("canvas").getContext("webgl") === null) throw new Error("this browser has no WebGL");
    const response = await fetch("playground.wasm.gz");
    if (!response.ok) throw new Error(`playground.wasm.gz cannot be loaded (${response.status})`);
    const module = await WebAssembly.compile(await decompressed(await response.arrayBuffer()));
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
    stop("The browser has lost the graphics context (WebGL context lost).");
  });
  // Replaces the handler of gl.js, which garbles names and fails on folders.
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
  // The canvas has the focus from the start, so its ring is shown only to those who move the focus by keyboard.
  const ring = (on) => document.body.classList.toggle("by-keyboard", on);
  window.addEventListener("pointerdown", () => ring(false), true);
  window.addEventListener("keydown", (event) => {
    if (event.key === "Tab") ring(true);
    // gl.js would block the browser's own use of these keys, which the playground does not need.
    if (/^(F\d+|Tab)$/.test(event.key)) event.stopImmediatePropagation();
  }, true);

  read_address();
  start().catch((error) => stop(`The playground cannot start: ${error.message}.`));

  return { get status() { return status; }, get stopped() { return stopped; } };
})();

// Runs a test program that was compiled for wasm32-unknown-unknown. Such a program prints nothing and imports nothing.
// A test that fails traps: the stack below contains its name.
import { readFile } from "node:fs/promises";

Error.stackTraceLimit = Infinity;
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]));
process.exit(instance.exports.main(0, 0));

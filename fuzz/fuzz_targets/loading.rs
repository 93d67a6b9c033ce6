#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hitgraph_fuzz::loading(data));

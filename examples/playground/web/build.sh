#!/usr/bin/env bash
# Builds the page into examples/playground/target/page.
#
#   web/build.sh             builds with the installed tools
#   web/build.sh --install   first installs missing tools (Debian)
#   web/build.sh --check     exits with 0 if a compiler for wasm32-unknown-unknown is installed, else with 1
#
# The compiler is either rustc with the target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`) or
# Debian's package, which also builds the standard library. wasm-opt, if installed, makes the page a tenth smaller.
set -euo pipefail
cd "$(dirname "$0")/.."

max_bytes=1000000
target=wasm32-unknown-unknown
build="${CARGO_TARGET_DIR:-$PWD/target}/wasm"
page="$PWD/target/page"

has_target() { [ -d "$(rustc --print target-libdir --target $target 2>/dev/null)" ]; }

case "${1:-}" in
  --install) web/install.sh ;;
  --check) has_target || web/install.sh --check-compiler; exit ;;
esac

if has_target; then
  cargo build --locked --release --target $target --target-dir "$build"
elif web/install.sh --check-compiler; then
  # Debian ships the standard library as source. cargo builds it with the unstable flag -Zbuild-std.
  (
    unset RUSTUP_TOOLCHAIN CARGO_BUILD_RUSTC
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
    /usr/bin/cargo build --locked --release --target $target --target-dir "$build" -Zbuild-std=std,panic_abort
  )
else
  echo "No compiler for wasm32-unknown-unknown is installed. Either command installs one:" >&2
  echo "  rustup target add $target" >&2
  echo "  $(realpath --relative-to="$OLDPWD" web/build.sh) --install     (Debian and derivatives)" >&2
  exit 1
fi

rm -rf "$page"
mkdir -p "$page"
cp web/index.html web/page.css web/host.js "$page"
# The crate of miniquad contains the gl.js of the same version.
miniquad=$(cargo metadata --locked --format-version 1 | grep -o '"manifest_path":"[^"]*/miniquad-[0-9][^"]*"' | cut -d'"' -f4)
cp "$(dirname "$miniquad")/js/gl.js" "$page"

wasm="$build/$target/release/hitgraph-playground.wasm"
if command -v wasm-opt >/dev/null; then
  # The features that compilers enable by default since 2024.
  features=(--enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals
    --enable-reference-types --enable-multivalue)
  wasm-opt -Oz "${features[@]}" "$wasm" -o "$page/playground.wasm"
else
  echo "wasm-opt (package binaryen) is not installed, so the page is a tenth larger"
  cp "$wasm" "$page/playground.wasm"
fi

size=$(stat -c %s "$page/playground.wasm")
if command -v wasm-opt >/dev/null && [ "$size" -ge $max_bytes ]; then
  echo "playground.wasm has $size bytes; the limit is $max_bytes" >&2
  exit 1
fi
echo "$page: playground.wasm has $size bytes ($(gzip -9c "$page/playground.wasm" | wc -c) compressed)"
echo "To view it:  python3 -m http.server --directory $page 8080    and open http://localhost:8080"

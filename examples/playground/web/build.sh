#!/usr/bin/env bash
# Builds the page into examples/playground/target/page.
#
#   web/build.sh             with what is installed
#   web/build.sh --install   on Debian: installs what is missing first
#   web/build.sh --check     only says by its exit status whether there is a compiler for the browser
#
# Either rustc has the target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`), or Debian's own
# compiler for it is there, which makes the standard library too. wasm-opt, if there, makes the page a tenth smaller.
set -euo pipefail
cd "$(dirname "$0")/.."

largest=1000000
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
  # The standard library comes as source, and is built by a feature of cargo that is not stable yet.
  (
    unset RUSTUP_TOOLCHAIN CARGO_BUILD_RUSTC
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
    /usr/bin/cargo build --locked --release --target $target --target-dir "$build" -Zbuild-std=std,panic_abort
  )
else
  echo "There is no compiler for the browser. Either of these brings one:" >&2
  echo "  rustup target add $target" >&2
  echo "  $(realpath --relative-to="$OLDPWD" web/build.sh) --install     (Debian and its kin)" >&2
  exit 1
fi

rm -rf "$page"
mkdir -p "$page"
cp web/index.html web/page.css web/host.js "$page"
# The script that belongs to this very version of miniquad is in its crate.
miniquad=$(cargo metadata --locked --format-version 1 | grep -o '"manifest_path":"[^"]*/miniquad-[0-9][^"]*"' | cut -d'"' -f4)
cp "$(dirname "$miniquad")/js/gl.js" "$page"

wasm="$build/$target/release/hitgraph-playground.wasm"
if command -v wasm-opt >/dev/null; then
  # What compilers use since 2024.
  features=(--enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals
    --enable-reference-types --enable-multivalue)
  wasm-opt -Oz "${features[@]}" "$wasm" -o "$page/playground.wasm"
else
  echo "without wasm-opt (package binaryen) the page is larger than it need be"
  cp "$wasm" "$page/playground.wasm"
fi

size=$(stat -c %s "$page/playground.wasm")
if command -v wasm-opt >/dev/null && [ "$size" -ge $largest ]; then
  echo "playground.wasm has $size bytes; a page should have less than $largest" >&2
  exit 1
fi
echo "$page: playground.wasm has $size bytes ($(gzip -9c "$page/playground.wasm" | wc -c) compressed)"
echo "To see it:  python3 -m http.server --directory $page 8080    and open http://localhost:8080"

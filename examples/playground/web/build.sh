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
cp web/page.css web/host.js web/card.png "$page"
# The addresses of the page, the source, the API documentation and the guide. By default the links lead into this folder.
top=../../../..
sed -e "s|%PAGE%|${HITGRAPH_PAGE:-}|" -e "s|%SOURCE%|${HITGRAPH_SOURCE:-$top/README.md}|" \
  -e "s|%DOCS%|${HITGRAPH_DOCS:-$top/target/doc/hitgraph/index.html}|" \
  -e "s|%GUIDE%|${HITGRAPH_GUIDE:-$top/docs/guide/README.md}|" web/index.html > "$page/index.html"
# The crate of miniquad contains the gl.js of the same version.
miniquad=$(cargo metadata --locked --format-version 1 | grep -o '"manifest_path":"[^"]*/miniquad-[0-9][^"]*"' | cut -d'"' -f4)
# Without comments at the start of lines and without indentation it is a quarter smaller.
sed -e 's/^[[:space:]]*//' -e '/^\/\//d' -e '/^$/d' "$(dirname "$miniquad")/js/gl.js" > "$page/gl.js"

wasm="$build/$target/release/hitgraph-playground.wasm"
if command -v wasm-opt >/dev/null; then
  # The features that compilers enable by default since 2024.
  features=(--enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals
    --enable-reference-types --enable-multivalue)
  wasm-opt -Oz --converge --strip-debug --strip-producers "${features[@]}" "$wasm" -o "$page/playground.wasm"
else
  echo "wasm-opt (package binaryen) is not installed, so the page is a tenth larger"
  cp "$wasm" "$page/playground.wasm"
fi

# The page decompresses the program itself, so that it is small on a server without compression too.
gzip -9n "$page/playground.wasm"

size=$(du -cb "$page"/* | tail -1 | cut -f1)
if [ "$size" -ge $max_bytes ]; then
  echo "the page has $size bytes; the limit is $max_bytes" >&2
  exit 1
fi
echo "$page: $size bytes ($(stat -c %s "$page/playground.wasm.gz") for the compressed program)"
echo "To view it:  python3 -m http.server --directory $page 8080    and open http://localhost:8080"

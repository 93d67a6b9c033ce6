#!/usr/bin/env bash
# Tests the playground. The program needs only cargo; the page also needs a compiler for wasm32-unknown-unknown, and its
# tests need node 20, npm and chromium. Steps with missing tools are reported and skipped. web/install.sh installs the
# tools on Debian.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$(realpath ../..)/target/playground}"
export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}"

skip() { echo "playground: $1, so $2"; exit 0; }

cargo fmt --check
cargo clippy --locked --all-targets -q -- -D warnings
cargo test --locked -q

web/build.sh --check ||
  skip "no compiler for wasm32-unknown-unknown is installed" "the page is neither built nor tested"
web/build.sh
for tool in node npm "$CHROMIUM"; do
  command -v "${tool:-chromium}" >/dev/null || skip "${tool:-chromium} is not installed" "the page is not tested"
done
# Debian 12 has an older node.
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' ||
  skip "node is older than 20" "the page is not tested"
cd web/tests
[ -d node_modules/playwright-core ] || npm ci --silent ||
  skip "npm cannot install playwright-core" "the page is not tested"
# With software rendering on a busy machine a wait may time out, so a failed run is repeated once.
npm test || npm test

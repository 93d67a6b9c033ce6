#!/usr/bin/env bash
# All that must hold of the playground. The program needs cargo alone; the page also needs a compiler for the browser,
# and its tests need node 20, npm and chromium: what is not there is told and left out. web/install.sh brings all that
# the system has.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$(realpath ../..)/target/playground}"
export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}"

skip() { echo "playground: $1, so $2"; exit 0; }

cargo fmt --check
cargo clippy --locked --all-targets -q -- -D warnings
cargo test --locked -q

web/build.sh --check || skip "there is no compiler for the browser" "the page is neither built nor tested"
web/build.sh
for tool in node npm "$CHROMIUM"; do
  command -v "${tool:-chromium}" >/dev/null || skip "${tool:-chromium} is not there" "the page is not tested"
done
# That of Debian 12 is older.
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || skip "node is older than 20" "the page is not tested"
cd web/tests
[ -d node_modules/playwright-core ] || npm ci --silent || skip "npm cannot fetch it" "the page is not tested"
# Where the processor draws, a busy machine may be too late for a wait; once more then.
npm test || npm test

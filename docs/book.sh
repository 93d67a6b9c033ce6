#!/usr/bin/env bash
# Makes a book of README.md and docs/ in target/book. Needs mdBook: `cargo install mdbook --locked`.
set -euo pipefail
cd "$(dirname "$0")/.."

# mdBook resolves links within one folder only, so what pages link to is put together as it is here, under its summary.
source=target/book-source
rm -rf "$source" target/book
mkdir -p "$source"
git ls-files -z '*.md' docs examples src tests benches 'LICENSE*' | xargs -0 cp --parents -t "$source"
cp docs/book.toml "$source"
sed -E 's#\]\(#](docs/#; s#\]\(docs/\.\./#](#' docs/SUMMARY.md > "$source/SUMMARY.md"
mdbook build "$source"
rm -rf "$source"

#!/usr/bin/env bash
# Makes the pictures of the playground in docs/images, with the program as it runs on the desktop. Where there is no
# screen, xvfb-run makes one. The letters and edges depend on the graphics driver a little: a picture is made anew when
# what it shows has changed.
set -euo pipefail
cd "$(dirname "$0")"
export LIBGL_ALWAYS_SOFTWARE=1
images=$(realpath ../../docs/images)
program="${CARGO_TARGET_DIR:-target}/release/hitgraph-playground"

cargo build --locked --release -q
# The walker stands where the course begins, the puppet has met some things.
for shot in pair:10 scene:180 walk:90 crowd:60; do
  view=${shot%:*}
  xvfb-run -a -s "-screen 0 1280x800x24" \
    "$program" --view "$view" --size 1000x640 --frames "${shot#*:}" --shot "$images/playground_$view.png"
  [ "$(stat -c %s "$images/playground_$view.png")" -lt 150000 ] || echo "playground_$view.png is 150 KB or more" >&2
done

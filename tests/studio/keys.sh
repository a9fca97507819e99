#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# keys.sh <gridloom-studio>: real keys in a real window, right after the start. Pasting from an
# empty clipboard, undoing and shortcuts in the filter leave the studio alive and the project
# unchanged, so that it quits without a question.

"$1" &
studio=$!
window="$(timeout 60 xdotool search --sync --onlyvisible --pid $studio --name Studio | head -n 1)"
fail() {
  echo "keys.sh: $1"
  kill $studio 2>/dev/null
  exit 1
}
[ -n "$window" ] || fail "no window"
xdotool windowactivate --sync "$window"
sleep 3
press() {
  xdotool key --clearmodifiers "$1"
  sleep 0.3
  kill -0 $studio 2>/dev/null || fail "the studio is gone after $1"
}
# The page of examples is in front; Escape shows the panels.
press Escape
# The text of the kernel is at the upper left, below its parameters.
xdotool mousemove --window "$window" 200 200 click 1
sleep 0.3
press ctrl+v
press ctrl+z
press ctrl+shift+z
press ctrl+f
press ctrl+v
press ctrl+z
case "$(xdotool getwindowname "$window")" in
  *\**) fail "the project counts as modified" ;;
esac
xdotool key --clearmodifiers ctrl+q
tries=0
while kill -0 $studio 2>/dev/null; do
  [ $tries -lt 100 ] || fail "the studio does not quit"
  sleep 0.1
  tries=$((tries + 1))
done
wait $studio

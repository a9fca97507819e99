#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs into a new folder, runs what is there as a user would, and builds a program against the
# installed libraries: install_test.sh <build folder> <source folder> <cmake>

set -euo pipefail
build="$1" source="$2" cmake="$3"

fail() { printf 'install_test: %s\n' "$1" >&2; exit 1; }
have() { command -v "$1" >/dev/null; }

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
prefix="$folder/prefix"
"$cmake" --install "$build" --prefix "$prefix" >"$folder/log" || { cat "$folder/log"; exit 1; }

for file in bin/gridloom share/man/man1/gridloom.1 share/bash-completion/completions/gridloom \
    share/zsh/site-functions/_gridloom share/gridloom/hwpresets/wormhole_8x8.hw \
    share/gridloom/kernels/gemm.rec share/doc/gridloom/command.md; do
  [[ -s "$prefix/$file" ]] || fail "$file is missing"
done

# The presets beside the program, and not those of the source tree.
mv "$prefix/share/gridloom/hwpresets/spyre_ring.hw" "$prefix/share/gridloom/hwpresets/moved.hw"
(cd "$folder" && "$prefix/bin/gridloom" list hardware) | grep -q '^moved ' || fail "other presets"

if [[ -x "$prefix/bin/gridloom-import" ]]; then
  printf 'func.func @k(%%a: memref<4xf32>, %%b: memref<4xf32>) {
  affine.for %%i = 0 to 4 { %%v = affine.load %%a[%%i] : memref<4xf32>
    affine.store %%v, %%b[%%i] : memref<4xf32> }
  return }\n' >"$folder/k.mlir"
  "$prefix/bin/gridloom" import "$folder/k.mlir" >"$folder/k.rec" || fail "import does not run"
fi

bash -n "$prefix/share/bash-completion/completions/gridloom"
completed="$(bash -c '
  compopt() { :; }
  source "$1"
  complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gridloom; echo "${COMPREPLY[*]}"; }
  complete_line gridloom explo
  complete_line gridloom explore -H cerebras
  complete_line gridloom explore -K gemm --set ""
  complete_line gridloom export --format mapp
  complete_line gridloom export cha
  complete_line gridloom export chart --chart roof
  complete_line gridloom export chart --no
' bash "$prefix/share/bash-completion/completions/gridloom")"
expected=$'explore\ncerebras_like\nM= N= K=\nmapping\nchart\nroofline\n--no-simulate'
[[ "$completed" == "$expected" ]] || fail "completion gives: $completed"
! have zsh || zsh -n "$prefix/share/zsh/site-functions/_gridloom"
if have man && have groff; then
  page="$prefix/share/man/man1/gridloom.1"
  warnings="$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)"
  [[ -z "$warnings" ]] || fail "the manual page: $warnings"
fi
! have xmllint || [[ ! -e "$prefix/share/mime/packages/gridloom.xml" ]] ||
  xmllint --noout "$prefix/share/mime/packages/gridloom.xml"
! have desktop-file-validate || [[ ! -e "$prefix/share/applications/gridloom-studio.desktop" ]] ||
  desktop-file-validate "$prefix/share/applications/gridloom-studio.desktop"

"$cmake" -S "$source/resources/example" -B "$folder/example" -DCMAKE_PREFIX_PATH="$prefix" \
  >"$folder/log" 2>&1 || { cat "$folder/log"; fail "find_package(gridloom)"; }
"$cmake" --build "$folder/example" >"$folder/log" 2>&1 || { cat "$folder/log"; fail "the example"; }
cp "$source/hwpresets/wormhole_1x8.hw" "$folder/my_ring.hw"
XDG_DATA_DIRS="$prefix/share" "$folder/example/best_mapping" "$folder/my_ring.hw" gemm \
  >"$folder/answer" || fail "the example does not run"
grep -q 'cycles simulated' "$folder/answer" || fail "the example says: $(cat "$folder/answer")"
echo "installed, run and linked"

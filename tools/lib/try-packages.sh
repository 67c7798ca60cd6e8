#!/usr/bin/env bash
# Tries the packages of a directory in the bare Debian root where it runs, as root; tools/test-nightly
# calls it. Prints a line or two for each trial.
# Usage: try-packages.sh DIRECTORY
set -euo pipefail
packages=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export DEBIAN_FRONTEND=noninteractive TMPDIR=/tmp

# Runs a command; shows its output if it fails.
quiet() {
  "$@" >/tmp/quiet.log 2>&1 || { cat /tmp/quiet.log; echo "FAILED: $*"; return 1; }
}
install() {
  quiet apt-get install -y -q --no-install-recommends "$@"
}

quiet apt-get update -q
install "$packages"/xlink_*.deb
xlink --version
(cd testdata/demo/colossus && xlink -m colossus {main,vertex}.o -o /tmp/tile.elf)
xlink-inspect sizes /tmp/tile.elf | head -n 4
tar -xzf "$packages"/xlink-*-linux-"$(uname -m)".tar.gz -C /tmp
cmp /usr/bin/xlink /tmp/xlink-*/bin/xlink
cmp /usr/bin/xlink-inspect /tmp/xlink-*/bin/xlink-inspect

install zsh fish bash-completion
fish -c 'complete -C "xlink --why-l"' | grep '^--why-live' >/dev/null
# zsh knows the function by its first line, in a directory of its own list.
zsh -f -c 'autoload -Uz compinit; compinit -u; print -- $_comps[xlink]' | grep -x _xlink >/dev/null
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader xlink; complete -p xlink' \
  >/dev/null
echo "bash, fish, zsh complete its options"

install python3
python3 -B tools/lib/demo.py /usr/bin/xlink testdata "$(mktemp -d)" | tail -n 1
install "$packages"/libxlink-dev_*.deb cmake g++ make ninja-build pkgconf meson clang gcc-arm-none-eabi
tools/check-examples

install lintian
# The licence is not chosen.
lintian --allow-root "$packages"/*.deb | grep -v -e copyright && exit 1
echo "lintian: nothing else than a missing licence"

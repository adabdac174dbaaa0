#!/usr/bin/env bash
# The operations of a circuit that circom has compiled to C++, for `graphs write`.
#   graphs/trace.sh CIRCUIT_cpp NAME TRACE
# Needs g++, nasm, GMP and nlohmann's JSON, as circom's C++ does: apt-get install g++ make nasm libgmp-dev nlohmann-json3-dev
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="$1" name="$2" trace="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp "$folder"/*.{cpp,hpp,asm} "$work"
cd "$work"
# A graph has no assertions.
sed -i -e '/^if (!Fr_isTrue(&expaux\[0\])) std::cout << "Failed assert/d' -e '/^assert(Fr_isTrue(&expaux\[0\]));$/d' "$name.cpp"
# The same for each circuit over a curve, so compiled once.
kept="$here/../.cache/trace-objects/$(cat main.cpp fr.asm ./*.hpp | sha256sum | cut -c1-16)"
if [[ ! -e "$kept/main.o" ]]; then
  mkdir -p "$kept"
  nasm -felf64 fr.asm -o "$kept/fr_asm.o"
  g++ -std=c++11 -w -I. -Dmain=circom_main -c main.cpp -o "$kept/main.part"
  mv "$kept/main.part" "$kept/main.o"
fi
cp "$kept"/{main,fr_asm}.o .
g++ -std=c++11 -w -I. -c "$name.cpp" -o circuit.o # it runs once, and may be large
wraps=()
for function in add sub mul band bor bxor shl shr eq neq lt gt leq geq land lor neg bnot lnot isTrue toInt; do
  wraps+=("-Wl,--wrap=Fr_$function")
done
for function in _Z7Fr_idivP9FrElementS0_S0_ _Z6Fr_modP9FrElementS0_S0_ _Z6Fr_divP9FrElementS0_S0_ _Z6Fr_powP9FrElementS0_S0_ \
  _Z14Fr_element2strP9FrElement; do
  wraps+=("-Wl,--wrap=$function")
done
g++ -std=c++11 -O1 -w -I. calcwit.cpp fr.cpp "$here/trace.cpp" main.o circuit.o fr_asm.o -o trace -lgmp -no-pie -z noexecstack "${wraps[@]}"
cd - >/dev/null
ulimit -s unlimited || true
"$work/trace" "$folder/$name.dat" | grep -E '^(constant|input|signal|wire|[a-z]+ [0-9]+ [0-9]+$)' >"$trace"

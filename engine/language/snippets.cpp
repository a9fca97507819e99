// SPDX-License-Identifier: Apache-2.0

// Templates that an editor offers at the beginning of a line.

#include "language/language.h"

namespace gridloom::language {

namespace {

constexpr Snippet kOfKernels[] = {
    {"tensor …", "tensor ${A}[${M}, ${K}]: ${f16}", "A tensor: name, shape, element type"},
    {"sum …", "${C}[${i}, ${j}] = sum(${k}) ${A}[${i}, ${k}] * ${B}[${k}, ${j}]",
     "A tensor as a sum over a loop"},
    {"sum … where …",
     "${C}[${i}, ${j}] = sum(${k}) ${A}[${i}, ${k}] * ${B}[${k}, ${j}] where ${k} <= ${i}",
     "A sum over the part of a loop for which a condition holds"},
    {"local … recurrence",
     "local ${s}[${M}, ${N}]: ${f32} = ${0}\n${s}[${i}, ${j}] = ${s}[${i}, ${j} - 1] + "
     "${A}[${i}, ${j}]",
     "State along a loop: its initial value, and what each iteration makes of it"},
    {"kernel …",
     "kernel ${name}(${M} = ${1024}, ${K} = ${1024}) {\n  tensor ${A}[${M}, ${K}]: ${f16}\n"
     "  tensor ${y}[${M}]: ${f16}\n\n  ${y}[${i}] = sum(${k}) ${A}[${i}, ${k}]\n}",
     "A whole kernel: the sums of a matrix's rows"},
};

constexpr Snippet kOfHardware[] = {
    {"network …",
     "%${noc_h} = df.interconnects %${l1}, %${l1} { map = affine_map<(d0, d1) -> (d0 + 1, d1)>, "
     "bandwidth = ${32} B/cycle, latency = ${1} cycle }",
     "Links from each local memory to its neighbour along the first dimension"},
    {"memory …",
     "%${dram_idx} = df.spatial_dim ${4}\n%${drams} = df.memory { scaleout = (%${dram_idx}), "
     "size = ${4} GiB, bandwidth = ${64} B/cycle, kind = global }\n"
     "%${to_dram} = df.interconnects %${l1}, %${drams} { map = affine_map<(d0, d1) -> (d0 mod "
     "4)>, bandwidth = ${64} B/cycle }",
     "Global memory of several channels, and which channel the cores of a column are nearest to"},
    {"local memory …",
     "%${l1} = df.memory { scaleout = (%${x}, %${y}), size = ${1} MiB, bandwidth = ${64} B/cycle "
     "}\n%${core_to_l1} = df.mux %${cores}, %${l1} { map = affine_map<(d0, d1) -> (d0, d1)> }",
     "The local memory of every core"},
};

}  // namespace

std::span<const Snippet> snippetsAt(const base::SourceText& text, std::uint32_t offset) {
  const std::string_view before = text.text().substr(0, offset);
  const std::size_t line = before.rfind('\n') + 1;  // 0 where there is none
  for (const char c : before.substr(line)) {
    const bool mayBegin = (c >= 'a' && c <= 'z') || c == ' ' || c == '\t';
    if (!mayBegin) return {};
  }
  const std::string& name = text.name();
  if (name.ends_with(".rec")) return kOfKernels;
  if (name.ends_with(".hw")) return kOfHardware;
  return {};
}

}  // namespace gridloom::language

// SPDX-License-Identifier: Apache-2.0
#include "syntax/language_words.h"

#include <array>

namespace gridloom::syntax {

namespace {

using Sort = LanguageWord::Sort;

constexpr auto kHardware = std::to_array<LanguageWord>({
    {"param", Sort::Keyword, "", "Names a number once: `param cols = 8`."},
    {"module", Sort::Keyword, "", "May stand around the whole description."},
    {"affine_map", Sort::Keyword, "", "A map from coordinates to coordinates."},
    {"spatial_dim", Sort::Op, "", "A dimension of the mesh or of a memory, with its size."},
    {"core", Sort::Op, "", "The array of cores; there is exactly one."},
    {"memory", Sort::Op, "", "A memory with one instance for every point of its dimensions."},
    {"interconnects", Sort::Op, "", "Links from every member to the one that the map names."},
    {"mux", Sort::Op, "", "Which instance of a memory each core addresses."},
    {"mat", Sort::Op, "", "A matrix unit."},
    {"vec", Sort::Op, "", "A vector unit."},
    {"scalar", Sort::Op, "", "A scalar unit; mappings do not use it."},
    {"size", Sort::Attribute, "spatial_dim memory",
     "Members of a dimension; bytes of an instance."},
    {"scaleout", Sort::Attribute, "core memory", "The dimensions over which it is replicated."},
    {"scalein", Sort::Attribute, "core", "The units of each core, and how many of each."},
    {"disabled", Sort::Attribute, "core", "Disabled cores: `[(3, *), (5, 7)]`."},
    {"enabled", Sort::Attribute, "core",
     "The cores there are: `affine_set<(d0, d1) : (d0 <= d1)>`."},
    {"affine_set", Sort::Keyword, "", "Points of the mesh by constraints on their coordinates."},
    {"grid", Sort::Attribute, "core", "The plane of routers, where it is larger than the mesh."},
    {"at", Sort::Attribute, "core memory", "The router of each core, or of each instance."},
    {"clock", Sort::Attribute, "core", "Frequency; rates per second need it."},
    {"launch", Sort::Attribute, "core", "Cycles or time that starting a kernel costs."},
    {"reload", Sort::Attribute, "core", "Cycles or time between two different kernels."},
    {"read_issue", Sort::Attribute, "core", "Cycles to start one read (single transactions)."},
    {"write_issue", Sort::Attribute, "core", "Cycles to start one write (single transactions)."},
    {"completion", Sort::Attribute, "core", "Cycles from the last byte to the waiting program."},
    {"answer", Sort::Attribute, "core", "B/cycle at which a core answers reads of others."},
    {"shape", Sort::Attribute, "mat vec", "One step of the unit: `[m, n, k]`, or lanes."},
    {"systolic", Sort::Attribute, "mat", "The operand that stays: output, weight or input."},
    {"throughput", Sort::Attribute, "mat vec", "Peak rate, one or one per mode or function."},
    {"sustained", Sort::Attribute, "mat", "The rate that is reached (default: the peak)."},
    {"full_rate_output", Sort::Attribute, "mat", "Output elements below which the rate falls."},
    {"issue_per_output", Sort::Attribute, "mat", "Issue overhead per element of the output."},
    {"issue", Sort::Attribute, "mat vec", "Cycles per tile operation."},
    {"chained", Sort::Attribute, "vec",
     "`yes`: takes results of the matrix unit as they leave it."},
    {"operand_bandwidth", Sort::Attribute, "mat", "B/cycle at which operands enter."},
    {"operand_setup", Sort::Attribute, "mat", "Cycles per operand of a step."},
    {"subblock", Sort::Attribute, "mat", "Steps whose results are accumulated together."},
    {"latency", Sort::Attribute, "scalar memory interconnects",
     "Cycles of an operation, until the first byte, or per hop."},
    {"bandwidth", Sort::Attribute, "memory interconnects mux", "B/cycle of an instance or a link."},
    {"read_bandwidth", Sort::Attribute, "memory", "Where reads and writes differ."},
    {"write_bandwidth", Sort::Attribute, "memory", "Where reads and writes differ."},
    {"banks", Sort::Attribute, "memory", "Accepted for documentation."},
    {"dma", Sort::Attribute, "memory", "DMA channels: `{ in = 2, out = 2, rate = 4 B/cycle }`."},
    {"setup", Sort::Attribute, "memory interconnects", "Cycles a core spends to start a transfer."},
    {"interleave", Sort::Attribute, "memory", "Bytes per page (default: 2 KiB)."},
    {"random_access", Sort::Attribute, "memory", "Bytes that a request at any address takes."},
    {"stripes", Sort::Attribute, "memory", "Parts that take turns: `{ parts = 2, size = 256 B }`."},
    {"layout", Sort::Attribute, "memory", "`page`: searches use page-interleaved layouts only."},
    {"place", Sort::Attribute, "memory", "An earlier name of `layout`."},
    {"kind", Sort::Attribute, "memory", "`global`: this is the global memory."},
    {"write_latency", Sort::Attribute, "memory", "Cycles until a write is acknowledged."},
    {"duplex", Sort::Attribute, "memory", "`yes`: reads and writes at once."},
    {"map", Sort::Attribute, "interconnects mux", "Where links lead."},
    {"sync", Sort::Attribute, "interconnects", "Cycles per handshake."},
    {"multicast", Sort::Attribute, "interconnects", "`no`, or the bandwidth of a multicast."},
    {"packet", Sort::Attribute, "interconnects", "Bytes that take one turn at a link."},
    {"header", Sort::Attribute, "interconnects", "Bytes that each packet carries besides."},
    {"endpoint", Sort::Attribute, "interconnects", "Cycles between an endpoint and its router."},
    {"contended", Sort::Attribute, "interconnects", "B/cycle left to packets that had to wait."},
    {"virtual_channels", Sort::Attribute, "interconnects",
     "Virtual channels per class of traffic."},
    {"buffer", Sort::Attribute, "interconnects", "Bytes of each virtual channel."},
    {"plane", Sort::Attribute, "interconnects", "Networks of different planes are independent."},
});

constexpr auto kKernel = std::to_array<LanguageWord>({
    {"kernel", Sort::Keyword, "", "Begins a kernel: `kernel gemm(M = 1024) { ... }`."},
    {"tensor", Sort::Keyword, "", "A tensor in global memory: `tensor A[M, K]: f16`."},
    {"local", Sort::Keyword, "", "A tensor that lives inside the kernel only."},
    {"where", Sort::Keyword, "", "Restricts a statement to part of its iterations."},
    {"for", Sort::Keyword, "", "Gives a loop its range: `for r in 0..R`."},
    {"in", Sort::Keyword, "", "Between a loop and its range: `for r in 0..R`."},
    {"and", Sort::Keyword, "", "Both conditions hold."},
    {"or", Sort::Keyword, "", "One of the conditions holds."},
    {"not", Sort::Keyword, "", "The condition does not hold."},
    {"sum", Sort::Function, "", "`sum(k) ...`: the sum over a loop."},
    {"prod", Sort::Function, "", "`prod(k) ...`: the product over a loop."},
    {"max", Sort::Function, "", "`max(k) ...` over a loop, or `max(a, b)`."},
    {"min", Sort::Function, "", "`min(k) ...` over a loop, or `min(a, b)`."},
    {"select", Sort::Function, "", "`select(c, a, b)`: `a` where the condition holds, else `b`."},
    {"exp", Sort::Function, "", "e to the power of the operand."},
    {"exp2", Sort::Function, "", "2 to the power of the operand."},
    {"log", Sort::Function, "", "The natural logarithm."},
    {"sqrt", Sort::Function, "", "The square root."},
    {"rsqrt", Sort::Function, "", "1 over the square root."},
    {"tanh", Sort::Function, "", "The hyperbolic tangent."},
    {"sigmoid", Sort::Function, "", "1 / (1 + exp(-x))."},
    {"relu", Sort::Function, "", "max(x, 0)."},
    {"abs", Sort::Function, "", "The absolute value."},
    {"erf", Sort::Function, "", "The error function."},
    {"sin", Sort::Function, "", "The sine of an angle in radians."},
    {"cos", Sort::Function, "", "The cosine of an angle in radians."},
    {"pow", Sort::Function, "", "`pow(a, b)`: a to the power of b."},
    {"floor", Sort::Function, "", "The largest integer that is not larger."},
    {"ceil", Sort::Function, "", "The smallest integer that is not smaller."},
    {"div", Sort::Function, "", "Integer division, rounded down."},
    {"mod", Sort::Function, "", "The rest of `div`; never negative."},
    {"f64", Sort::Type, "", "Floating point of 64 bits."},
    {"f32", Sort::Type, "", "Floating point of 32 bits."},
    {"f16", Sort::Type, "", "Floating point of 16 bits (IEEE)."},
    {"bf16", Sort::Type, "", "Floating point of 16 bits with the exponent of f32."},
    {"f8e4m3", Sort::Type, "", "Floating point of 8 bits, 4 of them exponent (FP8)."},
    {"f8e5m2", Sort::Type, "", "Floating point of 8 bits, 5 of them exponent (FP8)."},
    {"bfp8", Sort::Type, "", "Block floating point of 8 bits."},
    {"bfp4", Sort::Type, "", "Block floating point of 4 bits."},
    {"mxfp8", Sort::Type, "", "FP8 with a scale of 8 bits for 32 values (OCP MX)."},
    {"mxfp6", Sort::Type, "", "Floating point of 6 bits with a scale for 32 values (OCP MX)."},
    {"mxfp4", Sort::Type, "", "Floating point of 4 bits with a scale for 32 values (OCP MX)."},
    {"mxint8", Sort::Type, "", "Integers of 8 bits with a scale for 32 values (OCP MX)."},
    {"i64", Sort::Type, "", "Integers of 64 bits."},
    {"i32", Sort::Type, "", "Integers of 32 bits."},
    {"i16", Sort::Type, "", "Integers of 16 bits."},
    {"i8", Sort::Type, "", "Integers of 8 bits."},
    {"i4", Sort::Type, "", "Integers of 4 bits, two in a byte."},
});

constexpr auto kDirectives = std::to_array<LanguageWord>({
    {"space", Sort::Directive, "", "`space(i->x)`: tiles of loop `i` go to mesh dimension `x`."},
    {"tile", Sort::Directive, "", "`tile(i, 64)`: the tile size of loop `i`."},
    {"order", Sort::Directive, "", "`order(j, i, k)`: loop order, outermost first."},
    {"direct", Sort::Directive, "", "`direct(A)`: every core loads `A` itself."},
    {"multicast", Sort::Directive, "", "`multicast(A, y)`: loaded once, multicast along `y`."},
    {"two_stage", Sort::Directive, "",
     "`two_stage(A, x, y)`: multicast along `x`, then along `y`."},
    {"stream", Sort::Directive, "", "`stream(B, x)`: from neighbour to neighbour along `x`."},
    {"all_gather", Sort::Directive, "", "`all_gather(A, x)`: shares of a tile go round a ring."},
    {"rotate", Sort::Directive, "", "`rotate(A, y)`: tiles travel round along `y`."},
    {"shared", Sort::Directive, "", "`shared(A, y)`: one copy for the cores along `y`."},
    {"stationary", Sort::Directive, "", "`stationary(X@2)`: tiles stay where they were made."},
    {"forwarded", Sort::Directive, "", "`forwarded(X@2)`: tiles go from core to core."},
    {"prefetch", Sort::Directive, "", "`prefetch(A)`: loaded once, before the first iteration."},
    {"hoist", Sort::Directive, "", "`hoist(A, k)`: loaded just outside loop `k`."},
    {"double", Sort::Directive, "", "`double(A)`: two buffers."},
    {"single", Sort::Directive, "", "`single(A)`: one buffer."},
    {"buffer", Sort::Directive, "", "`buffer(A, mem, k)`: through a shared buffer."},
    {"gather", Sort::Directive, "", "`gather(C, x)`: finished tiles are collected along `x`."},
    {"reduce", Sort::Directive, "", "`reduce(C, tree)`: how partial results are reduced."},
    {"layout", Sort::Directive, "", "`layout(A, page)`: page, tile, nearest or local."},
    {"unit", Sort::Directive, "", "`unit(C, vector)`: the unit that performs products."},
    {"unroll", Sort::Directive, "", "`unroll(i->x)`: T2S-Tensor's word for `space`."},
    {"forward", Sort::Directive, "", "`forward(A, x)`: T2S-Tensor's word for `stream`."},
    {"scatter", Sort::Directive, "", "`scatter(A, y)`: each core along `y` keeps its own tile."},
    {"vectorize", Sort::Directive, "", "`vectorize(k, 16)`: tiles of `k` fill the lanes."},
    {"isolate", Sort::Directive, "", "`isolate(A, loader, feeder)`: functions of their own."},
    {"map", Sort::Directive, "", "`map (i, j, k) -> (y = i, x = j)`: an iteration space."},
    {"last", Sort::Directive, "", "`C[i, j] = C(i, j, last)`: the last point along a loop."},
    {"not", Sort::Directive, "", "`not stream(A)`: excludes what a directive describes."},
});

bool isIn(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    const bool begins = at == 0 || list[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

std::span<const LanguageWord> wordsOf(LanguageKind language) {
  switch (language) {
  case LanguageKind::Hardware:
    return kHardware;
  case LanguageKind::Kernel:
    return kKernel;
  case LanguageKind::Directives:
    return kDirectives;
  }
  return {};
}

const LanguageWord* findWord(LanguageKind language, std::string_view word, std::string_view op) {
  for (const LanguageWord& entry : wordsOf(language)) {
    const bool ofOp = entry.of.empty() || op.empty() || isIn(entry.of, op);
    if (entry.word == word && ofOp) return &entry;
  }
  return nullptr;
}

std::vector<std::string_view> attributesOf(std::string_view op) {
  std::vector<std::string_view> names;
  for (const LanguageWord& entry : kHardware) {
    if (entry.sort == Sort::Attribute && isIn(entry.of, op)) names.push_back(entry.word);
  }
  return names;
}

}  // namespace gridloom::syntax

// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "option_table.h"

namespace gridloom::cli {

namespace {

constexpr auto kVerbs = std::to_array<VerbRow>({
    {Explore, "explore", "Find the best mappings of a kernel on a hardware, and rank them"},
    {Simulate, "simulate", "Simulate one mapping: the best, or the one given"},
    {Explain, "explain", "Show where the cycles go, and what twice of each resource would give"},
    {Sweep, "sweep", "Find the best mapping at every value of one or two numbers of the inputs"},
    {Interpret, "interpret", "Compute a kernel's outputs from its meaning alone, without hardware"},
    {Count, "count", "Count accesses per memory and tensor under a fixed loop nest"},
    {Compare, "compare", "Compare two result files"},
    {Export, "export", "Write a mapping or its results for other tools"},
    {Check, "check",
     "Check .hw, .rec, .mlir, .sched, .prog, .nest, .study and .json files and show every error"},
    {List, "list", "List the built-in hardware, kernels or directives"},
    {Show, "show",
     "Print a hardware or kernel and what it resolves to, a space of mappings, or a schedule"},
    {Replay, "replay", "Simulate recorded traces of a network, and hold them against the record"},
    {Import, "import", "Write the kernels of an .mlir file as recurrences"},
    {Study, "study", "Hold our results against published ones, or against your own measurements"},
    {Reproduce, "reproduce", "The same as study"},
    {Lsp, "lsp", "Serve editors over standard input and output (Language Server Protocol)"},
    {Completion, "completion", "Print the completion script of a shell, or the manual page"},
});

constexpr auto kStatuses = std::to_array<StatusRow>({
    {0, "done"},
    {1, "the answer is no (nothing feasible, a regression, a failed check)"},
    {2, "bad input or usage"},
    {3, "an internal error"},
    {4, "out of memory, disk or threads"},
    {130, "interrupted"},
    {143, "terminated"},
});

}  // namespace

std::span<const VerbRow> verbTable() { return kVerbs; }
std::span<const StatusRow> statusTable() { return kStatuses; }

}  // namespace gridloom::cli

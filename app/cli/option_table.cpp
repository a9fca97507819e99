// SPDX-License-Identifier: Apache-2.0
#include "option_table.h"

#include <algorithm>
#include <array>
#include <limits>

#include "service/workspace.h"
#include "study/study.h"

namespace gridloom::cli {

namespace {

constexpr unsigned kOnKernel = Explore | Simulate | Explain | Export;
constexpr unsigned kSearches = kOnKernel | Sweep;
constexpr unsigned kAll = kSearches | Count | Compare | Check | List | Show | Study | Reproduce |
                          Replay | Interpret | Import | Completion | Lsp;
constexpr int kMany = service::kMappingsInFull;

constexpr Effect kWithSpace{
    [](const Options& o) { return o.verb != "show" || o.space || o.showSchedule; },
    "without --space or --schedule",
    "`gridloom show NAME` shows a description, --space the mappings of a kernel on a hardware, "
    "--schedule what the cores do in one"};
constexpr Effect kWithSchedule{[](const Options& o) { return o.verb != "show" || o.showSchedule; },
                               "without --schedule",
                               "passes change a schedule: `gridloom show --schedule`"};
constexpr Effect kWithoutMapping{
    [](const Options& o) {
      const bool named = !o.mapping.empty() || (o.verb == "explain" && !o.names.empty());
      return !named && kWithSpace.possible(o);
    },
    "without a search",
    "--mapping names one mapping already, and `show` looks at many with --space"};
constexpr Effect kOnOneMapping{
    [](const Options& o) { return !o.exportsRanking(); }, "where mappings are searched and ranked",
    "--format json, and csv with --table ranked, do that; other formats and tables are of one "
    "mapping"};
constexpr Effect kWithShownSchedule{
    [](const Options& o) { return o.verb != "show" || o.showSchedule; }, "without --schedule",
    "`gridloom show --schedule` prints the schedule of a mapping"};
/// A mapping in JSON does not depend on the numeric mode, nor do its directives, loop nest and
/// schedule.
constexpr Effect kWithMode{
    [](const Options& o) {
      const bool named = o.verb == "export" && o.mapping.ends_with(".json");
      const bool timeless = o.writesMappingAlone() && o.format != "mapping";
      return kWithSpace.possible(o) && !(named && timeless);
    },
    "on this mapping in this format",
    "the file names the mapping, and its directives, loop nest and schedule are the same in every "
    "mode; `show` wants --space or --schedule"};
constexpr Effect kOnRanking{
    [](const Options& o) { return o.verb != "export" || o.exportsRanking(); },
    "where one mapping is written", "--format json, and csv with --table ranked, rank several"};
constexpr Effect kWithSearch{[](const Options& o) {
                               return o.verb == "study" || o.verb == "reproduce"
                                          ? !o.names.empty()
                                          : kOnRanking.possible(o);
                             },
                             "without a search", "name a study, or a format that ranks mappings"};
constexpr Effect kWithJson{
    [](const Options& o) { return o.verb == "export" ? o.format == "json" : !o.json.empty(); },
    "without JSON", "only the JSON of an exploration holds a time: add --json F"};
constexpr Effect kWithBaseline{
    [](const Options& o) { return o.verb != "explore" || !o.baseline.empty(); },
    "without --baseline", "name the file to compare with: --baseline F"};
constexpr Effect kOfOneMapping{
    [](const Options& o) { return o.verb != "explain" || o.names.empty(); },
    "where two mappings are compared", "it explains one mapping: leave out the two names"};
constexpr Effect kWithVerdict{[](const Options& o) {
                                return o.verb == "check" || !o.baseline.empty() ||
                                       (o.verb == "compare" && !o.tolerance.empty());
                              },
                              "where nothing can fail",
                              "`explore --baseline F` and `compare --tolerance 2%` judge"};
constexpr Effect kWithTrace{[](const Options& o) { return !o.trace.empty(); }, "without --trace",
                            "name the file to write: --trace F"};
constexpr Effect kWithCsv{[](const Options& o) { return o.format == "csv"; },
                          "without --format csv", "tables are written as csv: --format csv"};
constexpr Effect kWithStudy{[](const Options& o) { return !o.names.empty(); }, "without a study",
                            "`gridloom study` lists the studies"};
constexpr Effect kWithSamples{
    [](const Options& o) { return std::ranges::any_of(o.names, study::takesSamples); },
    "without a study of the kind `agreement` or `ranking`",
    "the other studies run their rows only"};

constexpr Effect kWithAgreement{
    [](const Options& o) { return std::ranges::any_of(o.names, study::canAblate); },
    "without a study of the kind `agreement`",
    "the other studies do not predict mappings one by one"};

constexpr Effect kWithSimulation{[](const Options& o) {
                                   const bool always = o.verb != "explore" && o.verb != "sweep";
                                   return always || o.simulate || o.rerank != 0;
                                 },
                                 "without a simulation",
                                 "it is a limit of simulations, and --rerank 0 leaves them out"};
/// A JSON file or a schedule determines the mapping; a .sched file only narrows the search.
constexpr Effect kWithBest{[](const Options& o) {
                             const bool named = o.mapping.ends_with(".json") || !o.schedule.empty();
                             return !named && (o.verb != "show" || o.showSchedule);
                           },
                           "without a search for the best mapping",
                           "a file in JSON names one mapping already, and so does --schedule F"};

constexpr Effect kWithValues{[](const Options& o) { return o.verb != "simulate" || o.values; },
                             "without --values", "values are computed where --values asks for it"};

const auto kOptions = std::to_array<OptionRow>({
    {"--hardware,-H", "H", "Hardware: the name of a preset or a .hw file",
     kSearches | Count | Show | Replay, &Options::hardware, kSearches | Count | Replay, 0, 0, "",
     kWithSpace},
    {"--kernel,-K", "K", "Kernel: the name of a preset, or a .rec or .mlir file",
     kSearches | Count | Show | Interpret, &Options::kernel, kSearches | Count | Interpret, 0, 0,
     "", kWithSpace, Explore | Simulate | Export | Sweep | Count | Interpret},
    {"--entry", "NAME", "Which kernel of a file with several (default: the first)",
     kSearches | Count | Show | Interpret, &Options::entry, 0, 0, 0, ""},
    {"--set,-s", "P=N",
     "Set a parameter of the kernel, or a number of an .mlir file, for example M=1024",
     kSearches | Count | Show | Interpret | Import, &Options::set, 0, 0, kMany, ""},
    {"--dtype", "T", "Element type of inputs and outputs, such as bf16, f8e4m3, mxfp4 or i8",
     kSearches | Count | Show | Interpret, &Options::dtype, 0, 0, 0, ""},
    {"--mode", "M", "Numeric mode, for example hifi4 (default: follows the element type)",
     kSearches | Show, &Options::mode, 0, 0, 0, "", kWithMode},
    {"--directives,-d", "F",
     "What narrows the space of mappings: a .sched file, or built-in directives such as tt_2d",
     kSearches | Show, &Options::directives, 0, 0, 0, "", kWithoutMapping},
    {"--mapping,-m", "F",
     "The mapping: a .json result, a .sched file, or a rank of `explore`, such as 3 (default: the "
     "best mapping)",
     Simulate | Explain | Export, &Options::mapping, 0, 0, 0, "", kOnOneMapping},
    {"--mapping,-m", "F",
     "With --schedule: the mapping, a .json result, a .sched file or a rank (default: the best "
     "mapping)",
     Show, &Options::mapping, 0, 0, 0, "", kWithShownSchedule},
    {"--schedule", "F", "A .prog file: simulate this schedule instead of a mapping's", Simulate,
     &Options::schedule, 0, 0, 0, ""},
    {"--schedule", "", "Print the schedule of a mapping: programs, buffers and channels", Show,
     &Options::showSchedule, 0, 0, 0, ""},
    {"--pass", "P", "Passes over the schedule: ping-pong, merge=N, split, broadcast, depths",
     Simulate | Show, &Options::pass, 0, 0, 0, "", kWithSchedule},
    {"--nest", "F", "The loop nest: a .nest file or a built-in one", Count, &Options::nest, Count,
     0, 0, ""},
    {"--top", "N", "How many mappings to list (default: 5)", Explore | Export, &Options::top, 0, 1,
     service::kLongestRanking, "", kOnRanking},
    {"--rerank,--refine", "N",
     "Simulate the model's first N and re-rank them; 0: the model alone (default: its first 10, "
     "or as many of them as a moment allows)",
     Explore | Export | Sweep, &Options::rerank, 0, 0, kMany, "", kWithBest},
    {"--rerank,--refine", "N",
     "Which mapping is the best when none is given: rank 1 of `explore --rerank N`",
     Simulate | Explain | Show, &Options::rerank, 0, 0, kMany, "", kWithBest},
    {"--simulate", "", "Simulate all mappings that are listed, however long it takes",
     Explore | Export, &Options::simulate, 0, 0, 0, "", kOnRanking},
    {"--space", "",
     "Print the axes of the space of mappings, free and under --directives, with their sizes", Show,
     &Options::space, 0, 0, 0, ""},
    {"--threads", "N", "Threads of the search (default: all cores); results do not depend on it",
     Explore | Export | Sweep | Study | Reproduce, &Options::threads, 0, 0, 1024, "", kWithSearch},
    {"--work-limit", "N",
     "Steps after which a search ends with the best so far, the same on every machine; 0: none "
     "(default: 8000000)",
     kSearches, &Options::workLimit, 0, 0, std::numeric_limits<int>::max(), "", kWithBest},
    {"--work-limit", "N", "With --schedule: the same limit of the search for the best mapping",
     Show, &Options::workLimit, 0, 0, std::numeric_limits<int>::max(), "", kWithBest},
    {"--margin", "SHARE", "With --schedule: the same margin of the search for the best mapping",
     Show, &Options::margin, 0, 0, 0, "", kWithBest},
    {"--margin", "SHARE",
     "How much faster than the ranking a mapping may be that a long search leaves out, for example "
     "0.2%; 0: the ranking is exact (default: 1%)",
     kSearches, &Options::margin, 0, 0, 0, "", kWithBest},
    {"--time-limit", "SECONDS",
     "Seconds after which a search ends with the best so far; how far it gets differs from run to "
     "run (default: none)",
     kOnKernel, &Options::timeLimit, 0, 0, 0, "", kWithBest},
    {"--time-limit", "SECONDS",
     "With --schedule: the same limit of the search for the best mapping", Show,
     &Options::timeLimit, 0, 0, 0, "", kWithBest},
    {"--time-limit", "SECONDS",
     "Seconds after which the sweep ends with the points found by then (default: none)", Sweep,
     &Options::timeLimit, 0, 0, 0, ""},
    {"--vary", "P=VALUES",
     "A number of the kernel or the hardware and its values: cols=4,8,16, cols=4..16 (five "
     "values), cols=4..16:4 (steps) or cols=4..64x2 (ratios); twice for two numbers",
     Sweep, &Options::vary, Sweep, 0, 2, ""},
    {"--chart", "F", "Draw the sweep as .svg, .png or .pdf", Sweep, &Options::chart, 0, 0, 0, ""},
    {"--values", "", "Compute the kernel's values too, and compare them with the reference",
     Simulate, &Options::values, 0, 0, 0, ""},
    {"--in", "A=F", "Values of an input: a NumPy file (.npy); other inputs get sample values",
     Simulate | Interpret, &Options::in, 0, 0, kMany, "", kWithValues},
    {"--out", "Y=F", "File (.npy) to write the values of an output to", Simulate | Interpret,
     &Options::out, 0, 0, kMany, "", kWithValues},
    {"--full", "", "Execute every event, also of what repeats; the result is the same", Simulate,
     &Options::full, 0, 0, 0, ""},
    {"--event-limit", "N", "Events after which a simulation stops (default: 2000000000)",
     Explore | Simulate | Explain | Sweep, &Options::eventLimit, 0, 1,
     std::numeric_limits<int>::max(), "", kWithSimulation},
    {"--memory-limit", "MiB", "Memory at which a simulation stops, about (default: 8192)",
     Explore | Simulate | Explain | Sweep, &Options::memoryLimit, 0, 1,
     std::numeric_limits<int>::max(), "", kWithSimulation},
    {"--json", "F", "Write the result as JSON to a file; `-` writes it to stdout instead of text",
     Explore | Simulate | Explain | Sweep | Count | Replay, &Options::json, 0, 0, 0, ""},
    {"--json", "F",
     "Write all figures as JSON to a file; `-` writes them to stdout instead of tables",
     Study | Reproduce, &Options::json, 0, 0, 0, "", kWithStudy},
    {"--no-timing", "", "Write 0 for `seconds` in JSON, so that equal runs give equal bytes",
     Explore | Export, &Options::noTiming, 0, 0, 0, "", kWithJson},
    {"--trace", "F", "Write the trace of the run for ui.perfetto.dev (1 us = 1 cycle)", Simulate,
     &Options::trace, 0, 0, 0, ""},
    {"--trace-window", "A:B", "Keep cycles A to B of the trace; either may be left out", Simulate,
     &Options::traceWindow, 0, 0, 0, "", kWithTrace},
    {"--at", "CYCLE", "Show the run at this cycle: what each core does, and the tiles in flight",
     Simulate, &Options::at, 0, 0, 0, ""},
    {"--baseline", "F", "Compare with an earlier --json file; exit 1 if cycles got worse", Explore,
     &Options::baseline, 0, 0, 0, ""},
    {"--tolerance", "T", "How much worse is still good: 2% or 0.02 (default: 0%)",
     Explore | Compare, &Options::tolerance, 0, 0, 0, "", kWithBaseline},
    {"--junit", "F", "Write what passed and what failed as JUnit XML, for continuous integration",
     Explore | Compare | Check, &Options::junit, 0, 0, 0, "", kWithVerdict},
    {"--html", "F",
     "Write a report as one HTML page: ranking, figures, and where the peak went in the best "
     "mapping",
     Explore | Explain, &Options::html, 0, 0, 0, "", kOfOneMapping},
    {"--sarif", "F", "Write the findings as SARIF, for editors and code hosts; `-`: to stdout",
     Check, &Options::sarif, 0, 0, 0, ""},
    {"--format,-f", "FMT",
     "csv, json (exploration), mapping (JSON), sched (directives), prog (schedule), loop-nest, "
     "mlir (the loop nest in MLIR), air (MLIR), cpp (a C++ program), hls (a systolic array in "
     "C++), programs (JSON), tokens (Graphviz), trace, dot",
     Export, &Options::format, Export, 0, 0,
     "csv json mapping sched prog loop-nest mlir air cpp hls programs tokens trace dot"},
    {"--table", "T",
     "Table for csv: ranked (default), peak (where it went), terms, levels, states, traffic, "
     "operands, resources, cores, changes (on changed hardware)",
     Export, &Options::table, 0, 0, 0,
     "ranked peak terms levels states traffic operands resources cores changes", kWithCsv},
    {"--output,-o", "F", "File to write (default: stdout)", Export | Import, &Options::output, 0, 0,
     0, ""},
    {"--samples", "N", "Mappings per row of the studies `agreement` and `ranking` (default: 100)",
     Study | Reproduce, &Options::samples, 0, 2, kMany, "", kWithSamples},
    {"--ablate", "",
     "Also predict without each correction of the model: what it is worth (study `agreement`)",
     Study | Reproduce, &Options::ablate, 0, 0, 0, "", kWithAgreement},
    {"--csv", "F",
     "Write all figures as CSV to a file; `-` writes them to stdout instead of tables",
     Study | Reproduce, &Options::csv, 0, 0, 0, "", kWithStudy},
    {"--csv", "F", "Write the table as CSV to a file; `-` writes it to stdout instead of text",
     Sweep | Count | Compare, &Options::csv, 0, 0, 0, ""},
    {"--no-color", "", "No colours, also on a terminal", kAll, &Options::noColor, 0, 0, 0, ""},
    {"results", "A.json B.json", "Two result files", Compare, &Options::names, Compare, 2, 2, ""},
    {"mappings", "A B",
     "A mapping, as --mapping; or two: explains why one is faster than the other", Explain,
     &Options::names, 0, 0, 2, ""},
    {"what", "hardware|kernels|directives", "Which list", List, &Options::names, List, 1, 1, ""},
    {"what", "NAME", "The name of a preset, or a .hw or .rec file", Show, &Options::names, 0, 1, 1,
     ""},
    {"studies", "S",
     "Names of studies, or files of measurements (.study, .csv); without any, studies are listed",
     Study | Reproduce, &Options::names, 0, 0, kMany, ""},
    {"--issue", "ORDER",
     "When processors issue: paced (recorded work, simulated waits; default), free (as fast as the "
     "hardware lets them), recorded (at the recorded cycles)",
     Replay, &Options::issue, 0, 0, 0, "paced free recorded"},
    {"--limit", "MiB", "Refuse traces larger than this (default: 256)", Replay, &Options::limit, 0,
     1, 4000, ""},
    {"traces", "TRACE.json", "NoC event traces", Replay, &Options::names, Replay, 1, kMany, ""},
    {"file", "F.mlir", "The file to import", Import, &Options::names, Import, 1, 1, ""},
    {"what", "bash|zsh|man", "Which script, or the manual page", Completion, &Options::names,
     Completion, 1, 1, ""},
    {"files", "F", "Files to check", Check, &Options::names, Check, 1, kMany, ""},
});

}  // namespace

std::span<const OptionRow> optionTable() { return kOptions; }

}  // namespace gridloom::cli

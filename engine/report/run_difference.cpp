// SPDX-License-Identifier: Apache-2.0
#include "report/run_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/numbers.h"

namespace gridloom::report {

namespace {

constexpr std::size_t kComparedResources = 8, kNamedTerms = 3;
/// Rounding to ticks and to single precision.
constexpr double kRelative = 1e-6;

std::vector<TermDifference> termsOf(const WaterfallRecord& a, const WaterfallRecord& b) {
  std::vector<TermDifference> terms{
      {"at_peak", "At the peak rate", a.achieved * a.cycles, b.achieved * b.cycles}};
  for (std::size_t l = 0; l < a.losses.size() && l < b.losses.size(); ++l) {
    const LossRecord &in = a.losses[l], &then = b.losses[l];
    if (in.reason.empty() && then.reason.empty()) continue;
    terms.push_back({in.key, in.name, in.cycles, then.cycles});
  }
  return terms;
}

std::string bufferText(int buffers) {
  return buffers == 1 ? "single" : buffers == 2 ? "double" : fmt::format("{} buffers", buffers);
}

std::string sharedText(const std::vector<SharedBufferRecord>& levels) {
  std::string out;
  for (const SharedBufferRecord& level : levels)
    out += fmt::format(", through {} ({})", level.memory, bufferText(level.buffers));
  return out;
}

std::string movementText(const InputRecord& input) {
  std::string out = input.kind;
  if (!input.along.empty()) out += fmt::format(" along {}", fmt::join(input.along, ", "));
  if (!input.shared.empty())
    out += fmt::format(", one copy along {}", fmt::join(input.shared, ", "));
  return fmt::format("{}, hoist level {}{}, {} layout", out, input.level,
                     sharedText(input.sharedBuffers), input.layout);
}

std::string movementText(const OutputRecord& output) {
  std::string out =
      output.gather.empty() ? "stored by each core" : "gathered along " + output.gather;
  if (output.reduction != "none") out += ", reduced by " + output.reduction;
  return out + sharedText(output.sharedBuffers) + ", " + output.layout + " layout";
}

/// Every choice of a mapping by its name, in a fixed order.
std::vector<std::pair<std::string, std::string>> choicesOf(const ComparedRun& of) {
  const MappingRecord& m = of.run.mapping;
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [dim, loop] : m.space)
    out.emplace_back("loop on " + dim, loop.empty() ? "none" : loop);
  for (const NamedSize& tile : m.tileSize)
    out.emplace_back("tile size " + tile.name, grouped(tile.size));
  out.emplace_back("loop order", fmt::format("{}", fmt::join(m.order, " ")));
  for (const InputRecord& input : m.inputs) {
    out.emplace_back("movement of " + input.tensor, movementText(input));
    out.emplace_back("buffers of " + input.tensor, bufferText(input.buffers));
  }
  for (const OutputRecord& output : m.outputs) {
    out.emplace_back("movement of " + output.tensor, movementText(output));
    out.emplace_back("buffers of " + output.tensor, bufferText(output.buffers));
  }
  for (const AllReduceRecord& reduce : m.allReduces)
    out.emplace_back("all-reduce of " + reduce.tensor, reduce.reduction);
  out.emplace_back("local memory", bytesText(static_cast<double>(of.run.predicted.localBytes)));
  return out;
}

void addChoices(RunDifference& out) {
  const auto ofB = choicesOf(out.b);
  const auto ofA = choicesOf(out.a);
  for (const auto& [name, value] : ofA) {
    const auto other = std::ranges::find(ofB, name, &std::pair<std::string, std::string>::first);
    const std::string then = other == ofB.end() ? "-" : other->second;
    if (then == value)
      ++out.sameChoices;
    else
      out.choices.push_back({name, value, then});
  }
  for (const auto& [name, value] : ofB) {
    if (std::ranges::find(ofA, name, &std::pair<std::string, std::string>::first) == ofA.end())
      out.choices.push_back({name, "-", value});
  }
}

void addBytes(RunDifference& out) {
  const hardware::Traffic &a = out.a.run.simulated.traffic, &b = out.b.run.simulated.traffic;
  const auto add = [&](const char* name, double before, double after) {
    if (before != after) out.bytes.push_back({name, before, after});
  };
  add("dram read", a.dramRead, b.dramRead);
  add("dram write", a.dramWrite, b.dramWrite);
  add("network (bytes × hops)", a.network, b.network);
  add("local write", a.localWrite, b.localWrite);
  add("local read", a.localRead, b.localRead);
}

/// Utilization of links and channels, in runs of different length.
void addResources(RunDifference& out) {
  std::map<std::string, QuantityDifference> all;
  const auto add = [&](const ComparedRun& of, double QuantityDifference::*side) {
    for (const auto* resources : {&of.run.links, &of.run.channels}) {
      for (const ResourceRecord& use : *resources) {
        QuantityDifference& entry = all[use.name];
        entry.name = use.name;
        entry.*side = use.busy / std::max(of.waterfall.cycles, 1.0);
      }
    }
  };
  add(out.a, &QuantityDifference::a);
  add(out.b, &QuantityDifference::b);
  for (auto& [name, entry] : all) {
    if (std::abs(entry.change()) > kRelative) out.resources.push_back(std::move(entry));
  }
  std::ranges::stable_sort(out.resources, std::greater<>(),
                           [](const QuantityDifference& each) { return std::abs(each.change()); });
}

std::string signedCycles(double cycles) {
  return cycles > 0 ? "+" + cyclesText(cycles) : cyclesText(cycles);
}

std::string signedBytes(double bytes) {
  return (bytes > 0 ? "+" : bytes < 0 ? "-" : "") + bytesText(std::abs(bytes));
}

Table quantityTable(const std::string& what, const std::vector<QuantityDifference>& rows,
                    std::size_t most, bool areShares) {
  Table table;
  table.columns = {{what, "name", Align::Left}, {"A", "a"}, {"B", "b"}, {"B - A", "change"}};
  for (std::size_t r = 0; r < rows.size() && r < most; ++r) {
    const QuantityDifference& row = rows[r];
    const auto text = [&](double value) {
      return areShares ? percentText(value) : bytesText(value);
    };
    const std::string change =
        areShares ? fmt::format("{:+.1f} pp", 100 * row.change()) : signedBytes(row.change());
    table.rows.push_back({textCell(row.name),
                          {text(row.a), exactText(row.a)},
                          {text(row.b), exactText(row.b)},
                          {change, exactText(row.change())}});
  }
  return table;
}

std::string headed(const std::string& title, const Table& table) {
  return table.rows.empty() ? std::string() : "\n" + title + "\n" + tableText(table);
}

}  // namespace

bool RunDifference::empty() const {
  return choices.empty() && bytes.empty() && resources.empty() &&
         std::ranges::all_of(terms, [&](const TermDifference& term) {
           return std::abs(term.change()) <= kRelative * a.waterfall.cycles;
         });
}

RunDifference differenceOf(ComparedRun a, ComparedRun b) {
  RunDifference out{std::move(a), std::move(b), {}, {}, 0, {}, {}};
  out.terms = termsOf(out.a.waterfall, out.b.waterfall);
  addChoices(out);
  addBytes(out);
  addResources(out);
  return out;
}

Table termDifferenceTable(const RunDifference& difference) {
  Table table;
  table.columns = {{"term", "term", Align::Left},
                   {"A", "a_cycles"},
                   {"B", "b_cycles"},
                   {"B - A", "change"},
                   {"of the difference", "share"}};
  const double whole = difference.cycles();
  const auto add = [&](const std::string& name, double a, double b) {
    const double share = whole != 0 ? (b - a) / whole : 0;
    table.rows.push_back({textCell(name),
                          {cyclesText(a), exactText(a)},
                          {cyclesText(b), exactText(b)},
                          {signedCycles(b - a), exactText(b - a)},
                          {whole != 0 ? percentText(share) : "-", exactText(share)}});
  };
  double a = 0, b = 0;
  for (const TermDifference& term : difference.terms) {
    add(term.name, term.a, term.b);
    a += term.a;
    b += term.b;
  }
  add("Sum: simulated cycles", a, b);
  return table;
}

Table choiceTable(const RunDifference& difference) {
  Table table;
  table.columns = {
      {"choice", "choice", Align::Left}, {"A", "a", Align::Left}, {"B", "b", Align::Left}};
  for (const ChoiceDifference& choice : difference.choices)
    table.rows.push_back({textCell(choice.name), textCell(choice.a), textCell(choice.b)});
  return table;
}

Table byteTable(const RunDifference& difference) {
  return quantityTable("bytes at", difference.bytes, difference.bytes.size(), false);
}

Table resourceTable(const RunDifference& difference, std::size_t most) {
  return quantityTable("busy", difference.resources, most, true);
}

std::string verdict(const RunDifference& difference) {
  if (difference.empty()) return "A and B are the same: nothing differs";
  const double cycles = difference.cycles();
  if (cycles == 0) return "A and B take the same time";
  std::vector<TermDifference> terms = difference.terms;
  const double sign = cycles > 0 ? 1 : -1;
  std::ranges::stable_sort(terms, std::greater<>(),
                           [&](const TermDifference& term) { return sign * term.change(); });
  std::string why;
  for (std::size_t t = 0; t < terms.size() && t < kNamedTerms; ++t) {
    if (sign * terms[t].change() < 0.01 * std::abs(cycles)) break;
    why += fmt::format("{}{} {}", why.empty() ? "" : ", ", terms[t].name,
                       signedCycles(terms[t].change()));
  }
  const auto shareText = [](double share) {
    return share < 0.0005 ? std::string("less than 0.1%") : percentText(share);
  };
  const double faster = cycles > 0 ? difference.a.waterfall.cycles : difference.b.waterfall.cycles;
  return fmt::format("{} beats {} by {} cycles, {} of its own; B - A: {}", cycles > 0 ? "A" : "B",
                     cycles > 0 ? "B" : "A", cyclesText(std::abs(cycles)),
                     shareText(std::abs(cycles) / faster), why);
}

std::string differenceText(const RunDifference& difference) {
  std::vector<Fact> facts{{"A", difference.a.title + "\n" + difference.a.run.mapping.line},
                          {"B", difference.b.title + "\n" + difference.b.run.mapping.line},
                          {"verdict", verdict(difference)}};
  std::string out = factsText(facts);
  if (difference.empty()) return out;
  out += headed("Simulated cycles of a core, on average, by term", termDifferenceTable(difference));
  out += headed(fmt::format("Choices that differ; {} are the same", difference.sameChoices),
                choiceTable(difference));
  out += headed("Bytes moved, simulated", byteTable(difference));
  return out + headed(fmt::format("Most changed of {} links and channels: busy share of the run",
                                  difference.resources.size()),
                      resourceTable(difference, kComparedResources));
}

}  // namespace gridloom::report

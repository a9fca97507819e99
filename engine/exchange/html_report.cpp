// SPDX-License-Identifier: Apache-2.0
#include "exchange/html_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/svg_figures.h"
#include "exchange/xml_text.h"
#include "report/exploration_text.h"
#include "report/numbers.h"
#include "report/peak_waterfall.h"
#include "report/table.h"

namespace gridloom::exchange {

namespace {

// Colours are those of the studio: one per concept.
constexpr const char* kStyle = R"(<style>
:root { color-scheme: light dark; --ink: #161C26; --ink2: #465061; --line: #DDE2E9; --canvas: #FFF;
  --compute: #17808F; --unit: #6FB1BA; --dram: #B0316F; --store: #D988B2; --link: #B58410;
  --sync: #6B7A90; --idle: #C9D0D9; --peak: #DDE2E9; --predicted: #A6D0D5; }
@media (prefers-color-scheme: dark) { :root { --ink: #E8ECF2; --ink2: #B4BECC; --line: #2A323E;
  --canvas: #11151C; --compute: #3FB2BF; --unit: #2C7F8A; --dram: #E5679F; --store: #A3507A;
  --link: #E3B23C; --sync: #93A1B5; --idle: #3A4454; --peak: #2A323E; --predicted: #1F5B64; } }
body { font: 14px/1.5 Inter, "DejaVu Sans", sans-serif; color: var(--ink);
  background: var(--canvas); max-width: 980px; margin: 32px auto; padding: 0 24px;
  font-variant-numeric: tabular-nums; }
h1 { font-size: 22px; } h2 { font-size: 16px; margin-top: 32px; }
p, figcaption { color: var(--ink2); } .lines, figcaption { white-space: pre-line; }
figure { margin: 12px 0; }
code, pre { font: 12px/1.6 "DejaVu Sans Mono", monospace; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: 12px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th.left, td.left { text-align: left; white-space: pre-line; }
svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--ink); }
svg text.on { font-size: 11px; fill: #FFF; }
svg .compute { fill: var(--compute); } svg .unit { fill: var(--unit); }
svg .dram { fill: var(--dram); }
svg .store { fill: var(--store); } svg .link { fill: var(--link); } svg .sync { fill: var(--sync); }
svg .idle { fill: var(--idle); } svg .peak { fill: var(--peak); }
svg .predicted { fill: var(--predicted); }
</style>
)";

std::string tableHtml(const report::Table& table) {
  const auto classOf = [&](std::size_t column) {
    return table.columns[column].align == report::Align::Left ? " class=\"left\"" : "";
  };
  std::string text = "<div class=\"scroll\"><table>\n<tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    text += fmt::format("<th{}>{}</th>", classOf(c), escapedXml(table.columns[c].title));
  }
  text += "</tr>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += fmt::format("<td{}>{}</td>", classOf(c), escapedXml(row[c].shown));
    }
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string factsHtml(const std::vector<report::Fact>& facts) {
  report::Table table;
  table.columns = {{"", "", report::Align::Left}, {"", "", report::Align::Left}};
  for (const report::Fact& fact : facts) {
    table.rows.push_back({report::textCell(fact.name), report::textCell(fact.text)});
  }
  return tableHtml(table);
}

std::string figureHtml(const std::string& svg, std::string_view caption) {
  if (svg.empty()) return {};
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", svg, caption);
}

std::string noMappingHtml(const report::ExplorationRecord& ranking) {
  std::string lines = report::noMappingText(ranking);
  lines.pop_back();
  return fmt::format("<p class=\"lines\">{}</p>\n", escapedXml(lines));
}

std::string rankingHtml(const report::ExplorationRecord& ranking) {
  std::string text = "<h2>Mappings</h2>\n";
  text += fmt::format("<p class=\"lines\">{}</p>\n", escapedXml(report::spaceText(ranking.space)));
  if (ranking.top.empty()) return text + noMappingHtml(ranking);
  text += tableHtml(report::rankedTable(ranking));
  return text + figureHtml(rankingFigure(ranking),
                           "Cycles by rank: predicted (pale) above simulated; the number is what "
                           "was simulated, else predicted.");
}

report::Table resourcesTable(const report::SimulationRecord& run) {
  constexpr std::size_t kMost = 8;
  std::vector<report::ResourceRecord> all = run.links;
  all.insert(all.end(), run.channels.begin(), run.channels.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.busy > b.busy; });
  if (all.size() > kMost) all.resize(kMost);
  report::Table table;
  table.columns = {
      {"link or channel", "name", report::Align::Left}, {"in use", "busy"}, {"bytes", "bytes"}};
  for (const report::ResourceRecord& resource : all) {
    table.rows.push_back(
        {report::textCell(resource.name),
         report::textCell(report::percentText(resource.busy / run.simulated.cycles)),
         report::textCell(report::bytesText(resource.bytes))});
  }
  return table;
}

report::Table twiceTable(const report::ExplanationRecord& best) {
  report::Table table;
  table.columns = {{"twice the", "resource", report::Align::Left},
                   {"predicted", "predicted"},
                   {"simulated", "simulated"}};
  for (const report::WhatIfRecord& row : best.twice) {
    table.rows.push_back(
        {report::textCell(row.resource), report::textCell(report::cyclesText(row.predictedCycles)),
         report::textCell(row.simulatedCycles ? report::cyclesText(*row.simulatedCycles) : "-")});
  }
  return table;
}

std::string bestHtml(const HtmlReport& report) {
  const report::ExplanationRecord& best = *report.best;
  const report::SimulatedRecord& simulated = best.run.simulated;
  std::string text = "<h2>Where the peak went</h2>\n";
  text += fmt::format("<p><code>{}</code></p>\n", escapedXml(best.run.mapping.line));
  text += fmt::format("<p>{} cycles simulated, {} predicted; {} of the peak; bottleneck: {}.</p>\n",
                      report::cyclesText(simulated.cycles),
                      report::cyclesText(best.run.predicted.cycles),
                      report::percentText(simulated.utilization), escapedXml(simulated.bottleneck));
  text += figureHtml(waterfallFigure(best.waterfall),
                     escapedXml(report::waterfallNote(best.waterfall)));
  text += tableHtml(report::waterfallTable(best.waterfall));
  text += "<h2>Cores</h2>\n" +
          figureHtml(meshFigure(best.run), "The share of its time that each core computes.");
  text += "<h2>Busiest links and channels</h2>\n" + tableHtml(resourcesTable(best.run));
  text += "<h2>What more of a resource would give</h2>\n" + tableHtml(twiceTable(best));
  text += fmt::format("<h2>Loop nest</h2>\n<pre>{}</pre>\n", escapedXml(report.loopNest));
  std::string directives;
  for (const std::string& line : best.run.mapping.directives) directives += line + "\n";
  return text + fmt::format("<h2>Directives that pin this mapping</h2>\n<pre>{}</pre>\n",
                            escapedXml(directives));
}

}  // namespace

std::string htmlText(const HtmlReport& report) {
  const report::HardwareRecord& hardware =
      report.ranking ? report.ranking->hardware : report.best->run.hardware;
  const report::KernelRecord& kernel =
      report.ranking ? report.ranking->kernel : report.best->run.kernel;
  const std::string& mode = report.ranking ? report.ranking->mode : report.best->run.mode;
  const auto& roofline = report.ranking ? report.ranking->roofline : report.best->run.roofline;
  const std::string title = escapedXml(kernel.name + " on " + hardware.name);
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n";
  text += fmt::format("<title>{}</title>\n{}</head>\n<body>\n<h1>{}</h1>\n", title, kStyle, title);
  text += factsHtml(report::headFacts(hardware, kernel, mode, roofline));
  if (!report.comparison.empty()) {
    text += fmt::format("<h2>Against the baseline</h2>\n<pre>{}</pre>\n",
                        escapedXml(report.comparison));
  }
  if (report.ranking) text += rankingHtml(*report.ranking);
  if (report.best) text += bestHtml(report);
  text += fmt::format("<p>Made by <code>{}</code>, gridloom {}.</p>\n</body>\n</html>\n",
                      escapedXml(report.asked), escapedXml(report.version));
  return text;
}

}  // namespace gridloom::exchange

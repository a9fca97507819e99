// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/breakdown_chart.h"

#include <QStringList>

#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

std::vector<Breakdown> breakdownsOf(const QString& name, const cost::Estimate& estimate,
                                    const simulate::Simulation* simulated) {
  std::vector<Breakdown> bars;
  Breakdown predicted{name + QStringLiteral(" predicted"), {}};
  for (const cost::Term& term : estimate.terms)
    predicted.parts.push_back({text(term.name), term.cycles});
  bars.push_back(std::move(predicted));
  if (!simulated) return bars;
  Breakdown states{name + QStringLiteral(" simulated"), {}};
  for (std::size_t i = 0; i < simulate::kStates; ++i) {
    states.parts.push_back(
        {text(simulate::nameOf(static_cast<simulate::State>(i))), simulated->states[i]});
  }
  bars.push_back(std::move(states));
  return bars;
}

BarChart breakdownChart(const std::vector<Breakdown>& bars, const ChartHead& head,
                        const Tokens& tokens) {
  BarChart chart{head, {}, {}, QStringLiteral("Cycles of a core, on average")};
  QStringList known;
  for (const Breakdown& each : bars) {
    double sum = 0;
    BarChart::Bar bar{each.title, {}, {}};
    for (const Breakdown::Part& part : each.parts) {
      sum += part.cycles;
      if (part.cycles <= 0) continue;
      const QColor colour = causeColour(tokens, part.cause);
      bar.parts.push_back({colour, part.cycles});
      if (known.contains(part.cause)) continue;
      known << part.cause;
      chart.keys.push_back({colour, causeTitle(part.cause)});
    }
    bar.total = cyclesText(sum);
    chart.bars.push_back(std::move(bar));
  }
  return chart;
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: Apache-2.0
#include "service/reproduce_text.h"

#include <fmt/format.h>

namespace gridloom::service {

base::Result<double> tlFigure(const std::string& id) {
  constexpr std::array<FigureColumn, 2> columns{{{"id", false}, {"value"}}};
  auto file = FigureFile::openReference("tl_claims", columns);
  if (!file) return file.takeDiagnostics();
  for (std::size_t row = 0; row < file->rows(); ++row) {
    if (file->text(row, "id") == id) return file->number(row, "value");
  }
  return base::plainError("tl_claims has no figure `" + id + "`");
}

report::ReproducedFigure figure(std::string subject, std::string quantity,
                                std::optional<double> published, const Pair& ours) {
  return {std::move(subject), std::move(quantity), published, ours.predicted, ours.simulated, ""};
}

std::string pairsText(const std::vector<Pair>& pairs) {
  std::string predicted, simulated;
  for (const Pair& pair : pairs) {
    predicted += fmt::format("{}{:.2f}", predicted.empty() ? "" : ", ", pair.predicted);
    simulated += fmt::format("{}{:.2f}", simulated.empty() ? "" : ", ", pair.simulated);
  }
  return predicted + " predicted; " + simulated + " simulated";
}

std::string pairText(const Pair& pair) {
  return fmt::format("{:.2f} predicted, {:.2f} simulated", pair.predicted, pair.simulated);
}

}  // namespace gridloom::service

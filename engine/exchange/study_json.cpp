// SPDX-License-Identifier: Apache-2.0
#include "exchange/study_json.h"

#include <nlohmann/json.hpp>

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json answer(const std::optional<report::Answer>& value) {
  if (!value) return nullptr;
  return *value == report::Answer::Yes ? "yes" : *value == report::Answer::No ? "no" : "tie";
}

Json toJson(const report::ReproducedFigure& figure) {
  return {{"case", figure.subject},
          {"quantity", figure.quantity},
          {"published", number(figure.published)},
          {"predicted", number(figure.predicted)},
          {"simulated", number(figure.simulated)},
          {"detail", figure.detail}};
}

Json toJson(const report::QuantitySummary& summary) {
  return {{"quantity", summary.quantity},
          {"figures", summary.figures},
          {"predicted_to_published", number(summary.predictedToPublished)},
          {"simulated_to_published", number(summary.simulatedToPublished)},
          {"predicted_error", number(summary.predictedError)},
          {"simulated_error", number(summary.simulatedError)},
          {"model_error", number(summary.modelError)},
          {"predicted_kendall_tau", number(summary.predictedRanks)},
          {"simulated_kendall_tau", number(summary.simulatedRanks)}};
}

Json toJson(const report::Claim& claim) {
  return {{"id", claim.id},
          {"claim", claim.statement},
          {"margin", claim.margin},
          {"predicted", answer(claim.predicted)},
          {"simulated", answer(claim.simulated)},
          {"evidence", claim.evidence}};
}

Json toJson(const report::PartError& part) {
  return {{"mappings", part.mappings}, {"error", part.error}};
}

template <class List> Json listOf(const List& list);

Json toJson(const report::Ablation& ablation) {
  return {{"without", ablation.term}, {"error", ablation.error}, {"kendall_tau", ablation.tau}};
}

Json toJson(const report::Agreement& agreement) {
  return {{"case", agreement.subject},
          {"mappings", agreement.mappings},
          {"error", agreement.error},
          {"bias", agreement.bias},
          {"kendall_tau", agreement.tau},
          {"compute_bound", toJson(agreement.computeBound)},
          {"movement_bound", toJson(agreement.movementBound)},
          {"ablations", listOf(agreement.ablations)}};
}

template <class List> Json listOf(const List& list) {
  Json out = Json::array();
  for (const auto& item : list) out.push_back(toJson(item));
  return out;
}

}  // namespace

std::string studyJson(std::span<const report::Reproduction> tables) {
  Json list = Json::array();
  for (const report::Reproduction& table : tables) {
    list.push_back({{"study", table.study},
                    {"title", table.title},
                    {"source", table.source},
                    {"notes", table.remarks},
                    {"figures", listOf(table.figures)},
                    {"means", listOf(report::summarize(table.figures))},
                    {"agreements", listOf(table.agreements)},
                    {"claims", listOf(table.claims)}});
  }
  const Json out = {{"schema", "gridloom.study/1"}, {"tables", std::move(list)}};
  return out.dump(2) + "\n";
}

}  // namespace gridloom::exchange

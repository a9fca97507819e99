// SPDX-License-Identifier: Apache-2.0
//
// The JSON of explorations (exchange/json_text.h).
#include <nlohmann/json.hpp>

#include "exchange/json_text.h"
#include "exchange/record_json.h"

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;
using exchange::toJson;

Json toJson(const search::SpaceCount& space) {
  Json rejected = Json::object();
  Json nearest = Json::array();
  for (const search::Rejection& rejection : space.rejected) {
    rejected[rejection.reason] = rejection.count;
    nearest.push_back({{"reason", rejection.reason},
                       {"needed", rejection.needed},
                       {"available", rejection.available},
                       {"unit", rejection.unit},
                       {"example", rejection.example}});
  }
  Json out = {{"size", space.size},
              {"feasible", space.feasible},
              {"infeasible", std::move(rejected)},
              {"evaluated", space.evaluated},
              {"pruned", space.pruned},
              {"work", space.work},
              {"exact", space.exact},
              {"nearest_infeasible", std::move(nearest)}};
  if (space.margin > 0) out["margin"] = space.margin;
  if (!space.whole.empty()) out["whole"] = space.whole;
  if (space.stopped != search::Stop::None)
    out["stopped"] = std::string(search::nameOf(space.stopped));
  if (space.formChoice != search::Stop::None)
    out["form_choice_stopped"] = std::string(search::nameOf(space.formChoice));
  return out;
}

Json toJson(const report::RerankedRecord& reranked) {
  Json out = {{"wanted", reranked.wanted},
              {"simulated", reranked.simulated},
              {"too_long", reranked.tooLong}};
  if (reranked.firstCycles > 0) out["first_cycles"] = reranked.firstCycles;
  return out;
}

Json toJson(const report::RankedRecord& ranked) {
  Json entry = {{"rank", ranked.rank},
                {"predicted_rank", ranked.predictedRank ? Json(*ranked.predictedRank) : Json()},
                {"mapping", toJson(ranked.mapping)},
                {"predicted", toJson(ranked.predicted)}};
  if (ranked.twins > 0) entry["twins"] = ranked.twins;
  if (ranked.simulated) entry["simulated"] = toJson(*ranked.simulated);
  return entry;
}

Json toJson(const report::ListedRecord& listed) {
  Json entry = {{"rank", listed.rank},
                {"predicted_rank", listed.predictedRank},
                {"mapping", listed.line},
                {"predicted",
                 {{"cycles", listed.cycles},
                  {"tflops", listed.tflops},
                  {"utilization", listed.utilization},
                  {"bottleneck", listed.bottleneck},
                  {"local_bytes", listed.localBytes}}}};
  if (listed.twins > 0) entry["twins"] = listed.twins;
  return entry;
}

Json toJson(const report::ApartRecord& apart) {
  Json parts = Json::array();
  for (const report::ApartRecord::Part& part : apart.parts) {
    parts.push_back({{"kernel", toJson(part.kernel)}, {"best", toJson(part.best)}});
  }
  return {{"cycles", apart.cycles}, {"simulated", apart.simulated}, {"parts", std::move(parts)}};
}

/// Fills the empty list `name` of the text of a whole, mapping by mapping, so that it can be
/// cancelled between any two. False once it is.
template <class Record>
bool fill(std::string& whole, std::string_view name, const std::vector<Record>& records,
          base::Progress& progress) {
  if (records.empty()) return true;
  std::string text;
  for (const Record& record : records) {
    if (progress.cancelled()) return false;
    text += text.empty() ? "\n    " : ",\n    ";
    for (const char c : dumped(toJson(record))) {
      text += c;
      if (c == '\n') text += "    ";
    }
    progress.add(1);
  }
  // Only members of the whole have two spaces before them.
  const std::string place = "\n  \"" + std::string(name) + "\": [";
  whole.insert(whole.find(place) + place.size(), text + "\n  ");
  return true;
}

}  // namespace

std::optional<std::string> explorationJson(const report::ExplorationRecord& exploration,
                                           base::Progress& progress) {
  Json out = {{"schema", "gridloom.exploration/2"},
              {"hardware", toJson(exploration.hardware)},
              {"kernel", toJson(exploration.kernel)},
              {"mode", exploration.mode},
              {"roofline", toJson(exploration.roofline)},
              {"space", toJson(exploration.space)},
              {"seconds", exploration.seconds},
              {"reranked", toJson(exploration.reranked)},
              {"top", Json::array()}};
  if (!exploration.more.empty()) out["more"] = Json::array();
  if (exploration.apart) out["apart"] = toJson(*exploration.apart);
  if (!exploration.whyNone.empty()) out["why_none"] = exploration.whyNone;
  if (exploration.interrupted) out["interrupted"] = true;
  std::string text = textOf(out);
  if (!fill(text, "top", exploration.top, progress)) return std::nullopt;
  if (!fill(text, "more", exploration.more, progress)) return std::nullopt;
  return text;
}

std::string explorationJson(const report::ExplorationRecord& exploration) {
  base::Progress unasked;
  return *explorationJson(exploration, unasked);
}

}  // namespace gridloom::exchange

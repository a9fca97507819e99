// SPDX-License-Identifier: Apache-2.0
#include "exchange/json_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "exchange/record_json.h"

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;
using exchange::toJson;

Json toJson(const cost::Traffic& traffic) {
  return {{"dram_read", traffic.dramRead},
          {"dram_write", traffic.dramWrite},
          {"network", traffic.network},
          {"local_write", traffic.localWrite},
          {"local_read", traffic.localRead}};
}

Json toJson(const cost::LevelTime& level) {
  return {{"loop", level.loop},     {"iterations", level.iterations}, {"inside", level.inside},
          {"cycles", level.cycles}, {"bottleneck", level.bottleneck}, {"busiest", level.busiest},
          {"busy", level.busy}};
}

Json toJson(const cost::Estimate& predicted) {
  Json levels = Json::array();
  for (const cost::LevelTime& level : predicted.levels) levels.push_back(toJson(level));
  return {{"cycles", predicted.cycles},
          {"seconds", predicted.seconds},
          {"tflops", predicted.tflops},
          {"utilization", predicted.utilization},
          {"bottleneck", predicted.bottleneck},
          {"terms", objectOf(predicted.terms)},
          {"bytes", toJson(predicted.traffic)},
          {"busy", objectOf(predicted.busy)},
          {"local_bytes", predicted.localBytes},
          {"local_capacity", predicted.localCapacity},
          {"active_cores", predicted.activeCores},
          {"levels", std::move(levels)}};
}

Json toJson(const report::SimulatedRecord& simulated) {
  return {{"cycles", simulated.cycles},         {"seconds", simulated.seconds},
          {"tflops", simulated.tflops},         {"utilization", simulated.utilization},
          {"bottleneck", simulated.bottleneck}, {"states", objectOf(simulated.states)},
          {"bytes", toJson(simulated.traffic)}, {"events", simulated.events}};
}

Json toJson(const cost::Roofline& roofline) {
  return {{"cycles", roofline.cycles},
          {"compute_cycles", roofline.computeCycles},
          {"memory_cycles", roofline.memoryCycles}};
}

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

/// On a wafer, the list of cores would take gigabytes of text.
constexpr std::size_t kMostCores = 1 << 16;

Json toJson(const std::vector<report::ResourceRecord>& resources) {
  Json out = Json::array();
  for (const report::ResourceRecord& use : resources) {
    out.push_back({{"name", use.name}, {"busy", use.busy}, {"bytes", use.bytes}});
  }
  return out;
}

Json coresJson(const report::SimulationRecord& run) {
  Json out = Json::array();
  if (run.cores.size() > kMostCores) return out;
  for (const report::CoreRecord& core : run.cores) {
    Json states = Json::object();
    for (std::size_t s = 0; s < core.states.size(); ++s) {
      states[run.simulated.states[s].name] = core.states[s];
    }
    out.push_back({{"at", core.coordinates}, {"states", std::move(states)}});
  }
  return out;
}

/// Three digits: a share is no more precise than its bin.
Json sharesJson(const std::vector<report::UseRecord>& uses) {
  Json out = Json::array();
  for (const report::UseRecord& use : uses) {
    Json shares = Json::array();
    for (const float share : use.shares) {
      shares.push_back(std::round(static_cast<double>(share) * 1000) / 1000);
    }
    out.push_back({{"name", use.name}, {"use", std::move(shares)}});
  }
  return out;
}

/// Traffic per operand: inputs, outputs, then all-reduces.
Json operandsJson(const report::SimulationRecord& run) {
  std::vector<std::string> names;
  for (const report::InputRecord& input : run.mapping.inputs) names.push_back(input.tensor);
  for (const report::OutputRecord& output : run.mapping.outputs) names.push_back(output.tensor);
  for (const report::AllReduceRecord& reduce : run.mapping.allReduces)
    names.push_back(reduce.tensor);
  Json out = Json::array();
  for (std::size_t i = 0; i < names.size() && i < run.predicted.operands.size(); ++i) {
    out.push_back({{"tensor", names[i]}, {"bytes", toJson(run.predicted.operands[i])}});
  }
  return out;
}

Json toJson(const report::OverTimeRecord& overTime) {
  return {{"bin_cycles", overTime.binCycles},
          {"links", sharesJson(overTime.links)},
          {"channels", sharesJson(overTime.channels)},
          {"cores", sharesJson(overTime.cores)}};
}

Json toJson(const report::ScheduleRecord& schedule) {
  Json buffers = Json::array();
  for (const report::BufferRecord& buffer : schedule.buffers) {
    buffers.push_back({{"name", buffer.name},
                       {"use", buffer.use},
                       {"slots", buffer.slots},
                       {"bytes", buffer.bytes}});
  }
  return {{"local_bytes", schedule.localBytes}, {"buffers", std::move(buffers)}};
}

Json runJson(const report::SimulationRecord& run, const char* schema) {
  Json out = {{"schema", schema},
              {"hardware", toJson(run.hardware)},
              {"kernel", toJson(run.kernel)},
              {"mode", run.mode},
              {"roofline", toJson(run.roofline)},
              {"mapping", toJson(run.mapping)},
              {"predicted", toJson(run.predicted)},
              {"predicted_operands", operandsJson(run)},
              {"simulated", toJson(run.simulated)},
              {"links", toJson(run.links)},
              {"channels", toJson(run.channels)},
              {"cores", coresJson(run)},
              {"over_time", toJson(run.overTime)}};
  if (run.schedule) out["schedule"] = toJson(*run.schedule);
  if (run.valueError) out["value_error"] = *run.valueError;
  return out;
}

/// File names may not be UTF-8; invalid bytes are replaced so that the result can still be written.
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string textOf(const Json& json) { return dumped(json) + "\n"; }

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

std::string simulationJson(const report::SimulationRecord& run) {
  return textOf(runJson(run, "gridloom.simulation/2"));
}

namespace {

Json toJson(const report::LossRecord& loss) {
  Json causes = Json::array();
  for (const report::CauseRecord& cause : loss.causes) {
    causes.push_back({{"kind", cause.kind}, {"name", cause.name}, {"cycles", cause.cycles}});
  }
  return {{"key", loss.key},       {"name", loss.name},   {"reason", loss.reason},
          {"cycles", loss.cycles}, {"share", loss.share}, {"causes", std::move(causes)}};
}

Json toJson(const report::WaterfallRecord& waterfall) {
  Json losses = Json::array();
  for (const report::LossRecord& loss : waterfall.losses) losses.push_back(toJson(loss));
  return {{"cycles", waterfall.cycles},
          {"cores", waterfall.cores},
          {"peak_flops_per_cycle", waterfall.peakFlops},
          {"achieved", waterfall.achieved},
          {"losses", std::move(losses)}};
}

}  // namespace

std::string explanationJson(const report::ExplanationRecord& explanation) {
  Json out = runJson(explanation.run, "gridloom.explanation/2");
  out["waterfall"] = toJson(explanation.waterfall);
  Json twice = Json::array();
  for (const report::WhatIfRecord& w : explanation.twice) {
    Json entry = {{"resource", w.resource}, {"predicted_cycles", w.predictedCycles}};
    entry["simulated_cycles"] = w.simulatedCycles ? Json(*w.simulatedCycles) : Json(nullptr);
    twice.push_back(std::move(entry));
  }
  out["twice"] = std::move(twice);
  Json roles = Json::array();
  for (const report::RoleRecord& r : explanation.roles)
    roles.push_back({{"role", r.role}, {"tensor", r.operand}, {"cores", r.cores}});
  out["roles"] = std::move(roles);
  if (explanation.interrupted) out["interrupted"] = true;
  return textOf(out);
}

namespace {

Json sideJson(const report::ComparedRun& side) {
  return {{"title", side.title},
          {"hardware", toJson(side.run.hardware)},
          {"mode", side.run.mode},
          {"mapping", toJson(side.run.mapping)},
          {"predicted", toJson(side.run.predicted)},
          {"simulated", toJson(side.run.simulated)},
          {"waterfall", toJson(side.waterfall)}};
}

Json toJson(const std::vector<report::QuantityDifference>& quantities) {
  Json out = Json::array();
  for (const report::QuantityDifference& each : quantities)
    out.push_back({{"name", each.name}, {"a", each.a}, {"b", each.b}});
  return out;
}

}  // namespace

std::string differenceJson(const report::RunDifference& difference) {
  Json terms = Json::array(), choices = Json::array();
  for (const report::TermDifference& term : difference.terms)
    terms.push_back({{"key", term.key}, {"name", term.name}, {"a", term.a}, {"b", term.b}});
  for (const report::ChoiceDifference& choice : difference.choices)
    choices.push_back({{"name", choice.name}, {"a", choice.a}, {"b", choice.b}});
  return textOf({{"schema", "gridloom.difference/1"},
                 {"kernel", toJson(difference.a.run.kernel)},
                 {"a", sideJson(difference.a)},
                 {"b", sideJson(difference.b)},
                 {"terms", std::move(terms)},
                 {"choices", std::move(choices)},
                 {"same_choices", difference.sameChoices},
                 {"bytes", toJson(difference.bytes)},
                 {"utilization", toJson(difference.resources)}});
}

std::string mappingJson(const report::HardwareRecord& hardware, const report::KernelRecord& kernel,
                        const report::MappingRecord& mapping) {
  return textOf({{"schema", "gridloom.mapping/2"},
                 {"hardware", toJson(hardware)},
                 {"kernel", toJson(kernel)},
                 {"mapping", toJson(mapping)}});
}

}  // namespace gridloom::exchange

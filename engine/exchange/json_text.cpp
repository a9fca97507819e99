// SPDX-License-Identifier: Apache-2.0
#include "exchange/json_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "exchange/record_json.h"

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;
using exchange::toJson;

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

}  // namespace

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

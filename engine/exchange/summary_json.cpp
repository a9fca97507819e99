// SPDX-License-Identifier: Apache-2.0
#include "exchange/summary_json.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "exchange/json_document.h"

namespace gridloom::exchange {

namespace {

/// Results of one run. The members read here are the same in both versions.
constexpr std::array<std::string_view, 4> kRuns{"gridloom.simulation/2", "gridloom.explanation/2",
                                                "gridloom.simulation/1", "gridloom.explanation/1"};

report::RankedRecord readRanked(const JsonNode& node);

hardware::Traffic readTraffic(const JsonNode& node) {
  return {node.member("dram_read").number(), node.member("dram_write").number(),
          node.member("network").number(), node.member("local_write").number(),
          node.member("local_read").number()};
}

cost::Estimate readPredicted(const JsonNode& node) {
  cost::Estimate out;
  out.cycles = node.member("cycles").number();
  out.utilization = node.member("utilization").number();
  const JsonNode terms = node.member("terms");
  for (const std::string& name : terms.names()) {
    out.terms.push_back({name, terms.member(name).number()});
  }
  out.traffic = readTraffic(node.member("bytes"));
  if (node.has("local_bytes")) out.localBytes = node.member("local_bytes").integer();
  return out;
}

report::SimulatedRecord readSimulated(const JsonNode& node) {
  report::SimulatedRecord out;
  out.cycles = node.member("cycles").number();
  out.utilization = node.member("utilization").number();
  const JsonNode states = node.member("states");
  for (const std::string& name : states.names()) {
    out.states.push_back({name, states.member(name).number()});
  }
  out.traffic = readTraffic(node.member("bytes"));
  return out;
}

report::RankedRecord readRanked(const JsonNode& node) {
  report::RankedRecord out;
  out.mapping.line = node.member("mapping").member("line").text();
  out.predicted = readPredicted(node.member("predicted"));
  if (node.has("simulated")) out.simulated = readSimulated(node.member("simulated"));
  return out;
}

std::vector<report::NamedSize> readSizes(const JsonNode& node) {
  std::vector<report::NamedSize> out;
  for (const std::string& name : node.names()) out.push_back({name, node.member(name).integer()});
  return out;
}

report::HardwareRecord readHardware(const JsonNode& node) {
  report::HardwareRecord out;
  out.name = node.member("name").text();
  out.label = node.member("label").text();
  for (const JsonNode& dim : node.member("dims").elements()) {
    out.dims.push_back({dim.member("name").text(), dim.member("size").integer()});
  }
  out.cores = node.member("cores").integer();
  out.clock = node.member("clock_hz").number();
  out.peakFlops = node.member("peak_flops_per_cycle").number();
  out.localBytes = node.member("local_bytes_per_core").integer();
  out.channels = node.member("dram_channels").integer();
  out.readBandwidth = node.member("dram_read_bytes_per_cycle").number();
  out.writeBandwidth = node.member("dram_write_bytes_per_cycle").number();
  if (node.has("dram_duplex")) out.duplex = node.member("dram_duplex").truth();
  return out;
}

report::KernelRecord readKernel(const JsonNode& node) {
  report::KernelRecord out;
  out.name = node.member("name").text();
  out.parameters = readSizes(node.member("parameters"));
  for (const JsonNode& tensor : node.member("tensors").elements()) {
    report::TensorRecord& record = out.tensors.emplace_back();
    record.name = tensor.member("name").text();
    record.dtype = tensor.member("dtype").text();
    record.role = tensor.member("role").text();
    for (const JsonNode& size : tensor.member("shape").elements()) {
      record.shape.push_back(size.integer());
    }
  }
  out.flops = node.member("flops").number();
  return out;
}

report::Summary readExploration(const JsonNode& root, const std::string& title) {
  report::ExplorationRecord record;
  record.hardware = readHardware(root.member("hardware"));
  record.kernel = readKernel(root.member("kernel"));
  record.mode = root.member("mode").text();
  record.interrupted = root.has("interrupted");
  const JsonNode space = root.member("space");
  record.space.size = space.member("size").integer();
  record.space.feasible = space.member("feasible").integer();
  const std::vector<JsonNode> top = root.member("top").elements();
  if (!top.empty()) record.top.push_back(readRanked(top.front()));
  if (root.has("why_none")) {
    for (const JsonNode& line : root.member("why_none").elements())
      record.whyNone.push_back(line.text());
  }
  return summaryOf(record, title);
}

report::Summary readRun(const JsonNode& root, const std::string& title) {
  report::SimulationRecord record;
  record.hardware = readHardware(root.member("hardware"));
  record.kernel = readKernel(root.member("kernel"));
  record.mode = root.member("mode").text();
  const report::RankedRecord ranked = readRanked(root);
  record.mapping = ranked.mapping;
  record.predicted = ranked.predicted;
  record.simulated = ranked.simulated.value_or(report::SimulatedRecord{});
  return summaryOf(record, title);
}

/// Reads the output of `gridloom count`, for its errors.
void checkAccesses(const JsonNode& root) {
  root.member("hardware").text();
  root.member("kernel").text();
  readSizes(root.member("loops"));
  for (const char* count : {"computes", "units", "steps"}) root.member(count).number();
  for (const JsonNode& level : root.member("levels").elements()) {
    level.member("memory").text();
    level.member("instances").number();
    const JsonNode tensors = level.member("tensors");
    for (const std::string& name : tensors.names()) {
      const JsonNode tensor = tensors.member(name);
      for (const std::string& count : tensor.names()) tensor.member(count).number();
    }
  }
}

/// The same for the output of `gridloom replay`.
void checkReplays(const JsonNode& root) {
  root.member("hardware").text();
  for (const char* error : {"mean_error", "worst_error"}) root.member(error).number();
  for (const JsonNode& trace : root.member("traces").elements()) {
    trace.member("trace").text();
    trace.member("issue").text();
    for (const char* count : {"events", "transfers", "bytes"}) trace.member(count).integer();
    for (const char* cycles : {"recorded_cycles", "simulated_cycles", "error"}) {
      trace.member(cycles).number();
    }
    for (const JsonNode& processor : trace.member("processors").elements()) {
      processor.member("processor").text();
      processor.member("transfers").integer();
    }
  }
}

/// The same for the output of `gridloom explain A B`.
void checkDifference(const JsonNode& root) {
  root.member("same_choices").integer();
  for (const char* list : {"terms", "bytes", "utilization"}) {
    for (const JsonNode& row : root.member(list).elements()) {
      row.member("name").text();
      for (const char* side : {"a", "b"}) row.member(side).number();
    }
  }
  for (const JsonNode& row : root.member("choices").elements()) {
    for (const char* each : {"name", "a", "b"}) row.member(each).text();
  }
}

void checkState(const JsonNode& root) {
  for (const char* each : {"cycle", "cycles"}) root.member(each).number();
  const JsonNode states = root.member("states");
  for (const std::string& name : states.names()) states.member(name).integer();
  for (const JsonNode& core : root.member("cores").elements()) {
    core.member("state").text();
    for (const JsonNode& process : core.member("processes").elements()) {
      for (const char* each : {"name", "activity"}) process.member(each).text();
    }
  }
  for (const JsonNode& tile : root.member("tiles_in_flight").elements()) {
    for (const char* each : {"operand", "activity"}) tile.member(each).text();
    for (const char* each : {"begin", "end", "done"}) tile.member(each).number();
  }
}

}  // namespace

base::Diagnostics checkResult(base::SourceRef json) {
  base::Result<JsonDocument> document = JsonDocument::parse(json);
  if (!document) return document.takeDiagnostics();
  const JsonNode root = document->root();
  const JsonNode schema = root.member("schema");
  const std::string name = schema.exists() ? schema.text() : std::string();
  if (name == "gridloom.accesses/1") {
    checkAccesses(root);
  } else if (name == "gridloom.difference/1") {
    checkDifference(root);
  } else if (name == "gridloom.state/1") {
    checkState(root);
  } else if (name == "gridloom.replay/1") {
    checkReplays(root);
  } else if (document->errors().empty()) {
    return readSummary(std::move(json)).takeDiagnostics();
  }
  return document->takeErrors();
}

base::Result<report::Summary> readSummary(base::SourceRef json) {
  base::Result<JsonDocument> document = JsonDocument::parse(json);
  if (!document) return document.takeDiagnostics();
  const JsonNode root = document->root();
  const JsonNode schema = root.member("schema");
  const std::string name = schema.exists() ? schema.text() : std::string();
  report::Summary summary;
  if (name == "gridloom.exploration/2" || name == "gridloom.exploration/1") {
    summary = readExploration(root, json->name());
  } else if (std::ranges::find(kRuns, name) != kRuns.end()) {
    summary = readRun(root, json->name());
  } else if (document->errors().empty()) {
    schema.fail("`" + name + "` is not a result that can be compared",
                "known are gridloom.exploration/2, gridloom.simulation/2, gridloom.explanation/2, "
                "and version "
                "1 of these");
  }
  if (!document->errors().empty()) return document->takeErrors();
  return summary;
}

}  // namespace gridloom::exchange

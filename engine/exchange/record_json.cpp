// SPDX-License-Identifier: Apache-2.0
#include "exchange/record_json.h"

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;
using report::NamedNumber;
using report::NamedSize;

Json orNull(const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); }

}  // namespace

Json objectOf(const std::vector<NamedSize>& sizes) {
  Json out = Json::object();
  for (const NamedSize& size : sizes) out[size.name] = size.size;
  return out;
}

Json objectOf(const std::vector<NamedNumber>& numbers) {
  Json out = Json::object();
  for (const NamedNumber& number : numbers) out[number.name] = number.value;
  return out;
}

Json objectOf(const std::vector<cost::Term>& terms) {
  Json out = Json::object();
  for (const cost::Term& term : terms) out[term.name] = term.cycles;
  return out;
}

Json toJson(const report::HardwareRecord& hw) {
  Json dims = Json::array();
  for (const NamedSize& dim : hw.dims) dims.push_back({{"name", dim.name}, {"size", dim.size}});
  Json out = {{"name", hw.name},
              {"label", hw.label},
              {"dims", std::move(dims)},
              {"cores", hw.cores},
              {"clock_hz", hw.clock},
              {"peak_flops_per_cycle", hw.peakFlops},
              {"local_bytes_per_core", hw.localBytes},
              {"dram_channels", hw.channels},
              {"dram_read_bytes_per_cycle", hw.readBandwidth},
              {"dram_write_bytes_per_cycle", hw.writeBandwidth}};
  if (hw.duplex) out["dram_duplex"] = true;
  return out;
}

Json toJson(const report::KernelRecord& kernel) {
  Json loops = Json::array();
  for (const report::LoopRecord& loop : kernel.loops) {
    loops.push_back({{"name", loop.name}, {"extent", loop.extent}, {"kind", loop.kind}});
  }
  Json tensors = Json::array();
  for (const report::TensorRecord& tensor : kernel.tensors) {
    tensors.push_back({{"name", tensor.name},
                       {"shape", tensor.shape},
                       {"dtype", tensor.dtype},
                       {"role", tensor.role}});
  }
  return {{"name", kernel.name},       {"parameters", objectOf(kernel.parameters)},
          {"loops", std::move(loops)}, {"tensors", std::move(tensors)},
          {"flops", kernel.flops},     {"compulsory_bytes", kernel.compulsoryBytes}};
}

/// Each shared buffer names the next one outwards.
Json chainOf(std::span<const report::SharedBufferRecord> levels, bool ofInput) {
  const report::SharedBufferRecord& inner = levels.front();
  Json out = {{"memory", inner.memory}, {"buffers", inner.buffers}};
  if (ofInput) out["level"] = inner.level;
  if (!inner.along.empty()) out["along"] = inner.along;
  if (levels.size() > 1) out["outer"] = chainOf(levels.subspan(1), ofInput);
  return out;
}

Json toJson(const report::MappingRecord& mapping) {
  Json space = Json::object();
  for (const auto& [dim, loop] : mapping.space) space[dim] = orNull(loop);
  Json inputs = Json::object();
  for (const report::InputRecord& input : mapping.inputs) {
    inputs[input.tensor] = {{"movement", input.kind},
                            {"along", input.along},
                            {"level", input.level},
                            {"buffers", input.buffers},
                            {"layout", input.layout}};
    if (!input.sharedBuffers.empty())
      inputs[input.tensor]["shared_buffer"] = chainOf(input.sharedBuffers, true);
    if (!input.shared.empty()) inputs[input.tensor]["shared"] = input.shared;
  }
  Json outputs = Json::object();
  for (const report::OutputRecord& output : mapping.outputs) {
    outputs[output.tensor] = {{"reduction", output.reduction},
                              {"gather", orNull(output.gather)},
                              {"buffers", output.buffers},
                              {"layout", output.layout}};
    if (!output.sharedBuffers.empty())
      outputs[output.tensor]["shared_buffer"] = chainOf(output.sharedBuffers, false);
  }
  Json out = {{"line", mapping.line},          {"tile_sizes", objectOf(mapping.tileSize)},
              {"space", std::move(space)},     {"dim_order", mapping.dimOrder},
              {"order", mapping.order},        {"inputs", std::move(inputs)},
              {"outputs", std::move(outputs)}, {"directives", mapping.directives}};
  for (const report::AllReduceRecord& reduce : mapping.allReduces) {
    out["all_reduces"][reduce.tensor] = {{"reduction", reduce.reduction}};
  }
  for (const report::UnitRecord& product : mapping.units) {
    Json cycles = Json::object();
    for (const report::NamedNumber& each : product.cycles) cycles[each.name] = each.value;
    out["units"].push_back({{"tensor", product.tensor},
                            {"unit", product.unit},
                            {"pinned", product.pinned},
                            {"cycles", std::move(cycles)}});
  }
  return out;
}

namespace {

Json toJson(const cost::LevelTime& level) {
  return {{"loop", level.loop},     {"iterations", level.iterations}, {"inside", level.inside},
          {"cycles", level.cycles}, {"bottleneck", level.bottleneck}, {"busiest", level.busiest},
          {"busy", level.busy}};
}

}  // namespace

Json toJson(const hardware::Traffic& traffic) {
  return {{"dram_read", traffic.dramRead},
          {"dram_write", traffic.dramWrite},
          {"network", traffic.network},
          {"local_write", traffic.localWrite},
          {"local_read", traffic.localRead}};
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
  Json bytes = toJson(simulated.traffic);
  if (!simulated.sharedBuffers.empty()) bytes["shared_buffers"] = objectOf(simulated.sharedBuffers);
  return {{"cycles", simulated.cycles},         {"seconds", simulated.seconds},
          {"tflops", simulated.tflops},         {"utilization", simulated.utilization},
          {"bottleneck", simulated.bottleneck}, {"states", objectOf(simulated.states)},
          {"bytes", std::move(bytes)},          {"events", simulated.events}};
}

Json toJson(const cost::Roofline& roofline) {
  return {{"cycles", roofline.cycles},
          {"compute_cycles", roofline.computeCycles},
          {"memory_cycles", roofline.memoryCycles}};
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string textOf(const Json& json) { return dumped(json) + "\n"; }

}  // namespace gridloom::exchange

// SPDX-License-Identifier: Apache-2.0
#include "exchange/sweep_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "exchange/json_document.h"
#include "exchange/record_json.h"

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSweepSchema = "gridloom.sweep/1";

Json toJson(const report::SweepAxis& axis) {
  return {{"name", axis.parameter.name},
          {"title", axis.parameter.title},
          {"unit", axis.parameter.unit},
          {"present", axis.parameter.now},
          {"values", axis.values}};
}

Json toJson(const report::SweepPoint& point) {
  const report::SweepFound& found = point.found;
  Json out{{"values", point.values}, {"present", point.isNow}, {"cores", found.cores}};
  if (found.stopped != search::Stop::None) out["stopped"] = search::nameOf(found.stopped);
  if (found.fits()) {
    out["predicted_cycles"] = found.predicted;
    if (found.simulated > 0) out["simulated_cycles"] = found.simulated;
    if (!found.notSimulated.empty()) out["not_simulated"] = found.notSimulated.front().message;
    out["utilization"] = found.utilization;
    out["bottleneck"] = found.bottleneck;
    out["mapping"] = found.mapping;
  } else {
    out["failure"] = found.failure;
  }
  return out;
}

report::SweepAxis readAxis(const JsonNode& node) {
  report::SweepAxis axis;
  axis.parameter.name = node.member("name").text();
  axis.parameter.title = node.member("title").text();
  axis.parameter.unit = node.member("unit").text();
  axis.parameter.now = node.member("present").number();
  for (const JsonNode& value : node.member("values").elements())
    axis.values.push_back(value.number());
  if (axis.values.empty()) node.fail("expected at least one value");
  return axis;
}

/// A number of cycles above 0.
double readCycles(const JsonNode& node) {
  const double cycles = node.number();
  if (cycles <= 0) node.fail("expected a number above 0");
  return cycles;
}

search::Stop readStop(const JsonNode& node) {
  const std::string name = node.text();
  for (const search::Stop stop :
       {search::Stop::Interrupted, search::Stop::WorkLimit, search::Stop::TimeLimit}) {
    if (name == search::nameOf(stop)) return stop;
  }
  node.fail("no search ends like this", "expected `work limit`, `time limit` or `interrupted`");
  return search::Stop::None;
}

report::SweepFound readFound(const JsonNode& node) {
  report::SweepFound found;
  found.cores = node.member("cores").integer();
  if (node.has("stopped")) found.stopped = readStop(node.member("stopped"));
  if (!node.has("predicted_cycles")) {
    found.failure = node.member("failure").text();
    return found;
  }
  found.predicted = readCycles(node.member("predicted_cycles"));
  if (node.has("simulated_cycles")) found.simulated = readCycles(node.member("simulated_cycles"));
  if (node.has("not_simulated"))
    found.notSimulated = {base::plainError(node.member("not_simulated").text())};
  found.utilization = node.member("utilization").number();
  found.bottleneck = node.member("bottleneck").text();
  found.mapping = node.member("mapping").text();
  return found;
}

/// Where the points with some values are.
using PointsByValues = std::map<std::vector<double>, report::SweepPoint*>;

/// The point of the sweep that has the values of `node`, with what was found there.
void readPoint(const JsonNode& node, const PointsByValues& points) {
  std::vector<double> values;
  for (const JsonNode& value : node.member("values").elements()) values.push_back(value.number());
  const auto found = points.find(values);
  if (found == points.end()) return node.fail("no point of the axes has these values");
  report::SweepPoint& point = *found->second;
  point.known = true;
  point.isNow = node.member("present").truth();
  point.found = readFound(node);
}

report::SweepRecord readRecord(const JsonNode& root) {
  report::SweepRecord sweep;
  if (root.member("schema").text() != kSweepSchema)
    root.member("schema").fail("this is no sweep", "expected the schema gridloom.sweep/1");
  sweep.hardware = root.member("hardware").text();
  sweep.kernel = root.member("kernel").text();
  sweep.dtype = root.member("dtype").text();
  sweep.mode = root.member("mode").text();
  const JsonNode parameters = root.member("parameters");
  for (const std::string& name : parameters.names())
    sweep.parameters.push_back({name, parameters.member(name).integer()});
  sweep.simulated = root.member("simulated").truth();
  for (const JsonNode& axis : root.member("axes").elements()) sweep.axes.push_back(readAxis(axis));
  if (sweep.axes.empty() || sweep.axes.size() > 2) root.fail("expected one or two axes");
  std::size_t points = 1;
  for (const report::SweepAxis& axis : sweep.axes) {
    if (axis.values.size() > report::kMostSweepPoints / points) {
      root.member("axes").fail(
          fmt::format("the sweep has more than {} points", report::kMostSweepPoints),
          "sweep fewer values");
      break;
    }
    points *= std::max<std::size_t>(axis.values.size(), 1);
  }
  return sweep;
}

}  // namespace

std::string sweepJson(const report::SweepRecord& sweep) {
  Json axes = Json::array(), points = Json::array();
  for (const report::SweepAxis& axis : sweep.axes) axes.push_back(toJson(axis));
  for (const report::SweepPoint& point : sweep.points) {
    if (point.known) points.push_back(toJson(point));
  }
  return textOf({{"schema", kSweepSchema},
                 {"hardware", sweep.hardware},
                 {"kernel", sweep.kernel},
                 {"dtype", sweep.dtype},
                 {"mode", sweep.mode},
                 {"parameters", objectOf(sweep.parameters)},
                 {"simulated", sweep.simulated},
                 {"axes", std::move(axes)},
                 {"all_points", sweep.points.size()},
                 {"points", std::move(points)}});
}

base::Result<report::SweepRecord> readSweep(base::SourceRef text) {
  auto document = JsonDocument::parse(std::move(text));
  if (!document) return document.takeDiagnostics();
  report::SweepRecord sweep = readRecord(document->root());
  if (!document->errors().empty()) return document->takeErrors();
  sweep.points = report::sweepPoints(sweep.axes);
  PointsByValues byValues;
  for (report::SweepPoint& point : sweep.points) byValues.emplace(point.values, &point);
  for (const JsonNode& point : document->root().member("points").elements())
    readPoint(point, byValues);
  if (!document->errors().empty()) return document->takeErrors();
  return sweep;
}

}  // namespace gridloom::exchange

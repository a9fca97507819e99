// SPDX-License-Identifier: Apache-2.0
#include "exchange/access_json.h"

#include <nlohmann/json.hpp>

namespace gridloom::exchange {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const access::TensorAccesses& accesses) {
  return {{"tile", accesses.tile},
          {"reads", accesses.reads},
          {"fills", accesses.fills},
          {"updates", accesses.updates},
          {"reductions", accesses.reductions},
          {"addresses", accesses.addresses},
          {"shared_by", accesses.sharers},
          {"handed_on", accesses.handedOn}};
}

}  // namespace

std::string accessJson(const report::AccessRecord& record) {
  Json loops = Json::object();
  for (const report::NamedSize& loop : record.loops) loops[loop.name] = loop.size;
  Json levels = Json::array();
  for (const access::LevelAccesses& level : record.counts.levels) {
    Json tensors = Json::object();
    for (std::size_t i = 0; i < level.tensors.size(); ++i) {
      if (level.tensors[i].kept) tensors[record.tensors[i]] = toJson(level.tensors[i]);
    }
    levels.push_back({{"memory", level.memory},
                      {"instances", level.instances},
                      {"tensors", std::move(tensors)}});
  }
  const Json out = {{"schema", "gridloom.accesses/1"},
                    {"hardware", record.hardware},
                    {"kernel", record.kernel},
                    {"loops", std::move(loops)},
                    {"computes", record.counts.computes},
                    {"units", record.counts.units},
                    {"steps", record.counts.steps},
                    {"levels", std::move(levels)}};
  return out.dump(2) + "\n";
}

}  // namespace gridloom::exchange

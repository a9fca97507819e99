// SPDX-License-Identifier: Apache-2.0
#include "exchange/mapping_node.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace gridloom::exchange {

namespace {

constexpr std::string_view kExploration = "gridloom.exploration/";
constexpr std::array<std::string_view, 8> kSchemas{
    "gridloom.mapping/2",     "gridloom.exploration/2", "gridloom.simulation/2",
    "gridloom.explanation/2", "gridloom.mapping/1",     "gridloom.exploration/1",
    "gridloom.simulation/1",  "gridloom.explanation/1"};

}  // namespace

JsonNode mappingNode(const JsonNode& root) {
  if (!root.has("schema")) {
    root.fail("this does not say what it is: `schema` is missing",
              "a mapping alone starts with \"schema\": \"gridloom.mapping/2\"");
    return root;
  }
  const JsonNode schema = root.member("schema");
  const std::string name = schema.text();
  if (std::ranges::find(kSchemas, name) == kSchemas.end()) {
    schema.fail("`" + name + "` is not a form of mapping that is read here",
                listed(kSchemas, [](std::string_view known) { return known; }));
    return root;
  }
  if (!name.starts_with(kExploration)) return root.member("mapping");
  const JsonNode top = root.member("top");
  const std::vector<JsonNode> ranked = top.elements();
  if (!ranked.empty()) return ranked.front().member("mapping");
  top.fail("this exploration found no mapping");
  return root;
}

}  // namespace gridloom::exchange

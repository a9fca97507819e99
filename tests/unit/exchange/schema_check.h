// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gridloom::test {

/// What of `value` breaks a schema of resources/docs/schema: type, enum, required, properties,
/// additionalProperties (as a schema), items, minimum, maximum and $ref into parts.json. Members that
/// the schema does not tell of are findings too, so that nothing goes undocumented.
std::vector<std::string> schemaFindings(const nlohmann::json& value, const std::string& schemaName);

}  // namespace gridloom::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gridloom::test {

/// The violations of a schema of resources/docs/schema by `value`. Supports type, enum, required,
/// properties, additionalProperties (as a schema), items, minimum, maximum and $ref into
/// parts.json. Undocumented members are violations, too.
std::vector<std::string> schemaFindings(const nlohmann::json& value, const std::string& schemaName);

}  // namespace gridloom::test

// SPDX-License-Identifier: Apache-2.0
#include "schema_check.h"

#include <algorithm>
#include <fstream>

namespace gridloom::test {

using nlohmann::json;

namespace {

json schemaNamed(const std::string& name) {
  std::ifstream in(std::string(GRIDLOOM_SOURCE_DIR) + "/resources/docs/schema/" + name);
  return json::parse(in);
}

bool hasType(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

class SchemaChecker {
 public:
  SchemaChecker() : m_parts(schemaNamed("parts.json")) {}

  void check(const json& value, const json& schema, const std::string& at) {
    if (schema.contains("$ref")) return check(value, referred(schema["$ref"]), at);
    checkType(value, schema, at);
    if (schema.contains("enum")) {
      const json& choices = schema["enum"];
      if (std::find(choices.begin(), choices.end(), value) == choices.end())
        report(at, "not in the enum");
    }
    if (value.is_number()) checkRange(value.get<double>(), schema, at);
    if (value.is_object()) checkMembers(value, schema, at);
    if (value.is_array() && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        check(value[i], schema["items"], at + "/" + std::to_string(i));
      }
    }
  }

  std::vector<std::string> findings;

 private:
  void report(const std::string& at, const std::string& what) {
    findings.push_back(at + ": " + what);
  }

  const json& referred(const std::string& reference) const {
    return m_parts.at(json::json_pointer(reference.substr(reference.find('#') + 1)));
  }

  void checkType(const json& value, const json& schema, const std::string& at) {
    if (!schema.contains("type")) return;
    const json& type = schema["type"];
    const json types = type.is_array() ? type : json::array({type});
    const bool fits = std::any_of(types.begin(), types.end(), [&](const json& name) {
      return hasType(value, name.get<std::string>());
    });
    if (!fits) report(at, "is not " + type.dump());
  }

  void checkRange(double value, const json& schema, const std::string& at) {
    if (schema.contains("minimum") && value < schema["minimum"]) report(at, "below the minimum");
    if (schema.contains("maximum") && value > schema["maximum"]) report(at, "above the maximum");
  }

  void checkMembers(const json& value, const json& schema, const std::string& at) {
    for (const json& name : schema.value("required", json::array())) {
      if (!value.contains(name.get<std::string>())) report(at, "lacks " + name.get<std::string>());
    }
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, member] : value.items()) {
      if (properties.contains(name)) {
        check(member, properties[name], at + "/" + name);
      } else if (schema.contains("additionalProperties")) {
        check(member, schema["additionalProperties"], at + "/" + name);
      } else {
        report(at, "has an undocumented " + name);
      }
    }
  }

  json m_parts;
};

}  // namespace

std::vector<std::string> schemaFindings(const json& value, const std::string& schemaName) {
  SchemaChecker checker;
  checker.check(value, schemaNamed(schemaName), "");
  return checker.findings;
}

}  // namespace gridloom::test

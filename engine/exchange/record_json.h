// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/records.h"

namespace gridloom::exchange {

/// The parts that JSON results share (resources/docs/json.md). Keys keep the order they are set in.
nlohmann::ordered_json toJson(const report::HardwareRecord& hw);
nlohmann::ordered_json toJson(const report::KernelRecord& kernel);
nlohmann::ordered_json toJson(const report::MappingRecord& mapping);
nlohmann::ordered_json toJson(const hardware::Traffic& traffic);
nlohmann::ordered_json toJson(const cost::Estimate& predicted);
nlohmann::ordered_json toJson(const report::SimulatedRecord& simulated);
nlohmann::ordered_json toJson(const cost::Roofline& roofline);

/// As text of two spaces a level; with a line break at the end. File names may not be UTF-8:
/// invalid bytes are replaced, so that the result can still be written.
std::string dumped(const nlohmann::ordered_json& json);
std::string textOf(const nlohmann::ordered_json& json);

/// An object with one key per named value.
nlohmann::ordered_json objectOf(const std::vector<report::NamedSize>& sizes);
nlohmann::ordered_json objectOf(const std::vector<report::NamedNumber>& numbers);
nlohmann::ordered_json objectOf(const std::vector<cost::Term>& terms);

}  // namespace gridloom::exchange

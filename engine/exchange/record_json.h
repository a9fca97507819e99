// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "report/records.h"

namespace gridloom::exchange {

/// The parts that every JSON result has (resources/docs/json.md): machine, kernel and mapping. Keys
/// keep the order in which they are set.
nlohmann::ordered_json toJson(const report::HardwareRecord& hw);
nlohmann::ordered_json toJson(const report::KernelRecord& kernel);
nlohmann::ordered_json toJson(const report::MappingRecord& mapping);

/// An object with one key per named value.
nlohmann::ordered_json objectOf(const std::vector<report::NamedSize>& sizes);
nlohmann::ordered_json objectOf(const std::vector<report::NamedNumber>& numbers);
nlohmann::ordered_json objectOf(const std::vector<cost::Term>& terms);

}  // namespace gridloom::exchange

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gridloom::mapping {

/// The functions into which T2S-Tensor isolates a computation (Srivastava et al., 2019, Section
/// III), as far as they are not tied to a machine. A process of a core may have several: a mover
/// that loads a tile and sends it on is a loader and a feeder.
enum class DataflowRole : std::uint8_t {
  Loader,     ///< takes tiles of an input from global memory
  Feeder,     ///< passes tiles of an input on to other cores
  Receiver,   ///< takes tiles of an input from other cores; in T2S-Tensor a part of the PE
  Element,    ///< computes
  Reducer,    ///< passes on, or takes, partial results
  Drainer,    ///< passes finished tiles on
  Collector,  ///< takes finished tiles of other cores
  Unloader,   ///< puts finished tiles into global memory
};

/// Their names in directives, schedules, results and exported programs, by DataflowRole.
inline constexpr std::array<std::string_view, 8> kDataflowRoles{
    "loader", "feeder", "receiver", "PE", "reducer", "drainer", "collector", "unloader"};

constexpr std::string_view nameOf(DataflowRole role) {
  return kDataflowRoles[static_cast<std::size_t>(role)];
}

/// Of an input: what `isolate` may ask for.
inline constexpr std::array kInputRoles{DataflowRole::Loader, DataflowRole::Feeder};
/// The same of an output.
inline constexpr std::array kOutputRoles{DataflowRole::Drainer, DataflowRole::Collector,
                                         DataflowRole::Unloader};

}  // namespace gridloom::mapping

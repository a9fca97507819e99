// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/cpp_context.h"

namespace gridloom::exchange {

/// Sizes of the mesh, and the functions that find a core's number, coordinates and neighbours.
std::string cppMesh(const CppContext& context);

/// `makeCores()`: all cores, in loops over the mesh. Their programs come from boxes of cores.
std::string cppCores(const CppContext& context);

/// The channels, and `connect()`: the cores at their ends, in loops over the cores.
std::string cppChannels(const CppContext& context);

}  // namespace gridloom::exchange

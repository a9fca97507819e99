// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "random.h"

namespace gridloom::fuzz {

/// What a machine is made of. Sizes are bytes, rates bytes per cycle (elements for the vector
/// unit), times cycles. 0 leaves an attribute out of the description where it may be.
enum class Part {
  Columns,
  Rows,
  Layers,  ///< cores along each mesh dimension; 1: there is none
  WrapX,
  WrapY,
  WrapZ,
  OneWay,    ///< links that close a ring; links of the first dimension go up only
  Disabled,  ///< one core that does not work
  MatrixRows,
  MatrixColumns,
  MatrixDepth,
  MatrixSteps,
  MatrixIssue,
  OperandRate,
  Lanes,
  VectorRate,
  LocalSize,
  LocalRate,
  LocalDma,
  DmaRate,
  LinkRate,
  LinkLatency,
  LinkSetup,
  LinkSync,
  Packet,
  MulticastRate,
  Channels,
  DramRate,
  WriteRate,
  Duplex,
  DramLatency,
  DramSetup,
  Page,
  PagesOnly,
  PortRate,
  Launch,
  SharedLevels,  ///< shared buffers: one for each column, then one for the mesh
  SharedSize,
  SharedRate,
  SharedDma,
  Stripes,  ///< bytes, of two parts
  Count
};

/// Every combination of values is a valid description.
struct Machine {
  std::array<double, static_cast<std::size_t>(Part::Count)> parts{};

  double& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
  double operator[](Part part) const { return parts[static_cast<std::size_t>(part)]; }
};

Machine randomMachine(Random& random);
std::string textOf(const Machine& machine);

/// The same machine with one part at its plainest value, or half of it, for each part where that is
/// another machine.
std::vector<Machine> simplerThan(const Machine& machine);

/// Parts of which twice as much can only help: rates, sizes, DMA channels.
std::span<const Part> resources();
std::string nameOf(Part part);
/// Twice as much of a part; the machine itself where it has no limit there.
Machine withTwice(const Machine& machine, Part part);

}  // namespace gridloom::fuzz

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/space.h"

namespace gridloom::test {

/// A kernel on a hardware, read from shipped files or from texts: what most tests of the engine
/// start from.
struct Problem {
  hardware::Topology hw;
  kernel::Kernel kernel;
  kernel::TileNest nest;
  hardware::ComputeModel compute;
};

using Settings = std::initializer_list<std::pair<const char*, std::int64_t>>;

/// `hardware` and `kernel` are texts, or names of shipped files when they hold no line break.
/// Throws std::runtime_error with the rendered diagnostics: a test of something else then fails
/// with a reason.
Problem makeProblem(const std::string& hardware, const std::string& kernel, Settings settings = {});

/// A mesh of columns x rows cores with bidirectional links, `channels` DRAM channels, small rates:
/// fast to search and simulate, with every kind of resource.
std::string smallMesh(int columns, int rows, int channels = 2, int localBytes = 65536);

/// The same with links around the edges: every line of cores is a ring. `oneWay`: links lead to the
/// next core only.
std::string smallTorus(int columns, int rows, bool oneWay = false, int channels = 2,
                       int localBytes = 65536);

/// A mesh whose local memories (and `mid`, where there is one) have so many DMA channels in and
/// out.
std::string withDma(std::string mesh, int in, int out);
/// The same, with so many bytes per cycle through one channel and as many channels as there are
/// transfers.
std::string withDmaRate(std::string mesh, double rate);

/// A mesh whose vector units are chained behind the matrix units.
std::string withChaining(std::string mesh);

/// A mesh whose global memory reads and writes side by side.
std::string withDuplex(std::string mesh);

/// A mesh whose global memory has stripes of so many bytes in so many parts.
std::string withStripes(std::string mesh, int parts, int bytes);

/// A mesh of `smallMesh` whose cores along the dimensions ("x", "y" or "xy") share one memory. Each
/// core keeps a router of its own.
std::string withSharedMemories(std::string mesh, const std::string& along);

/// A small mesh with a memory `mid` between global memory and the cores, one instance per column,
/// or per row.
std::string meshWithSharedBuffer(int columns, int rows, int sharedBufferBytes = 65536,
                                 int localBytes = 65536, bool perRow = false);
/// The same with a second shared buffer further out, `chip`, one for the whole mesh.
std::string meshWithTwoSharedBuffers(int columns, int rows, int innerBytes = 1 << 16,
                                     int outerBytes = 1 << 16, int localBytes = 1 << 16);

/// The point of the space with the given number, in a fixed pseudo-random order: a legal mapping
/// that fits, or one with no inputs when `tries` points did not fit.
mapping::Mapping randomMapping(const Problem& problem, std::uint64_t seed, int tries = 200);

/// The mapping with every input as a ring all-gather and every reduction as a ring reduce-scatter
/// that may be one; the search does not offer them by itself. The same mapping where none may.
mapping::Mapping withRings(const Problem& problem, mapping::Mapping mapping, std::uint64_t seed);
/// A random mapping, every third with rings.
inline mapping::Mapping randomOrRing(const Problem& problem, std::uint64_t seed) {
  mapping::Mapping mapping = randomMapping(problem, seed);
  return seed % 3 == 0 ? withRings(problem, std::move(mapping), seed / 3) : mapping;
}

}  // namespace gridloom::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "affine/affine_map.h"
#include "base/diagnostic.h"
#include "base/strong_id.h"

namespace gridloom::hardware {

/// A hardware description as written, with the values of the `.hw` language: TL's df dialect (Li et
/// al., 2025, Sec. 2.4) with units and further attributes (resources/docs/hardware.md). It
/// round-trips through text. Mapping, cost and simulation use the `Topology` made from it.
///
/// Units here: bytes, cycles, bytes per cycle, flop per cycle, elements per cycle, hertz.

using SpatialDimId = base::StrongId<struct SpatialDimTag>;
using ComponentId = base::StrongId<struct ComponentTag>;

/// A figure, its spelling, so that it prints in the user's unit, and whether the source marks it as
/// assumed.
struct Figure {
  double value = 0;    ///< in the units above
  std::string unit;    ///< as written: "GB/s", "KiB", ""; empty means a bare number
  double written = 0;  ///< the number as written, in `unit`
  base::Span span;
  friend bool operator==(const Figure& a, const Figure& b) { return a.value == b.value; }
};

/// Rates by name, in the order of the description: the first numeric mode is the default one.
using Rates = std::vector<std::pair<std::string, Figure>>;

struct SpatialDim {
  std::string name;
  std::int64_t size = 0;
  base::Span span;
};

/// The operand of a product that is stationary in a systolic array, while the others stream through
/// it.
enum class Stationary { None, Output, Weight, Input };

/// A matrix unit. Rates are flop per cycle of one unit.
struct MatrixUnit {
  std::string name;
  std::vector<std::int64_t> shape{1, 1, 1};  ///< m, n, k of one intrinsic
  /// A systolic array over the two extents of `shape` that are not 1 (rows, then columns: see
  /// `SystolicShape`). Operands enter at its edges, one element per cycle.
  Stationary systolic = Stationary::None;
  Rates throughput;  ///< per numeric mode; "" when there is only one
  Rates sustained;   ///< achieved rate where known; peak otherwise
  /// output elements below which the rate falls in proportion
  std::optional<Figure> fullRateOutput;
  std::optional<Figure> issuePerOutput;  ///< cycles per output element and tile operation
  std::optional<Figure> issue;           ///< cycles per tile operation
  /// How operands reach the unit: bytes per cycle from local memory, and overhead cycles per
  /// intrinsic's operand.
  std::optional<Figure> operandBandwidth;
  std::optional<Figure> operandSetup;
  /// Rows and columns of intrinsics whose results the accumulators hold at once. For every step of
  /// k, each row's operands enter once, and each column's operands enter once per row.
  std::vector<std::int64_t> subblock{1, 1};
  base::Span span;
};

/// A vector unit. Rates are elements per cycle of one unit.
struct VectorUnit {
  std::string name;
  std::vector<std::int64_t> shape{1};  ///< lanes of one intrinsic
  Rates throughput;                    ///< per function ("add", "exp", ...); "" is the default
  std::optional<Figure> issue;         ///< cycles per tile operation
  bool chained = false;  ///< takes results of the matrix unit element by element, as they leave it
  base::Span span;
};

struct ScalarUnit {
  std::string name;
  Figure latency;
  base::Span span;
};

/// A unit inside each core and its number of copies.
struct UnitCount {
  std::string unit;
  std::int64_t count = 1;
};

/// A coordinate pattern: nullopt is `*`.
struct CorePattern {
  std::vector<std::optional<std::int64_t>> coordinates;
};

struct CoreArray {
  std::string name;
  std::string label;
  std::vector<SpatialDimId> scaleout;
  std::vector<UnitCount> scalein;
  std::vector<CorePattern> disabled;
  /// The cores that there are, such as a triangle: those at which all results are at least 0. All,
  /// where it is not given.
  std::optional<affine::AffineMap> enabled;
  /// Router positions of the cores when the network has more nodes than cores: `grid = (%nx, %ny)`
  /// names the plane of routers and `at = affine_map<(d0, d1) -> ...>` the router of each core.
  /// Empty: core = node.
  std::vector<SpatialDimId> grid;
  std::optional<affine::AffineMap> at;
  std::optional<Figure> clock;   ///< hertz
  std::optional<Figure> launch;  ///< cycles per kernel
  std::optional<Figure> reload;  ///< cycles between two different kernels of one dispatch
  // Cost of one network transaction to the core that issues it, and the rate at which the core
  // serves others.
  std::optional<Figure> readIssue;   ///< cycles; default: the network's setup
  std::optional<Figure> writeIssue;  ///< cycles; default: the network's setup
  /// cycles from the last byte to the resumption of the waiting program
  std::optional<Figure> completion;
  std::optional<Figure> answer;  ///< bytes per cycle at which it serves reads of other cores
  base::Span span;
};

/// DMA channels between a memory and the network; 0: unlimited.
struct DmaChannels {
  std::int64_t in = 0;   ///< for tiles that enter the memory
  std::int64_t out = 0;  ///< for tiles that leave it
  bool limited() const { return in > 0 || out > 0; }
  friend bool operator==(const DmaChannels&, const DmaChannels&) = default;
};

inline constexpr std::int64_t kMostStripeParts = 1024;

/// A memory whose successive stripes of `bytes` lie in its `parts` in turn (banks, channels behind
/// one port). Each part has its share of the bandwidth. One part: all bytes have the whole of it.
struct MemoryStripes {
  std::int64_t parts = 1;
  std::int64_t bytes = 0;
  friend bool operator==(const MemoryStripes&, const MemoryStripes&) = default;
};

struct Memory {
  std::string name;
  std::vector<SpatialDimId> scaleout;
  Figure size;                          ///< bytes per instance
  Figure bandwidth;                     ///< bytes per cycle per instance
  std::optional<Figure> readBandwidth;  ///< when reads and writes differ
  std::optional<Figure> writeBandwidth;
  bool duplex = false;            ///< reads and writes each have the full bandwidth of an instance
  std::optional<Figure> latency;  ///< cycles
  std::optional<Figure> writeLatency;  ///< cycles, when the acknowledgement of a write takes longer
  std::optional<Figure> banks;
  DmaChannels dma;                ///< per instance
  std::optional<Figure> dmaRate;  ///< bytes/cycle of one DMA channel
  std::optional<Figure> setup;    ///< cycles a core spends to start one transfer with it
  /// bytes per page; successive pages go to successive instances
  std::optional<Figure> interleave;
  /// bytes that a request at any address takes at least, and in whole multiples
  std::optional<Figure> randomAccess;
  MemoryStripes stripes;  ///< of an instance of global memory, in which tensors lie row by row
  /// Router coordinates of each instance (with several, each of them serves it). Only with `grid`.
  std::vector<std::vector<std::vector<std::int64_t>>> at;
  bool pagesOnly = false;  ///< `layout = page`: the search uses page-interleaved layouts only
  bool global = false;     ///< `kind = global`; inferred otherwise
  base::Span span;
};

/// Links from every member of `source` to map(member) in `destination`. Between cores, L1s or
/// routers it is a network; between cores (or L1s) and a global memory it is a port.
struct Interconnect {
  std::string name;
  std::string source;
  std::string destination;
  affine::AffineMap map;
  Figure bandwidth;               ///< bytes per cycle per link
  std::optional<Figure> latency;  ///< cycles per hop
  std::optional<Figure> setup;    ///< cycles to start one transfer between cores
  std::optional<Figure> sync;     ///< cycles per handshake
  bool multicast = true;
  std::optional<Figure> multicastBandwidth;  ///< when lower than `bandwidth`
  std::optional<Figure> packet;              ///< bytes
  std::optional<Figure> header;              ///< bytes of overhead per packet
  std::optional<Figure> endpoint;            ///< cycles between an endpoint and its router
  std::optional<Figure> contended;           ///< bandwidth for packets that contend with others
  std::optional<Figure> virtualChannels;     ///< per class of traffic; absent: queues never block
  std::optional<Figure> buffer;              ///< bytes per virtual channel at the end of a link
  std::int64_t plane = 0;                    ///< independent networks have different planes
  base::Span span;
};

/// 1-to-N connection of cores to a memory they address directly.
struct Mux {
  std::string name;
  std::string destination;
  std::string source;
  affine::AffineMap map;
  std::optional<Figure> bandwidth;
  base::Span span;
};

struct HardwareSpec {
  std::string name;   ///< preset or file stem
  std::string label;  ///< optional `module "label"`
  std::vector<SpatialDim> dims;
  std::vector<MatrixUnit> matrixUnits;
  std::vector<VectorUnit> vectorUnits;
  std::vector<ScalarUnit> scalarUnits;
  std::vector<CoreArray> cores;  ///< exactly one after `check`
  std::vector<Memory> memories;
  std::vector<Interconnect> interconnects;
  std::vector<Mux> muxes;
  /// Order of the operations in the source, for printing: (kind, index). Comments are stored per
  /// op.
  struct OpRef {
    enum class Kind { Dim, Matrix, Vector, Scalar, Core, Memory, Interconnect, Mux } kind;
    std::size_t index;
    std::string comment;   ///< `//` lines before the op, with the empty lines between them
    std::string trailing;  ///< `//` comment after the op on its last line
  };
  std::vector<OpRef> order;
  std::string closingComment;  ///< `//` lines after the last op
  base::SourceRef source;
};

}  // namespace gridloom::hardware

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/topology.h"

namespace gridloom::network {

/// One request of a processor to the network, or one wait.
struct TransferStep {
  enum class Kind : std::uint8_t {
    Read,       ///< from `peer` into the processor's own core
    Write,      ///< to `peer`
    Multicast,  ///< to the routers of `area`
    Wait,       ///< for the transfers that `waitsFor` names
    Signal,     ///< a write that lets `peer` continue
    Await,      ///< for the arrival of `signal`
    Work        ///< no network activity
  };
  enum : std::uint8_t { Reads = 1, Writes = 2, Departures = 4 };

  Kind kind = Kind::Work;
  std::uint8_t waitsFor = 0;
  std::uint8_t plane = 0;
  bool posted = false;        ///< no acknowledgement is awaited
  std::int32_t channel = -1;  ///< of the global memory; -1: the core at the router `peer`
  std::int32_t peer = -1;     ///< router; Multicast: index in TransferProgram::areas
  std::int32_t signal = -1;   ///< Signal, Await: its number in the program
  std::int64_t bytes = 0;
  double start = 0;  ///< cycles, as recorded
  double end = 0;    ///< Wait and Await: when it ended, as recorded
  /// Processor cycles from the start of this step to the next; for a wait, from its end.
  double work = 0;

  /// Whether it sends bytes over the network.
  bool moves() const { return kind != Kind::Wait && kind != Kind::Await && kind != Kind::Work; }
};

/// A processor that moves data, in program order.
struct TransferProcessor {
  std::string name;
  hardware::NodeId node;
  std::vector<TransferStep> steps;
};

/// Routers between two corners, both included. Wraps around where the second comes before the
/// first.
struct TransferArea {
  std::vector<std::int64_t> first, last;
  bool withSelf = false;
};

struct TransferProgram {
  std::vector<TransferProcessor> processors;
  std::vector<TransferArea> areas;
  std::int32_t signals = 0;
};

/// When processors issue their steps.
enum class IssueOrder : std::uint8_t {
  Free,     ///< as soon as the hardware allows; `work` is the issue overhead
  Paced,    ///< after their recorded work; waits last as long as simulated
  Recorded  ///< at the recorded times, whatever the network does
};

struct TransferOptions {
  IssueOrder issue = IssueOrder::Paced;
  double overhead = 0;   ///< cycles per step in addition to its issue overhead (Free)
  double countFrom = 0;  ///< cycle; transfers that start earlier do not count in the mean latency
  std::int64_t eventLimit = 4000000000;
};

struct TransferResult {
  struct Processor {
    double start = 0, end = 0;  ///< cycles: first step, last step or wait
    double waited = 0;          ///< cycles in waits
    double lastByte = 0;        ///< cycles: its last transfer complete
    std::int64_t transfers = 0;
    std::int64_t bytes = 0;
  };
  std::vector<Processor> processors;
  double end = 0;      ///< cycles: the last processor done
  double drained = 0;  ///< cycles: the last transfer complete
  std::int64_t transfers = 0;
  std::int64_t bytes = 0;
  std::int64_t events = 0;
  /// cycles from the start of a transfer to its last byte at its destination
  double meanLatency = 0;
  std::int64_t counted = 0;
  std::vector<double> linkBusy;     ///< cycles, per link of the topology (hops)
  std::vector<double> channelBusy;  ///< cycles, per channel of the global memory
  bool complete = false;            ///< false: cancelled
};

}  // namespace gridloom::network

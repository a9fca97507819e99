// SPDX-License-Identifier: Apache-2.0
#include "exchange/air_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "exchange/air_awaits.h"
#include "exchange/air_channels.h"
#include "exchange/air_herd.h"
#include "exchange/air_shares.h"
#include "schedule/rings.h"

namespace gridloom::exchange {

namespace {

using schedule::Buffer;

// Whether a buffer awaits an output whose tiles are stored in shares.
bool awaitsShares(const AirContext& air, const Buffer& buffer) {
  if (buffer.need.awaits < 0) return false;
  for (std::size_t b = 0; b < air.schedule.buffers.size(); ++b) {
    const Buffer& output = air.schedule.buffers[b];
    if (output.use != Buffer::Use::Output || output.operand != buffer.need.awaits) continue;
    if (schedule::ringOf(air.schedule, schedule::BufferId::of(b)).valid()) return true;
  }
  return false;
}

/// Why a schedule has no AIR form; "" if it has one.
std::string unsupported(const AirContext& air) {
  for (const Buffer& buffer : air.schedule.buffers) {
    const std::string name = "`" + buffer.name + "`";
    if (awaitsShares(air, buffer)) {
      return name + " waits for tiles of which several cores store shares";
    }
    switch (buffer.use) {
    case Buffer::Use::Input:
    case Buffer::Use::Output:
    case Buffer::Use::Partial:
    case Buffer::Use::Gather:
    case Buffer::Use::SharedInput:
    case Buffer::Use::SharedOutput:
    case Buffer::Use::Local:
    case Buffer::Use::Stationary:
    case Buffer::Use::Contribution:
    case Buffer::Use::Contributed:
    case Buffer::Use::Total:
    case Buffer::Use::Held:  // the channel of the buffer that takes the tiles holds them
      break;
    case Buffer::Use::Resident:
      return name + " is in local memory before the launch, where AIR has no memref";
    case Buffer::Use::Remaining:
      return name + " stays in local memory after the launch, where AIR has no memref";
    }
  }
  return {};
}

// Herds have two dimensions: the second one is row-major over all but the first of the mesh. A box
// whose rows are not consecutive there becomes several herds, as the place of a herd is that of its
// first row.
void addHerdBoxes(const schedule::CoreBox& box, const hardware::Topology& hw,
                  std::vector<schedule::CoreBox>& out) {
  const auto isWhole = [&](std::size_t d) {
    return box.first[d] == 0 && box.last[d] == hw.dims()[d].size - 1;
  };
  std::size_t whole = box.first.size();
  while (whole > 1 && isWhole(whole - 1)) --whole;
  for (std::size_t d = 1; d + 1 < whole; ++d) {
    if (box.first[d] == box.last[d]) continue;
    schedule::CoreBox part = box;
    for (std::int64_t at = box.first[d]; at <= box.last[d]; ++at) {
      part.first[d] = part.last[d] = at;
      addHerdBoxes(part, hw, out);
    }
    return;
  }
  out.push_back(box);
}

class AirWriter {
 public:
  explicit AirWriter(AirContext& air) : m_air(air) {
    for (const kernel::Tensor& tensor : air.kernel.tensors) {
      if (tensor.role == kernel::TensorRole::Local) continue;
      m_names.push_back("%" + mlirName(tensor.name));
      m_types.push_back(memrefType(tensor.shape, tensor.dtype, 0));
    }
    m_tensors = m_names.size();
  }

  base::Result<std::string> run() {
    std::vector<Herd> herds;
    for (std::size_t p = 0; p < m_air.schedule.programs.size(); ++p) {
      const auto id = schedule::ProgramId::of(p);
      std::vector<schedule::CoreBox> boxes;
      for (const schedule::CoreBox& box : schedule::regionsOf(m_air.schedule, m_air.hw, id)) {
        addHerdBoxes(box, m_air.hw, boxes);
      }
      for (schedule::CoreBox& box : boxes) {
        auto body = herdBody(m_air, id, box, AirPart::Cores, 10);
        if (!body) return body.takeDiagnostics();
        auto memories = herdBody(m_air, id, box, AirPart::SharedBuffers, 10);
        if (!memories) return memories.takeDiagnostics();
        herds.push_back({id, std::move(box), *std::move(body), *std::move(memories)});
      }
    }
    // Symbols are not looked up through operations that a tool does not know, so the functions go
    // in as values.
    for (const auto& [name, types] : m_air.functions) {
      m_names.push_back("%" + name);
      m_types.push_back(fmt::format("({}) -> ()", types));
    }
    return textOf(herds);
  }

 private:
  struct Herd {
    schedule::ProgramId program;
    schedule::CoreBox box;
    std::string body;      ///< of its cores
    std::string memories;  ///< of the shared buffers that they lead; may be empty
  };

  std::string textOf(const std::vector<Herd>& herds) const {
    std::string text = "module {\n" + airChannelText(m_air);
    for (const auto& [name, types] : m_air.functions) {
      text += fmt::format("  func.func private @{}({})\n", name, types);
    }
    const std::string types = fmt::format("{}", fmt::join(m_types, ", "));
    text += fmt::format("  func.func @{}({}) {{\n    %one = arith.constant 1 : index\n",
                        mlirName(m_air.kernel.name), arguments("_arg", m_tensors));
    for (const auto& [name, signature] : m_air.functions) {
      text += fmt::format("    %{0}_arg = func.constant @{0} : ({1}) -> ()\n", name, signature);
    }
    // Values of one region are seen in the regions inside it, so every level has names of its own.
    text += fmt::format("    \"air.launch\"(%one, %one, {}) ({{\n", names("_arg"));
    text += fmt::format("    ^bb0(%lx: index, %ly: index, %lw: index, %lh: index, {}):\n",
                        arguments("_launch"));
    text += fmt::format("      \"air.segment\"({}) ({{\n      ^bb0({}):\n", names("_launch"),
                        arguments("_segment"));
    for (std::size_t h = 0; h < herds.size(); ++h) text += herd(herds[h], h);
    text += "        \"air.segment_terminator\"() : () -> ()\n";
    text += fmt::format("      }}) {{operandSegmentSizes = array<i32: 0, 0, {}>, sym_name = "
                        "\"{}_segment\"}} : ({}) -> ()\n",
                        m_names.size(), mlirName(m_air.kernel.name), types);
    text += "      \"air.launch_terminator\"() : () -> ()\n";
    text += fmt::format("    }}) {{operandSegmentSizes = array<i32: 0, 2, {}>, sym_name = "
                        "\"{}_launch\"}} : (index, index, {}) -> ()\n",
                        m_names.size(), mlirName(m_air.kernel.name), types);
    return text + "    return\n  }\n}\n";
  }

  std::string arguments(std::string_view suffix) const { return arguments(suffix, m_names.size()); }
  std::string arguments(std::string_view suffix, std::size_t count) const {
    std::string text;
    for (std::size_t t = 0; t < count; ++t) {
      text += fmt::format("{}{}{}: {}", t == 0 ? "" : ", ", m_names[t], suffix, m_types[t]);
    }
    return text;
  }

  std::string names(std::string_view suffix) const {
    std::string text;
    for (const std::string& name : m_names) {
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name, suffix);
    }
    return text;
  }

  std::string herd(const Herd& herd, std::size_t number) const {
    const schedule::CoreBox& box = herd.box;
    std::vector<std::int64_t> sizes(2, 1), from(2, 0);
    for (std::size_t d = 0; d < box.first.size(); ++d) {
      sizes[d == 0 ? 0 : 1] *= box.last[d] - box.first[d] + 1;
      std::int64_t& at = from[d == 0 ? 0 : 1];
      at = at * m_air.hw.dims()[d].size + box.first[d];
    }
    std::string text =
        fmt::format("        // {}\n", m_air.schedule.programs[herd.program.index()].name);
    text +=
        fmt::format("        %w{0} = arith.constant {1} : index\n        %h{0} = arith.constant "
                    "{2} : index\n",
                    number, sizes[0], sizes[1]);
    if (!herd.memories.empty()) {
      text +=
          fmt::format("        %z{0} = arith.constant 0 : index\n        %u{0} = arith.constant 1 "
                      ": index\n        scf.parallel (%hx, %hy) = (%z{0}, %z{0}) to (%w{0}, "
                      "%h{0}) step (%u{0}, %u{0}) {{\n",
                      number);
      text += herd.memories + "        }\n";
    }
    text +=
        fmt::format("        \"air.herd\"(%w{0}, %h{0}, {1}) ({{\n        ^bb0(%hx: index, %hy: "
                    "index, %hw: index, %hh: index, {2}):\n",
                    number, names("_segment"), arguments(""));
    text += herd.body;
    text += "          \"air.herd_terminator\"() : () -> ()\n";
    text += fmt::format("        }}) {{operandSegmentSizes = array<i32: 0, 2, {}>, sym_name = "
                        "\"herd_{}\", x_loc = {} : i64, y_loc = {} : i64}} : (index, index, {}) -> "
                        "()\n",
                        m_names.size(), number, from[0], from[1], fmt::join(m_types, ", "));
    return text;
  }

  AirContext& m_air;
  std::vector<std::string> m_names, m_types;  ///< tensors in global memory, then functions
  std::size_t m_tensors = 0;
};

}  // namespace

base::Result<std::string> airText(const schedule::Schedule& schedule, const kernel::Kernel& kernel,
                                  const kernel::TileNest& nest, const hardware::Topology& hw) {
  const schedule::PlacedSchedule placed(schedule, kernel, nest, hw);
  AirContext air{placed};
  air.channels = airChannelsOf(placed);
  air.awaited = airAwaitedOf(placed, air.channels);
  if (const std::string why = unsupported(air); !why.empty()) {
    return base::plainError("this schedule has no form in AIR: " + why,
                            "`--format prog` writes every schedule");
  }
  auto text = AirWriter(air).run();
  if (text) return text;
  base::Diagnostics errors = text.takeDiagnostics();
  errors[0].message = "this schedule has no form in AIR: " + errors[0].message;
  return errors;
}

}  // namespace gridloom::exchange

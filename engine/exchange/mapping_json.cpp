// SPDX-License-Identifier: Apache-2.0
#include "exchange/mapping_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "exchange/json_document.h"
#include "exchange/mapping_node.h"
#include "mapping/constraints.h"
#include "mapping/former_names.h"
#include "mapping/space.h"
#include "report/recording.h"

namespace gridloom::exchange {

namespace {

using kernel::LoopId;

/// The member `name`, called `former` in the schema's first version.
JsonNode renamed(const JsonNode& node, std::string_view name, std::string_view former,
                 bool required = true) {
  return node.member(!node.has(name) && node.has(former) ? former : name, required);
}

class MappingReader {
 public:
  MappingReader(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                const hardware::Topology& hw)
      : m_kernel(kernel), m_nest(nest), m_hw(hw) {}

  mapping::Mapping read(const JsonNode& node) const {
    mapping::Mapping out;
    readTileSizes(renamed(node, "tile_sizes", "block"), out);
    readSpace(node.member("space"), out);
    for (const JsonNode& dim : node.member("dim_order").elements()) {
      if (const auto d = dimAt(dim)) out.dimOrder.push_back(*d);
    }
    for (const JsonNode& name : node.member("order").elements()) {
      if (const auto loop = loopAt(name)) out.order.push_back(*loop);
    }
    const JsonNode inputs = node.member("inputs");
    rejectUnknown(inputs, m_nest.inputs, "input");
    for (const kernel::Operand& operand : m_nest.inputs) {
      out.inputs.push_back(readInput(inputs.member(operand.name)));
    }
    const JsonNode outputs = node.member("outputs");
    rejectUnknown(outputs, m_nest.outputs, "output");
    for (const kernel::Operand& operand : m_nest.outputs) {
      out.outputs.push_back(readOutput(outputs.member(operand.name)));
    }
    out.allReduces.assign(m_nest.allReduces.size(), mapping::ReductionTopology::None);
    if (node.has("all_reduces")) readAllReduces(node.member("all_reduces"), out);
    return out;
  }

 private:
  void readTileSizes(const JsonNode& node, mapping::Mapping& out) const {
    rejectUnknown(node, m_kernel.loops, "loop");
    for (const kernel::Loop& loop : m_kernel.loops) {
      out.tileSize.push_back(node.member(loop.name).integer());
    }
  }

  void readSpace(const JsonNode& node, mapping::Mapping& out) const {
    rejectUnknown(node, m_hw.dims(), "mesh dimension");
    for (const hardware::MeshDim& dim : m_hw.dims()) {
      const JsonNode loop = node.member(dim.name);
      out.space.push_back(loop.isNull() ? LoopId() : loopAt(loop).value_or(LoopId()));
    }
  }

  /// Reads the reductions of the tensors that are all-reduced across cores.
  void readAllReduces(const JsonNode& node, mapping::Mapping& out) const {
    rejectUnknown(node, m_nest.allReduces, "all-reduce");
    for (std::size_t r = 0; r < m_nest.allReduces.size(); ++r) {
      const std::string& name = m_nest.allReduces[r].name;
      if (node.has(name))
        out.allReduces[r] = reductionAt(renamed(node.member(name), "reduction", "combine"));
    }
  }

  mapping::ReductionTopology reductionAt(const JsonNode& node) const {
    return static_cast<mapping::ReductionTopology>(choiceAt(node, mapping::kReductionNames));
  }

  mapping::InputMovement readInput(const JsonNode& node) const {
    mapping::InputMovement out;
    out.kind = static_cast<mapping::MovementKind>(
        choiceAt(renamed(node, "movement", "spread"), report::kMovementNames));
    const std::vector<JsonNode> along = node.member("along").elements();
    for (std::size_t i = 0; i < along.size(); ++i) {
      const auto d = dimAt(along[i]);
      if (!d) continue;
      out.along |= mapping::DimMask{1} << *d;
      if (i == 0) out.first = *d;
    }
    out.level = smallAt(node.member("level"));
    out.buffers = smallAt(node.member("buffers"));
    forSharedBuffers(node, [&](const JsonNode& use, std::size_t level) {
      mapping::SharedBufferUse& to = out.sharedBuffers[level];
      // A level that does not fit exceeds the number of loops of any mapping.
      to.level = static_cast<std::int8_t>(std::min<int>(smallAt(use.member("level")), 127));
      to.buffers = smallAt(use.member("buffers"));
      if (!use.has("along")) return;
      for (const JsonNode& dim : use.member("along").elements()) {
        if (const auto d = dimAt(dim)) to.along |= static_cast<std::uint8_t>(1U << *d);
      }
    });
    out.layout = layoutAt(node);
    if (node.has("shared")) {
      for (const JsonNode& dim : node.member("shared").elements()) {
        if (const auto d = dimAt(dim)) out.shared |= mapping::DimMask{1} << *d;
      }
    }
    return out;
  }

  /// Calls read(use, level) for each shared buffer of an operand, from the cores outwards. Files
  /// without the memory's name are of machines with one.
  template <class Read> void forSharedBuffers(const JsonNode& node, const Read& read) const {
    JsonNode use = renamed(node, "shared_buffer", "stay", false);
    // A chain cannot be longer than the list of levels.
    for (std::size_t n = 0; use.exists() && n < m_hw.sharedBuffers().size(); ++n) {
      if (const auto level = sharedBufferAt(use.member("memory", false))) read(use, *level);
      use = use.member("outer", false);
    }
    if (use.exists()) use.fail("the hardware has fewer shared buffers", {});
  }

  std::optional<std::size_t> sharedBufferAt(const JsonNode& memory) const {
    if (!memory.exists()) return 0;
    const auto levels = m_hw.sharedBuffers();
    const std::string name = memory.text();
    for (std::size_t k = 0; k < levels.size(); ++k) {
      if (levels[k].name == name) return k;
    }
    memory.fail("the hardware has no such shared buffer",
                listed(levels, [](const auto& level) { return level.name; }));
    return std::nullopt;
  }

  mapping::OutputMovement readOutput(const JsonNode& node) const {
    mapping::OutputMovement out;
    out.reduction = reductionAt(renamed(node, "reduction", "combine"));
    const JsonNode gather = node.member("gather");
    if (!gather.isNull()) {
      if (const auto d = dimAt(gather)) out.gather = static_cast<std::int8_t>(*d);
    }
    out.buffers = smallAt(node.member("buffers"));
    forSharedBuffers(node, [&](const JsonNode& use, std::size_t level) {
      out.sharedBuffers[level] = smallAt(use.member("buffers"));
    });
    out.layout = layoutAt(node);
    return out;
  }

  /// Older files do not have this member.
  mapping::TensorLayout layoutAt(const JsonNode& node) const {
    const JsonNode layout = renamed(node, "layout", "place", false);
    if (!layout.exists()) return mapping::TensorLayout::PageInterleaved;
    return static_cast<mapping::TensorLayout>(choiceAt(layout, mapping::kLayoutNames));
  }

  template <class Range>
  void rejectUnknown(const JsonNode& object, const Range& known, std::string_view what) const {
    const auto nameOf = [](const auto& element) -> const std::string& { return element.name; };
    for (const std::string& name : object.names()) {
      const bool found = std::any_of(known.begin(), known.end(),
                                     [&](const auto& element) { return element.name == name; });
      if (!found) {
        object.member(name).fail("there is no " + std::string(what) + " `" + name + "` here",
                                 listed(known, nameOf));
      }
    }
  }

  std::optional<LoopId> loopAt(const JsonNode& node) const {
    const std::string name = node.text();
    const auto& loops = m_kernel.loops;
    const auto found = std::ranges::find(loops, name, &kernel::Loop::name);
    if (found != loops.end()) return LoopId::of(static_cast<std::size_t>(found - loops.begin()));
    node.fail("the kernel has no loop `" + name + "`",
              listed(loops, [](const auto& loop) { return loop.name; }));
    return std::nullopt;
  }

  std::optional<std::uint8_t> dimAt(const JsonNode& node) const {
    const std::string name = node.text();
    const auto dims = m_hw.dims();
    const auto found = std::ranges::find(dims, name, &hardware::MeshDim::name);
    if (found != dims.end()) return static_cast<std::uint8_t>(found - dims.begin());
    node.fail("the hardware has no mesh dimension `" + name + "`",
              listed(dims, [](const auto& dim) { return dim.name; }));
    return std::nullopt;
  }

  template <std::size_t N>
  std::size_t choiceAt(const JsonNode& node, const std::array<std::string_view, N>& choices) const {
    const std::string name = node.text();
    const auto found = std::ranges::find(choices, mapping::presentName(name));
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    if (node.exists()) {
      node.fail("`" + name + "` is not one of the choices",
                listed(choices, [](std::string_view choice) { return choice; }));
    }
    return 0;
  }

  /// Reads a level or number of buffers. It only has to fit its type here; the check of the whole
  /// mapping limits it.
  std::uint8_t smallAt(const JsonNode& node) const {
    const std::int64_t value = node.integer();
    if (value >= 0 && value <= 255) return static_cast<std::uint8_t>(value);
    node.fail("expected a number from 0 to 255, got " + std::to_string(value));
    return 0;
  }

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
};

}  // namespace

base::Result<mapping::Mapping> mappingFromJson(base::SourceRef json, const kernel::Kernel& kernel,
                                               const kernel::TileNest& nest,
                                               const hardware::Topology& hw) {
  base::Result<JsonDocument> document = JsonDocument::parse(json);
  if (!document) return document.takeDiagnostics();
  const JsonNode node = mappingNode(document->root());
  if (!document->errors().empty()) return document->takeErrors();
  mapping::Mapping mapping = MappingReader(kernel, nest, hw).read(node);
  if (!document->errors().empty()) return document->takeErrors();
  base::Diagnostics illegal = mapping::checkMapping(kernel, nest, hw, mapping);
  for (base::Diagnostic& error : illegal) {
    error.source = json;
    error.span = node.span();
  }
  if (base::hasError(illegal)) return illegal;
  return mapping;
}

bool isMappingJson(const base::SourceText& json) {
  return json.text().find("\"gridloom.mapping/") != std::string_view::npos;
}

base::Diagnostics checkMappingForm(base::SourceRef json) {
  base::Result<JsonDocument> document = JsonDocument::parse(std::move(json));
  if (!document) return document.takeDiagnostics();
  const JsonNode node = mappingNode(document->root());
  if (!document->errors().empty()) return document->takeErrors();
  for (const std::string& loop : renamed(node, "tile_sizes", "block").names()) {
    (void)renamed(node, "tile_sizes", "block").member(loop).integer();
  }
  (void)node.member("space").names();
  (void)node.member("dim_order").texts();
  (void)node.member("order").texts();
  (void)node.member("inputs").names();
  (void)node.member("outputs").names();
  return document->takeErrors();
}

}  // namespace gridloom::exchange

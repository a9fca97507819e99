// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "syntax/schedule_text.h"

namespace gridloom::syntax {

/// Resolves the names of a schedule and reports unknown ones.
class ScheduleScope {
 public:
  using Name = ScheduleText::Name;

  ScheduleScope(const ScheduleText& text, const kernel::Kernel& kernel,
                const kernel::TileNest& nest, const hardware::Topology& hw);

  std::optional<std::size_t> loop(const Name& name) { return find(name, m_loops, "loop"); }
  std::optional<std::size_t> dim(const Name& name) { return find(name, m_dims, "mesh dimension"); }
  std::optional<std::size_t> buffer(const Name& name) { return find(name, m_buffers, "buffer"); }
  std::optional<std::size_t> channel(const Name& name) { return find(name, m_channels, "channel"); }
  std::optional<std::size_t> token(const Name& name) { return find(name, m_tokens, "token"); }
  std::optional<std::size_t> sharedBuffer(const Name& name) {
    return find(name, m_sharedBuffers, "shared buffer");
  }
  bool isToken(const Name& name) const;
  /// Index into the nest's inputs, outputs, locals or all-reduces.
  std::optional<std::size_t> operand(schedule::Buffer::Use use, const Name& name);
  bool isInput(const Name& name) const;

  void fail(base::Span span, std::string message, std::string hint = {});
  base::Diagnostics& errors() { return m_errors; }

 private:
  using Known = std::vector<std::string_view>;
  std::optional<std::size_t> find(const Name& name, const Known& known, std::string_view what);
  void checkTokens();
  void checkUnique(const std::vector<Name>& names, std::string_view what);

  const ScheduleText& m_text;
  Known m_loops, m_dims, m_buffers, m_channels, m_tokens, m_inputs, m_outputs, m_locals, m_reduced,
      m_sharedBuffers;
  base::Diagnostics m_errors;
};

}  // namespace gridloom::syntax

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "exchange/hls_plan.h"
#include "kernel/tile_nest.h"
#include "mapping/dataflow_role.h"
#include "mapping/mapping.h"

namespace gridloom::exchange {

/// What the writers of an HLS program have in common: names, loops of waves, places of buffers.
class HlsCode {
 protected:
  HlsCode(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
          const kernel::TileNest& nest, const HlsPlan& plan)
      : m_mapping(mapping), m_kernel(kernel), m_nest(nest), m_plan(plan) {}

  template <class... T> void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
  }

  std::string loop(std::size_t l) const;
  const kernel::Operand& output() const { return m_nest.outputs.front(); }
  std::string parameter(const kernel::Operand& operand) const;
  /// What the names of an operand's functions, types and streams begin with.
  std::string stem(const kernel::Operand& operand) const;
  /// The function of a role: "A_loader".
  std::string functionOf(const kernel::Operand& operand, mapping::DataflowRole role) const;
  std::int64_t places(int axis) const { return m_plan.axes[axis].places; }
  /// Lines of the array that deliver results: one along the axis that sums partial results.
  std::int64_t lines(int axis) const { return m_plan.split == axis ? 1 : places(axis); }
  kernel::ExprOp root() const;

  /// Number of loops of waves.
  int depth() const { return static_cast<int>(m_mapping.order.size()); }
  /// The loops of waves between two levels, those that an operand depends on (null: all).
  std::string waves(int from, int to, const kernel::Operand* of, std::string& indent) const;
  /// Closes loops until the indent has `to` columns.
  static void close(std::string& text, std::string& indent, std::size_t to);
  /// Tiles that an operand's buffer holds at a level, and the index of the present one in it.
  std::int64_t slots(const kernel::Operand& operand, int level) const;
  std::string slot(const kernel::Operand& operand, int level) const;

  const mapping::Mapping& m_mapping;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const HlsPlan& m_plan;
  std::string m_text;
};

/// The roles of the program: loaders, feeders, places, drainers, collectors, unloader.
class HlsRoles : HlsCode {
 public:
  HlsRoles(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
           const kernel::TileNest& nest, const HlsPlan& plan)
      : HlsCode(mapping, kernel, nest, plan) {}
  std::string run();

 private:
  void loader(std::size_t i);
  void feeder(std::size_t i);
  std::string take(std::size_t i, const std::string& indent) const;
  void element();
  std::string deliver(const std::string& indent) const;
  void results();
  void unloader();
};

}  // namespace gridloom::exchange

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cost/evaluator.h"
#include "cost/partial_bound.h"

namespace gridloom::search {

/// The transfers of one way to move an operand, and a bound of every candidate that moves it so.
struct CostedOption {
  cost::OptionCost cost;
  std::optional<cost::OptionCost> stay;  ///< the other half of the way, where tiles stay on it
  double bound = 0;
  std::size_t rows = 0;  ///< where its rows begin, those of `stay` behind them
};

/// Options of one item (a space choice with its blocks), each costed once: under another temporal order an option costs
/// the same as long as the same loops are outside its transfers.
class CostedOptions {
 public:
  explicit CostedOptions(const cost::Evaluator& evaluator)
      : m_evaluator(evaluator), m_forOneOrder(evaluator.nest().hasProduced()) {}

  /// Of this skeleton.
  void startItem(const cost::Skeleton& skeleton);
  /// The temporal order of the skeleton that options are asked for from now on.
  void startOrder(const cost::Skeleton& skeleton);

  /// Numbers of options, to be looked up once all are made.
  std::uint32_t input(const cost::Skeleton& skeleton, std::size_t operand,
                      const mapping::InputMovement& movement);
  std::uint32_t output(const cost::Skeleton& skeleton, std::size_t operand,
                       const mapping::OutputMovement& movement);
  const CostedOption& operator[](std::uint32_t number) const { return m_made[number]; }
  /// Of an option's transfers, and of those of its other half.
  cost::OptionLoad load(const CostedOption& option) const { return at(option.cost, option.rows); }
  cost::OptionLoad stayLoad(const CostedOption& option) const {
    return at(*option.stay, option.rows + 2 * m_rowCount);
  }
  /// Of the options on a stack with this one, both halves of it, on top.
  double bound(cost::PartialBound& stack, const CostedOption& option) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  template <class Movement> struct Known {
    Movement movement;
    std::size_t operand = 0;
    std::uint64_t outside = 0;      ///< loops outside its transfer
    std::uint64_t outsideStay = 0;  ///< and of the other half of the way
    std::uint32_t number = 0;
    std::uint32_t next = kNone;
  };
  template <class Movement> struct Table {
    std::vector<Known<Movement>> known;
    std::array<std::uint32_t, 256> heads;  ///< by hash; followed by `next`
  };
  template <class Movement, class Make>
  std::uint32_t find(Table<Movement>& table, const Known<Movement>& key, std::size_t hash,
                     const Make& make);
  std::uint32_t add(cost::OptionCost cost, std::optional<cost::OptionCost> stay);
  void addRows(const cost::OptionCost& cost);
  cost::OptionLoad at(const cost::OptionCost& cost, std::size_t rows) const {
    return {&cost, m_rows.data() + rows, m_rows.data() + rows + m_rowCount};
  }

  const cost::Evaluator& m_evaluator;
  bool
      m_forOneOrder;  ///< the kernel makes operands itself: what those wait for depends on the order
  std::vector<std::uint64_t> m_outside;  ///< per number of temporal loops: the set of the outermost
  std::vector<CostedOption> m_made;
  Table<mapping::InputMovement> m_inputs;
  Table<mapping::OutputMovement> m_outputs;
  std::vector<double> m_rows;  ///< per transfer: all `rows` of an OptionLoad, then `filling`
  std::size_t m_rowCount = 0;
  cost::PartialBound m_alone;
};

}  // namespace gridloom::search

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "importer/program.h"

namespace mlir {
class Operation;
}

namespace gridloom::importer {

/// What an SSA value stands for while a function is read.

/// An integer: a form, or the least or the greatest of several.
struct Integer {
  enum class Kind { Exact, Min, Max };
  Kind kind = Kind::Exact;
  std::vector<Linear> forms;
  Integer(Linear form) : forms{std::move(form)} {}  // NOLINT(google-explicit-constructor)
  Integer(Kind of, std::vector<Linear> all) : kind(of), forms(std::move(all)) {}
  bool isExact() const { return kind == Kind::Exact; }
};

/// The elements of a tensor value: `body` over `vars`, one loop per dimension. No body: nothing was
/// written yet.
struct Tile {
  std::vector<Loop> vars;
  ExprRef body;
};

/// A piece of memory: an argument, or what the function allocates.
struct Memory {
  /// Buffers of the program: what the caller left there, and what the function writes.
  int before = -1, after = -1;
  std::vector<std::int64_t> shape;
  std::string dtype;
  std::vector<Loop> scope;               ///< loops around its allocation
  std::size_t conditions = 0;            ///< of branches around its allocation
  std::size_t bounds = 0;                ///< of loops and branches around its allocation
  std::optional<Tile> content;           ///< of an allocation that was written as a whole
  std::optional<std::size_t> statement;  ///< the last one that writes its elements
  std::vector<std::size_t> parts;        ///< those that write other elements
  mlir::Operation* stored = nullptr;     ///< the last one that stores, for messages
  std::size_t guards = 0;                ///< conditions from data around its allocation
  bool isArgument = false, isFlat = false, isRead = false;
  bool isConstant = false;
  bool isWritten = true;  ///< of an argument: whether the function may write it
  /// Of memory that a loop carries: what stands where the iteration has not written, and the state
  /// that is in front of the iteration.
  std::optional<Tile> base;
  int state = -1;
  std::vector<int> earlier;  ///< buffers of the iteration's stores before the last one
};
using MemoryRef = std::shared_ptr<Memory>;

/// A view of a memory: element x of the view is element offset + sum of x[d] * step[d]. Of a flat
/// memory, or after a cast that reinterprets it, there is one number, the address.
struct View {
  MemoryRef memory;
  bool flat = false;
  std::vector<Linear> offset;                   ///< per dimension of the memory
  std::vector<std::vector<std::int64_t>> step;  ///< per dimension of the view
  std::vector<std::int64_t> sizes;              ///< greatest, of the view
  /// Elements are there only where these are at least 0 for the loops that stand for the view's
  /// dimensions, which are numbered -1, -2, ...
  std::vector<Linear> where;
  /// Of a view of another shape: the view that it reshapes. `offset` and `step` then lead to an
  /// element of one dimension, in the row-major order of that view.
  std::shared_ptr<const View> source = {};
  /// Of a flat memory: elements of integer tensors in the offset, by the loops that stand for them.
  std::map<Loop, ExprRef> data = {};
};

/// A tensor that a loop carries, of which one iteration replaced a box: from `offset` on, as many
/// elements as the tile has.
struct Patch {
  int state = -1;  ///< the tensor before the iteration
  Tile tile;
  std::vector<Linear> offset;
  std::vector<std::int64_t> shape;  ///< of the whole tensor
  std::string edgeOf = {};          ///< the element type, where the last slice may be an edge tile
};

/// Where the values that a loop carries stand in a tensor: the value behind an iteration is element
/// `index`, over the loops around, `vars` and the loop.
struct History {
  int buffer = -1;
  bool isShifted = false;  ///< element 0 is the value before the first iteration
  bool isMade = false;     ///< the loop's body fills it
  std::vector<Linear> index;
  std::vector<Loop> vars;
};

using Value = std::variant<std::monostate, Integer, ExprRef, Tile, View, Patch>;

}  // namespace gridloom::importer

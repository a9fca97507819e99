// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "importer/expr.h"

namespace gridloom::importer {

/// A place in the imported file.
struct Place {
  int line = 0, column = 0;  ///< 1-based; 0: not known
};

/// A tensor of an imported program.
struct Buffer {
  std::string name;
  std::string dtype;                ///< as the kernel language spells it
  std::vector<std::int64_t> shape;  ///< of a flat buffer: empty until `giveShapes`
  /// Its elements are addressed by one number, as by pointers; dimensions follow from the accesses.
  bool flat = false;
  bool isArgument = false;  ///< memory of the caller
  /// Of a flat buffer whose outermost dimension is indexed by data: how long it is.
  std::optional<std::int64_t> outer = {};
  /// Of a value that a loop carries: what it is before the first iteration, index -1.
  std::optional<double> initial = {};
  Place place = {};  ///< of an argument
  /// Of memory of the caller that is written: the buffer of what it held before.
  int before = -1;
};

/// One recurrence: an element of a buffer for all values of its loops.
struct Statement {
  int target = -1;
  std::vector<Linear> index;
  ExprRef value;
  std::vector<Linear> where;  ///< each at least 0
  /// Statements of one loop that carries values have the same number: they are one kernel.
  int together = -1;
  Place place = {};  ///< of the operation that it computes
  /// The value before the first iteration of a loop, which later statements of its target continue.
  bool isStart = false;
  std::vector<Loop> scope = {};  ///< loops around the operation
};

/// What a function of the imported file computes, as recurrences in their order.
struct Program {
  std::string name;
  Place place = {};  ///< of the function
  Loops loops;
  std::vector<Buffer> buffers;
  std::vector<Statement> statements;
};

/// Why something is not imported, thrown within this room and caught where it is called.
struct Refusal {
  std::string message;
  std::string hint;
  int line = 0, column = 0;    ///< 1-based; 0: not known yet
  std::string needs = {};      ///< the value of the user's that is missing
  bool isByRemainder = false;  ///< no affine form says which iteration wrote an element
};

/// Makes one loop of loops that tiling has split: p of P blocks and a within a block of E, where
/// every index that names them has the form E * p + a. Dimensions of buffers that such loops name
/// apart become one, too.
void mergeLoops(Program& program);
/// An expression without the masks that hold for all iterations, or that `where`, in which loops
/// that were divided stand as their parts, implies.
ExprRef withoutMasks(const Loops& loops, const ExprRef& expr, const std::vector<Linear>& where);
/// Turns masks, by which blocks stop at the end of a tensor, into extents of loops, where what they
/// leave out adds nothing.
void clipLoops(Program& program);
/// Gives flat buffers dimensions: the strides of the loops that run over them; the same ones to
/// what a memory held before and holds then. Throws Refusal.
void giveShapes(Program& program);
/// Elements of the caller's memory that no statement writes keep what was there: adds statements.
/// Throws Refusal.
void keepTheRest(Program& program);
/// Recurrences as text, and where in the imported file each of its lines comes from.
struct PrintedKernels {
  std::string text;
  std::vector<Place> places;  ///< per line
};
/// The text of the kernels, in the language of resources/docs/kernel.md. A product whose operand is
/// another product's result begins a kernel of its own. Throws Refusal.
PrintedKernels printKernels(const Program& program);

}  // namespace gridloom::importer

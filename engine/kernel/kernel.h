// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "affine/integer_set.h"
#include "affine/linear_expr.h"
#include "base/result.h"
#include "base/strong_id.h"
#include "base/units.h"
#include "kernel/dtype.h"
#include "kernel/expr_op.h"

namespace gridloom::kernel {

using LoopId = base::StrongId<struct LoopTag>;
using TensorId = base::StrongId<struct TensorTag>;
using StatementId = base::StrongId<struct StatementTag>;

/// Dependences between the iterations of a loop. Derived from the statements, never declared.
enum class LoopKind {
  Parallel,    ///< no iteration needs another one
  Reduction,   ///< under sum/max only: any order, partial results combine
  Sequential,  ///< an iteration needs values of an earlier one
};

struct Loop {
  std::string name;
  std::int64_t extent = 0;
  LoopKind kind = LoopKind::Parallel;
  base::Span span;  ///< first use in the source
  /// As declared by `for r in 0..R`; 0: tensor dimensions that the loop indexes give its extent.
  std::int64_t declared = 0;
  std::string declaredSpelling;       ///< as written (`R`); empty: print the number
  std::vector<std::string> comments;  ///< lines before the declaration
};

enum class TensorRole {
  Input,   ///< read from global memory
  Output,  ///< written to global memory
  Local,   ///< lives inside the kernel only
};

struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;  ///< 0, in a draft: as long as the loops of its one statement
  DType dtype = DType::F32;
  TensorRole role = TensorRole::Input;
  /// Initial value of loop-carried state: the value read at index -1 (`local m[...]: f32 = -inf`).
  std::optional<double> initial;
  base::Span span;
  std::string of;  ///< in a form of the kernel: name of the tensor as written; "": this one
  std::vector<std::string> shapeSpelling;  ///< as written (`H - R + 1`); empty: print the numbers
  std::vector<std::string> comments;       ///< lines before the declaration
};

struct IndexRead;

/// tensor[indices...]; every index is linear in the kernel's loops (dimension d is LoopId d), or an
/// element of an integer tensor.
struct Access {
  TensorId tensor;
  std::vector<affine::LinearExpr> indices;
  base::Span span;
  std::vector<std::string> spelling;  ///< indices as written (`S - 1`); empty: print the numbers
  /// A gather: the dimensions whose index is read (`E[idx[t], d]`), where `indices` are 0. Both
  /// tensors are inputs. In an expression, the index is a read of its own, too: an operand of the
  /// node.
  std::vector<IndexRead> gathers;

  bool isGather() const { return !gathers.empty(); }
};

/// An index of a gather.
struct IndexRead {
  std::size_t dim = 0;
  Access access;
};

/// Gathers at most this many dimensions: a node has so many operands.
inline constexpr std::size_t kMostGathers = 3;

/// Expression tree in a flat array, children before parents, the root last.
struct ExprNode {
  ExprOp op = ExprOp::Constant;
  double constant = 0;
  std::int32_t lhs = -1;
  std::int32_t rhs = -1;
  std::int32_t other = -1;    ///< Select: the value where the condition `lhs` does not hold
  std::int32_t read = -1;     ///< Read: index into Statement::reads
  LoopId loop;                ///< Index: the loop whose value it is
  std::vector<LoopId> loops;  ///< reductions: the loops reduced over
  std::string spelling;       ///< Constant: the parameter it came from; empty: print the number

  /// Nodes it is computed from; -1: none.
  std::array<std::int32_t, 3> operands() const { return {lhs, rhs, other}; }
};

/// Appends a node of these operands; returns its place.
std::int32_t addNode(std::vector<ExprNode>& nodes, ExprOp op, std::int32_t lhs = -1,
                     std::int32_t rhs = -1, std::int32_t other = -1);

/// target[...] = expression, for every point of the domain.
struct Statement {
  Access target;
  std::vector<Access> reads;
  std::vector<ExprNode> expr;
  std::vector<LoopId> loops;                    ///< the loops of its domain, target loops first
  std::vector<LoopId> reductions;               ///< those of `loops` under a sum/max/min
  std::vector<affine::Constraint> constraints;  ///< `where`, over the kernel's loops
  base::Span span;
  /// `where` as written, with what became a range (takeSharedBounds); empty: print the constraints.
  std::vector<std::string> constraintSpelling;
  std::vector<std::string> comments;  ///< lines before the statement
  bool implied = false;               ///< not written: zeros of what no other statement defines
};

/// A quotient of a draft's index, `h / 4`: `quotient` stands for it until `check` splits the loop.
struct DividedLoop {
  LoopId loop;
  std::int64_t divisor = 1;
  LoopId quotient;
  base::Span span;
};

struct Parameter {
  std::string name;
  std::int64_t value = 0;
  base::Span span;
  std::string spelling;  ///< as written (`H - R + 1`); empty: print the value
};

/// One kernel, checked: names resolved, extents positive, accesses inside their tensors, every
/// output defined. Made by `syntax::parseKernels` (which calls `kernel::check`) or by an importer.
struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Loop> loops;
  std::vector<Tensor> tensors;
  std::vector<Statement> statements;     ///< in source order
  std::vector<DividedLoop> divided;      ///< of a draft only
  base::SourceRef source;                ///< may be null for kernels made in code
  base::Span span;                       ///< the name in the source
  std::vector<std::string> comments;     ///< lines before the kernel
  std::vector<std::string> endComments;  ///< lines before its closing brace
  /// The kernel that was written, where `check` gave it another form (withRunningSoftmax).
  std::shared_ptr<const Kernel> written;
  /// Another form of the same kernel, which some hardware runs faster: state where this one has an
  /// output (withOutputState). Null if there is none.
  std::shared_ptr<const Kernel> alternative;

  const Kernel& asWritten() const { return written ? *written : *this; }
  const Loop& loop(LoopId id) const { return loops[id.index()]; }
  const Tensor& tensor(TensorId id) const { return tensors[id.index()]; }
};

/// Kernels connected by tensors of the same name: an output of one is an input of a later one.
struct KernelGraph {
  std::vector<Kernel> kernels;
  std::vector<std::string> endComments;  ///< lines behind the last kernel
};

std::int64_t elementCount(const Tensor& tensor);

inline const ExprNode& nodeOf(const Statement& statement, std::int32_t node) {
  return statement.expr[static_cast<std::size_t>(node)];
}

/// Domain of a statement over all loops of the kernel (loops outside its domain have extent 1).
affine::IntegerSet domainOf(const Kernel& kernel, const Statement& statement);
/// Domain of the elements a statement defines: constraints that name a reduction loop only limit
/// that reduction (`where j < i` leaves an empty sum at i = 0, not an undefined element).
affine::IntegerSet targetDomainOf(const Kernel& kernel, const Statement& statement);
/// The elements that a statement defines; those of each statement of a tensor.
affine::Image definedBy(const Kernel& kernel, const Statement& statement);
std::vector<affine::Image> definitionsOf(const Kernel& kernel, TensorId tensor);

/// The box of `loops`, bounded by the constraints of the statement that name no other loop.
affine::IntegerSet domainOver(const Kernel& kernel, const Statement& statement,
                              const std::vector<LoopId>& loops);
std::vector<LoopId> targetLoops(const Statement& statement);
/// Per expression node: the reduction loops around it.
std::vector<std::vector<LoopId>> enclosingReductions(const Statement& statement);
/// The domain inside the reductions over `under`. A constraint on another reduction loop of the
/// statement bounds that reduction alone: an empty sum still has a value.
std::vector<affine::Constraint> domainInside(const Statement& statement,
                                             const std::vector<LoopId>& under);

/// "parallel", "reduction", "sequential".
std::string_view nameOf(LoopKind kind);
/// "input", "output", "local".
std::string_view nameOf(TensorRole role);

bool contains(const std::vector<LoopId>& loops, LoopId loop);
/// Whether an index is one loop, and nothing else.
bool isBareLoop(const affine::LinearExpr& index);
/// The loops of a target of which every index is one, each another, in the order of the indices;
/// none of another one.
std::vector<LoopId> loopPerIndex(const Access& target);
/// Whether there is one for each index.
bool hasLoopPerIndex(const Statement& statement);
/// Loops whose coefficient in any index is not 0, in order.
std::vector<LoopId> loopsOf(const Access& access);
/// Whether gathers read the tensor as an index.
bool isIndexTensor(const Kernel& kernel, TensorId tensor);
/// Whether two accesses read the same element in every iteration.
bool sameElement(const Access& a, const Access& b);
/// `X[i, j - 1]`
std::string toString(const Kernel& kernel, const Access& access);
/// The constraints of a statement's `where`, in order, as they were written.
std::vector<std::string> spellingsOf(const Kernel& kernel, const Statement& statement);
std::vector<std::string> loopNames(const Kernel& kernel);

/// Element operations of the whole kernel, by the convention of the field: a multiply-add is 2, an
/// elementwise operation or a reduction step is 1 per point. Rescaling of loop-carried state counts
/// 0: tiling causes it, not the kernel (FlashAttention thus counts 4*S*S*D per head plus its
/// elementwise softmax work).
double flopCount(const Kernel& kernel);

/// Bytes that any execution must move: each input element read once, each output written once.
base::Bytes compulsoryBytes(const Kernel& kernel);
/// Those of one tensor: read where it is an input, written where it is an output, 0 otherwise.
base::Bytes compulsoryBytes(const Kernel& kernel, TensorId tensor);

}  // namespace gridloom::kernel

// SPDX-License-Identifier: Apache-2.0
#include "kernel/definedness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "affine/index_digits.h"
#include "kernel/dependences.h"
#include "kernel/missing_definition.h"
#include "kernel/own_elements.h"
#include "kernel/read_pieces.h"
#include "kernel/running_read.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

std::string elementName(const Tensor& tensor, const std::vector<std::int64_t>& element) {
  return fmt::format("{}[{}]", tensor.name, fmt::join(element, ", "));
}

affine::Image allOf(const Tensor& tensor) {
  affine::Image image;
  image.domain.extents = tensor.shape;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    image.indices.push_back(affine::LinearExpr::dim(d));
  }
  return image;
}

constexpr const char* kSimpler =
    "write each `where` about single loops, as in `i < 8`, and indices with small factors";
constexpr const char* kReadsUndefined = "reads elements that nothing defines";

// It takes too long to find out whether the accesses of a kernel are as they must be.
base::Diagnostic unknownError(const Kernel& kernel, const Access& access, const char* question) {
  return base::errorAt(kernel.source, access.span,
                       fmt::format("it takes too long to find out whether `{}` {}",
                                   toString(kernel, access), question),
                       kSimpler);
}

void checkOnce(const Kernel& kernel, const Statement& earlier, const Statement& later,
               base::Diagnostics& errors) {
  const affine::FoundElement shared =
      affine::sharedElement(definedBy(kernel, earlier), definedBy(kernel, later));
  if (shared.gaveUp) {
    errors.push_back(unknownError(kernel, later.target, "defines elements twice"));
  } else if (shared.element) {
    errors.push_back(
        base::errorAt(kernel.source, later.target.span,
                      fmt::format("`{}` is defined twice: `{}` has defined it before",
                                  elementName(kernel.tensor(later.target.tensor), *shared.element),
                                  toString(kernel, earlier.target)),
                      "keep the statements apart with `where`, or use another tensor"));
  }
}

void checkTwice(const Kernel& kernel, base::Diagnostics& errors) {
  for (std::size_t b = 0; b < kernel.statements.size(); ++b) {
    const Statement& later = kernel.statements[b];
    for (std::size_t a = 0; a < b; ++a) {
      const Statement& earlier = kernel.statements[a];
      if (earlier.target.tensor == later.target.tensor) checkOnce(kernel, earlier, later, errors);
    }
  }
}

base::Diagnostic selfReadError(const Kernel& kernel, const UndefinedRead& undefined) {
  const Statement& statement = kernel.statements[undefined.reader.index()];
  const Access& read = statement.reads[undefined.read];
  const Tensor& tensor = kernel.tensor(read.tensor);
  if (!undefined.element) return unknownError(kernel, read, kReadsUndefined);
  const auto definition = missingDefinition(kernel, read.tensor, *undefined.element);
  return base::errorAt(
      kernel.source, read.span,
      fmt::format("`{}` reads `{}`, which nothing defines", toString(kernel, read),
                  elementName(tensor, *undefined.element)),
      definition ? fmt::format("define it in a statement of its own, such as `{}`", *definition)
                 : fmt::format("index `{}` by loops alone, with a `where`, and define the rest in "
                               "statements of their own",
                               tensor.name));
}

// Whether statements that define nothing twice define as many elements as there are: many of them,
// as of interleaved outputs, take isl too long.
bool isDefinedByNumber(const Kernel& kernel, TensorId id) {
  std::int64_t defined = 0;
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor != id) continue;
    std::vector<std::int64_t> extents;
    for (const Loop& loop : kernel.loops) extents.push_back(loop.extent);
    if (!statement.constraints.empty() || !affine::isInjective(statement.target.indices, extents)) {
      return false;
    }
    std::int64_t elements = 1;
    for (const LoopId loop : targetLoops(statement))
      elements = base::saturatingMul(elements, kernel.loop(loop).extent);
    defined = base::saturatingAdd(defined, elements);
  }
  return defined == elementCount(kernel.tensor(id));
}

void checkOutputs(const Kernel& kernel, base::Diagnostics& errors) {
  const bool isOnce = errors.empty();
  bool any = false;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const Tensor& tensor = kernel.tensors[t];
    any = any || tensor.role == TensorRole::Output;
    if (tensor.role != TensorRole::Output) {
      continue;
    }
    if (const auto read = undefinedSelfRead(kernel, TensorId::of(t))) {
      errors.push_back(selfReadError(kernel, *read));
      continue;
    }
    if (isOnce && isDefinedByNumber(kernel, TensorId::of(t))) continue;
    const affine::FoundElement missing =
        affine::missingElement(allOf(tensor), definitionsOf(kernel, TensorId::of(t)));
    if (missing.gaveUp) {
      errors.push_back(base::errorAt(
          kernel.source, tensor.span,
          fmt::format("it takes too long to find out whether all of `{}` is defined", tensor.name),
          kSimpler));
    }
    if (missing.element) {
      errors.push_back(base::errorAt(
          kernel.source, tensor.span,
          fmt::format("output element `{}` is never defined",
                      elementName(tensor, *missing.element)),
          "add a statement for the rest, make the tensor smaller, or index it by loops alone and "
          "choose: `select(i >= 1, ..., 0)`"));
    }
  }
  if (!any) {
    errors.push_back(base::errorAt(kernel.source, kernel.span,
                                   fmt::format("kernel `{}` has no output", kernel.name),
                                   "assign a tensor declared with `tensor`"));
  }
}

// The most common read needs no isl: it reads exactly what an unconstrained statement defines.
bool isPlainlyDefined(const Kernel& kernel, const Access& read) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& writer) {
    return writer.target.tensor == read.tensor && writer.constraints.empty() &&
           writer.target.indices == read.indices;
  });
}

// The first element that a read needs and that is in none of the images.
affine::FoundElement undefinedElement(const Kernel& kernel, const Statement& statement,
                                      std::size_t read, const std::vector<affine::Image>& images) {
  affine::FoundElement found;
  for (affine::IntegerSet& piece : readPieces(kernel, statement, read)) {
    affine::FoundElement missing =
        affine::missingElement({std::move(piece), statement.reads[read].indices}, images);
    if (missing.element) return missing;
    found.gaveUp = found.gaveUp || missing.gaveUp;
  }
  return found;
}

// Whether a read of state that nothing defines lies before the first that is computed, where state
// has its initial value: at the lower edge of a band, `m[i, j - 1]  where j > i - W`. Domains are
// convex, so in the same domain nothing else is left out.
bool readsInitialState(const Kernel& kernel, const Statement& reader, const Access& read) {
  if (!kernel.tensor(read.tensor).initial) return false;
  const Statement* writer = nullptr;
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor != read.tensor) continue;
    if (writer != nullptr) return false;
    writer = &statement;
  }
  return writer != nullptr && writer->constraints == reader.constraints &&
         lagBehind(writer->target, read).has_value();
}

void checkRead(const Kernel& kernel, const Statement& statement, std::size_t r,
               base::Diagnostics& errors) {
  const Access& read = statement.reads[r];
  const Tensor& tensor = kernel.tensor(read.tensor);
  if (tensor.role == TensorRole::Input || isPlainlyDefined(kernel, read) ||
      readsInitialState(kernel, statement, read)) {
    return;
  }
  const affine::FoundElement missing =
      undefinedElement(kernel, statement, r, definitionsOf(kernel, read.tensor));
  if (missing.gaveUp) errors.push_back(unknownError(kernel, read, kReadsUndefined));
  if (!missing.element) return;
  errors.push_back(base::errorAt(
      kernel.source, read.span,
      fmt::format("`{}` reads `{}`, which nothing defines", toString(kernel, read),
                  elementName(tensor, *missing.element)),
      fmt::format("define it in a statement `{}[...] = ...`, or leave it out with a `where` here",
                  tensor.name)));
}

void checkReads(const Kernel& kernel, base::Diagnostics& errors) {
  for (const Statement& statement : kernel.statements) {
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      checkRead(kernel, statement, r, errors);
    }
  }
}

}  // namespace

void checkDefinedness(const Kernel& kernel, base::Diagnostics& errors) {
  checkTwice(kernel, errors);
  checkOutputs(kernel, errors);
  if (errors.empty()) {
    checkReads(kernel, errors);
  }
}

std::optional<UndefinedRead> undefinedSelfRead(const Kernel& kernel, TensorId output) {
  if (!needsOwnElements(kernel, output)) return std::nullopt;
  const TensorCycles cycles(kernel);
  const std::vector<affine::Image> images = definitionsOf(kernel, output);
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    if (!cycles.isBetween(statement.target.tensor, output)) continue;
    for (std::size_t r = 0; r < statement.reads.size(); ++r) {
      const Access& read = statement.reads[r];
      if (read.tensor != output || isPlainlyDefined(kernel, read)) continue;
      affine::FoundElement missing = undefinedElement(kernel, statement, r, images);
      if (!missing.element && !missing.gaveUp) continue;
      return UndefinedRead{StatementId::of(s), r, std::move(missing.element)};
    }
  }
  return std::nullopt;
}

bool isDefined(const Kernel& kernel, const Access& access, std::span<const std::int64_t> point) {
  std::vector<std::int64_t> indices, extents, at;
  for (const affine::LinearExpr& index : access.indices) indices.push_back(index.evaluate(point));
  for (const Loop& loop : kernel.loops) extents.push_back(loop.extent);
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return statement.target.tensor == access.tensor &&
           affine::pointAt(statement.target.indices, indices, extents, at) &&
           targetDomainOf(kernel, statement).contains(at);
  });
}

base::Diagnostics undefinedOutputs(const Kernel& checked) {
  const Kernel& kernel = checked.asWritten();
  base::Diagnostics warnings;
  TensorId last;
  for (const Statement& statement : kernel.statements) {
    if (!statement.implied || statement.target.tensor == last) continue;
    last = statement.target.tensor;
    const Tensor& tensor = kernel.tensor(last);
    const auto zero = affine::missingElement(definedBy(kernel, statement), {}).element;
    if (!zero) continue;
    warnings.push_back(
        base::warningAt(kernel.source, tensor.span,
                        fmt::format("no statement defines `{}` and some others: they are 0",
                                    elementName(tensor, *zero)),
                        "where that is not meant, define them in a statement"));
  }
  return warnings;
}

}  // namespace gridloom::kernel

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <isl/ctx.h>
#include <isl/set.h>
#include <isl/val.h>

#include <memory>
#include <optional>

#include "affine/integer_set.h"

/// Sets of isl that free themselves, and how ours become theirs. Inside of this room only.
namespace gridloom::affine {

struct FreeCtx {
  void operator()(isl_ctx* ctx) const { isl_ctx_free(ctx); }
};
struct FreeSet {
  void operator()(isl_set* set) const { isl_set_free(set); }
};
struct FreeVal {
  void operator()(isl_val* value) const { isl_val_free(value); }
};
using Ctx = std::unique_ptr<isl_ctx, FreeCtx>;
using Set = std::unique_ptr<isl_set, FreeSet>;
using Val = std::unique_ptr<isl_val, FreeVal>;

/// A context that gives up after a bounded number of operations: the answer is then "unknown".
/// Functions of this room that say only yes or no take it as "not empty" and "not bounded".
Ctx makeCtx();

Set universe(const Ctx& ctx, std::size_t dims);
void addConstraint(Set& set, const Constraint& c);
/// Adds the box and the constraints of `domain`.
void addDomain(Set& set, const IntegerSet& domain);

/// Takes and converts an isl_val: none for an error or an infinity.
std::optional<std::int64_t> number(isl_val* raw);

bool hasEmptyExtent(const IntegerSet& set);

}  // namespace gridloom::affine

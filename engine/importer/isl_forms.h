// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <isl/cpp.h>

#include <string>
#include <vector>

#include "importer/linear.h"

/// Affine forms as sets and relations of isl, and back.
namespace gridloom::importer {

/// A context of isl that throws isl::exception where work exceeds a limit.
struct IslContext {
  IslContext();
  ~IslContext() { isl_ctx_free(raw); }
  IslContext(const IslContext&) = delete;
  IslContext& operator=(const IslContext&) = delete;
  isl_ctx* raw;
};

/// A piece of a set, and where a relation leads from there.
struct AffinePiece {
  std::vector<Linear> where;  ///< each at least 0
  std::vector<Linear> at;
};

/// `name[l1, l2]`, with the loops as the dimensions.
std::string tupleText(const std::string& name, const std::vector<Loop>& loops);
/// `name[forms]`.
std::string tupleText(const std::string& name, const std::vector<Linear>& forms);
/// The bounds of the loops, and conditions that are each at least 0.
std::string boundsText(const Loops& all, const std::vector<Loop>& loops,
                       const std::vector<Linear>& where);

/// The pieces of a set whose dimensions are the loops, disjoint. Throws Refusal where affine
/// conditions do not describe them.
std::vector<AffinePiece> piecesOf(const isl::set& set, const std::vector<Loop>& loops);
/// The conditions of the pieces of such a set, disjoint. A dimension of which a remainder is given
/// (every second element) becomes an equation with a loop of its own, which is added to `all`.
std::vector<std::vector<Linear>> liftedPiecesOf(const isl::set& set, const std::vector<Loop>& loops,
                                                Loops& all);
/// The pieces of a relation that leads to one point from each of a set whose dimensions are the
/// loops. `context`: points outside of it do not matter. Throws Refusal as above.
std::vector<AffinePiece> piecesOf(const isl::map& map, const std::vector<Loop>& loops,
                                  const isl::set& context);

/// The same. Where a remainder says where it leads, the values of up to `depth` loops, the shortest
/// first, are told apart.
std::vector<AffinePiece> casesOf(const isl::map& map, const std::vector<Loop>& loops,
                                 const isl::set& context, const Loops& all, int depth = 2);

/// Without the dimensions that `keeps` leaves out.
isl::set withDims(const isl::set& set, const std::vector<bool>& keeps);
isl::map withRangeDims(const isl::map& map, const std::vector<bool>& keeps);

}  // namespace gridloom::importer

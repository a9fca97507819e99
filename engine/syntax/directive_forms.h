// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "mapping/constraints.h"
#include "syntax/limits.h"

namespace gridloom::syntax {

using DirectiveKind = mapping::Directive::Kind;

/// The grammar of the parentheses.
enum class DirectiveShape {
  Placement,       ///< i->x,y  or  ->y
  Sizes,           ///< i, 64, 128
  Loops,           ///< j, i, k
  Tensor,          ///< A
  TensorAndNames,  ///< A, x, ...
  Lanes,           ///< k  or  k, 16
};

struct DirectiveForm {
  std::string_view word;
  DirectiveKind kind;
  DirectiveShape shape;
  std::size_t minNames;
  std::size_t maxNames;
  std::string_view example;
  std::string_view former = {};  ///< the word of earlier versions; still accepted
};

inline constexpr std::size_t kMany = kMaxDirectiveNames;

/// The words of the language; T2S-Tensor's (Srivastava et al., 2019, Section III) last.
inline constexpr auto kDirectiveForms = std::to_array<DirectiveForm>({
    {"space", DirectiveKind::Space, DirectiveShape::Placement, 1, kMany, "space(i->x)"},
    {"tile", DirectiveKind::Tile, DirectiveShape::Sizes, 0, 0, "tile(i, 128)"},
    {"order", DirectiveKind::Order, DirectiveShape::Loops, 1, kMany, "order(j, i, k)"},
    {"direct", DirectiveKind::Direct, DirectiveShape::Tensor, 0, 0, "direct(A)"},
    {"multicast", DirectiveKind::Multicast, DirectiveShape::TensorAndNames, 1, 2, "multicast(A, y)",
     "broadcast"},
    {"two_stage", DirectiveKind::TwoStage, DirectiveShape::TensorAndNames, 2, 2,
     "two_stage(A, x, y)", "stage"},
    {"stream", DirectiveKind::Stream, DirectiveShape::TensorAndNames, 1, 1, "stream(B, x)"},
    {"all_gather", DirectiveKind::AllGather, DirectiveShape::TensorAndNames, 1, 1,
     "all_gather(B, x)"},
    {"shared", DirectiveKind::Shared, DirectiveShape::TensorAndNames, 1, kMany, "shared(A, y)",
     "share"},
    {"stationary", DirectiveKind::Stationary, DirectiveShape::Tensor, 0, 0, "stationary(X@2)",
     "keep"},
    {"forwarded", DirectiveKind::Forwarded, DirectiveShape::Tensor, 0, 0, "forwarded(X@2)", "pass"},
    {"prefetch", DirectiveKind::Prefetch, DirectiveShape::Tensor, 0, 0, "prefetch(L)"},
    {"hoist", DirectiveKind::Hoist, DirectiveShape::TensorAndNames, 0, kMany, "hoist(A, k)"},
    {"double", DirectiveKind::Double, DirectiveShape::Tensor, 0, 0, "double(A)"},
    {"single", DirectiveKind::Single, DirectiveShape::Tensor, 0, 0, "single(A)"},
    {"buffer", DirectiveKind::SharedBuffer, DirectiveShape::TensorAndNames, 1, kMany,
     "buffer(A, mem_tiles, k, double)", "via"},
    {"gather", DirectiveKind::Gather, DirectiveShape::TensorAndNames, 0, 1, "gather(C, x)"},
    {"reduce", DirectiveKind::Reduce, DirectiveShape::TensorAndNames, 1, 1, "reduce(C, tree)",
     "combine"},
    {"layout", DirectiveKind::Layout, DirectiveShape::TensorAndNames, 1, 1, "layout(A, tile)",
     "place"},
    {"rotate", DirectiveKind::Rotate, DirectiveShape::TensorAndNames, 1, 1, "rotate(A, y)"},
    {"unit", DirectiveKind::Unit, DirectiveShape::TensorAndNames, 1, 1, "unit(C, vector)"},
    // T2S-Tensor's words (Srivastava et al., 2019, Section III); `buffer` and `gather` are above.
    {"unroll", DirectiveKind::Space, DirectiveShape::Placement, 1, kMany, "unroll(i->x)"},
    {"forward", DirectiveKind::Stream, DirectiveShape::TensorAndNames, 1, 1, "forward(A, x)"},
    {"scatter", DirectiveKind::Scatter, DirectiveShape::TensorAndNames, 1, 1, "scatter(A, y)"},
    {"vectorize", DirectiveKind::Vectorize, DirectiveShape::Lanes, 0, 0, "vectorize(k, 16)"},
    {"isolate", DirectiveKind::Isolate, DirectiveShape::TensorAndNames, 1, kMany,
     "isolate(A, loader, feeder)"},
});

}  // namespace gridloom::syntax

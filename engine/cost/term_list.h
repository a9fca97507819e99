// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace gridloom::cost {

/// What bounds a level of the recursion.
enum class Limit : std::uint8_t { Inside, Chain, Row, Dma };

/// Terms of the recursion, in the order in which they are asked. Each is a type that declares
///
///   static constexpr bool kMonotone;  // adding a transfer never lowers it: bounds may use it;
///                                     // otherwise it is asked of whole candidates only
///
/// and has one or several of the functions that `Recursion::cycles` asks for, each in cycles over
/// the whole kernel: `beforeLevels` and `afterLevels` add to the work, `atLevel` is a least time
/// of a level (with its `kLimit`), `afterLevel` adds to one, `first` and `fill` are least times of
/// the fill, `drain` one of the drain, `remaining` follows the first tile operation. Terms are
/// asked in their order; of terms of equal time, the first is reported as the limit.
template <class... Terms> struct TermList {
  static constexpr bool kMonotone = (Terms::kMonotone && ...);
  template <class Visit> static constexpr void each(Visit&& visit) {
    (visit.template operator()<Terms>(), ...);
  }
};

template <class... Lists> struct Joined;
template <class... A> struct Joined<TermList<A...>> { using Type = TermList<A...>; };
template <class... A, class... B, class... Rest>
struct Joined<TermList<A...>, TermList<B...>, Rest...> : Joined<TermList<A..., B...>, Rest...> {};

/// Those of a list that bounds may use.
template <class List> struct MonotoneOf;
template <class... Terms> struct MonotoneOf<TermList<Terms...>> {
  using Type =
      typename Joined<TermList<>,
                      std::conditional_t<Terms::kMonotone, TermList<Terms>, TermList<>>...>::Type;
};
template <class List> using MonotoneTerms = typename MonotoneOf<List>::Type;

}  // namespace gridloom::cost

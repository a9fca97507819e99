// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "importer/forms.h"
#include "importer/isl_forms.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

constexpr std::size_t kMostPieces = 256;  // of a tensor that stores leave

std::string elementsOf(const Loops& all, const Statement& statement) {
  std::set<Loop> named;
  for (const Linear& form : statement.index)
    for (const auto& [loop, coefficient] : form.terms) named.insert(loop);
  // A bound of a sum leaves no element out.
  std::vector<Linear> where = statement.where;
  std::erase_if(where, [&](const Linear& form) {
    return !std::ranges::all_of(form.terms, [&](const auto& t) { return named.contains(t.first); });
  });
  const std::vector<Loop> loops(named.begin(), named.end());
  return fmt::format("{{ {} -> {} : {} }}", tupleText("", loops), tupleText("", statement.index),
                     boundsText(all, loops, where));
}

// Whether a statement by itself writes all elements of a tensor, each once.
bool writesAll(const Loops& all, const Statement& statement,
               const std::vector<std::int64_t>& shape) {
  std::set<Loop> seen;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto loop = statement.index[d].asLoop();
    if (!loop || all.extent(*loop) != shape[d] || !seen.insert(*loop).second) return false;
  }
  return statement.where.empty();
}

class Rest {
 public:
  explicit Rest(Program& program) : m_program(program) {}

  /// Statements for what the others leave of a tensor.
  std::vector<Statement> of(int target, const std::vector<const Statement*>& writing) {
    const Buffer& buffer = m_program.buffers[static_cast<std::size_t>(target)];
    if (writing.size() == 1 && writesAll(m_program.loops, *writing.front(), buffer.shape))
      return {};
    std::vector<Loop> loops;
    std::vector<Linear> at;
    for (const std::int64_t size : buffer.shape) {
      loops.push_back(m_program.loops.add(size));
      at.push_back(Linear::loop(loops.back()));
    }
    const Place place = writing.back()->place;
    std::vector<Statement> rest;
    for (std::vector<Linear>& where : left(loops, writing)) {
      rest.push_back({target, at, load(buffer.before, at), std::move(where)});
      rest.back().place = place;
    }
    return rest;
  }

 private:
  using Pieces = std::vector<std::vector<Linear>>;

  Pieces left(const std::vector<Loop>& loops, const std::vector<const Statement*>& writing) {
    const Place place = writing.back()->place;
    try {
      const IslContext context;
      const isl::set rest = subtracted(isl::ctx(context.raw), loops, writing).coalesce();
      if (rest.n_basic_set() > kMostPieces)
        refuse(place,
               fmt::format("what stores leave of a tensor has more than {} parts", kMostPieces));
      Pieces pieces;
      for (AffinePiece& piece : piecesOf(rest, loops)) pieces.push_back(sorted(piece.where));
      // isl's order is its own.
      std::ranges::sort(pieces, [](const auto& a, const auto& b) {
        return std::ranges::lexicographical_compare(a, b, {}, orderOf, orderOf);
      });
      return pieces;
    } catch (Refusal& refusal) {
      if (refusal.line == 0)
        std::tie(refusal.line, refusal.column) = std::pair(place.line, place.column);
      throw;
    } catch (const isl::exception&) {
      refuse(place, "which elements of a tensor no store writes takes too long to find out");
    }
  }

  isl::set subtracted(isl::ctx ctx, const std::vector<Loop>& loops,
                      const std::vector<const Statement*>& writing) {
    const isl::set all = isl::map(ctx, fmt::format("{{ [] -> {} : {} }}", tupleText("", loops),
                                                   boundsText(m_program.loops, loops, {})))
                             .range();
    isl::set rest = all;
    for (const Statement* statement : writing) {
      const isl::map to(ctx, elementsOf(m_program.loops, *statement));
      if (!to.range().is_subset(all)) refuse(statement->place, "it stores outside of the tensor");
      if (!to.is_injective() || !to.range().is_subset(rest))
        refuse(statement->place, "stores to one tensor overlap");
      rest = rest.subtract(to.range());
    }
    return rest.gist(all);
  }

  static std::vector<std::int64_t> orderOf(const Linear& form) {
    std::vector<std::int64_t> order;
    for (const auto& [loop, coefficient] : form.terms) {
      order.push_back(loop);
      order.push_back(-coefficient);
    }
    order.push_back(-form.constant);
    return order;
  }

  // Without those that hold for all iterations; by loops, lower bounds first.
  std::vector<Linear> sorted(std::vector<Linear> where) const {
    std::erase_if(where, [&](const Linear& f) { return m_program.loops.range(f).first >= 0; });
    std::ranges::sort(where, {}, orderOf);
    return where;
  }

  [[noreturn]] static void refuse(const Place& place, std::string message) {
    throw Refusal{std::move(message), "write each element once, or write to a tensor of its own",
                  place.line, place.column};
  }

  Program& m_program;
};

}  // namespace

void keepTheRest(Program& program) {
  Rest rest(program);
  std::map<int, std::size_t> last;
  for (std::size_t s = 0; s < program.statements.size(); ++s)
    if (program.buffers[static_cast<std::size_t>(program.statements[s].target)].before >= 0)
      last[program.statements[s].target] = s;
  std::vector<Statement> statements;
  for (std::size_t s = 0; s < program.statements.size(); ++s) {
    const int target = program.statements[s].target;
    statements.push_back(program.statements[s]);
    if (!last.contains(target) || last.at(target) != s) continue;
    std::vector<const Statement*> writing;
    for (const Statement& statement : program.statements)
      if (statement.target == target) writing.push_back(&statement);
    std::ranges::move(rest.of(target, writing), std::back_inserter(statements));
  }
  program.statements = std::move(statements);
}

}  // namespace gridloom::importer

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/loop_nest.h"

namespace gridloom::report {

namespace {

std::string lineOf(const NestItem& item, const kernel::Kernel& kernel) {
  switch (item.kind) {
  case NestItem::Kind::Cores: {
    std::vector<std::string> names, zeros, sizes;
    for (const auto& [name, size] : item.extents) {
      names.push_back(name);
      zeros.emplace_back("0");
      sizes.push_back(std::to_string(size));
    }
    return fmt::format("affine.parallel ({}) = ({}) to ({}) {{  // {}", fmt::join(names, ", "),
                       fmt::join(zeros, ", "), fmt::join(sizes, ", "), item.comment);
  }
  case NestItem::Kind::Loop: {
    const bool parallel = kernel.loop(item.loop).kind == kernel::LoopKind::Parallel;
    return fmt::format("{} t{} = 0 to {} {{  // {}", parallel ? "affine.for" : "scf.for", item.name,
                       item.trips, item.comment);
  }
  case NestItem::Kind::Operation: {
    const std::string tile =
        item.tile.empty() ? "" : fmt::format("[{}]", fmt::join(item.tile, ", "));
    return fmt::format("{} {}{} {{{}}}", item.name, item.subject, tile, item.attributes);
  }
  case NestItem::Kind::End:
    break;
  }
  return "}";
}

}  // namespace

std::string loopNestText(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const hardware::Topology& hw, const mapping::Mapping& mapping) {
  std::string text = fmt::format("// {} on {}\n", kernel.name, hw.name());
  std::size_t indent = 0;
  for (const NestItem& item : loopNestItems(kernel, nest, hw, mapping)) {
    if (item.kind == NestItem::Kind::End) --indent;
    text += std::string(2 * indent, ' ') + lineOf(item, kernel) + "\n";
    if (item.kind == NestItem::Kind::Cores || item.kind == NestItem::Kind::Loop) ++indent;
  }
  return text;
}

}  // namespace gridloom::report

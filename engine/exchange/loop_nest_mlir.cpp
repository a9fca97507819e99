// SPDX-License-Identifier: Apache-2.0
#include "exchange/loop_nest_mlir.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "exchange/quoted_text.h"
#include "report/loop_nest.h"

namespace gridloom::exchange {

namespace {

using kernel::LoopId;
using report::NestItem;

std::string identifier(const std::string& name) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0 ? "_" + out : out;
}

// Parts between commas that stand in no brackets and quotes.
std::vector<std::string> partsOf(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted != (c == '"');
    if (!quoted) depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0 && !quoted) {
      parts.emplace_back();
    } else if (c != ' ' || quoted || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  std::erase(parts, "");
  return parts;
}

// `%l1`, `(x, y)`, `{%a, %b}`, `"global"` or a number as an attribute of MLIR.
std::string attributeOf(const std::string& value) {
  const bool isList = value.front() == '(' || value.front() == '{';
  if (isList) {
    std::vector<std::string> parts;
    for (const std::string& part : partsOf(value.substr(1, value.size() - 2))) {
      parts.push_back(attributeOf(part));
    }
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (value.front() == '"') return value;
  if (value.front() == '%') return quotedText(value.substr(1));
  const bool isNumber = std::ranges::all_of(
      value, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  return isNumber ? value + " : i64" : quotedText(value);
}

class MlirText {
 public:
  MlirText(const kernel::Kernel& kernel, const hardware::Topology& hw,
           const mapping::Mapping& mapping)
      : m_kernel(kernel), m_hw(hw), m_mapping(mapping) {}

  std::string run(const std::vector<NestItem>& items) {
    m_text = fmt::format("func.func @{}() attributes {{hardware = {}}} {{\n",
                         identifier(m_kernel.name), quotedText(m_hw.name()));
    m_buffers.emplace_back();
    for (const NestItem& item : items) {
      for (const std::string& dim : item.tile) noteLoops(dim);
    }
    for (const NestItem& item : items) add(item);
    return m_text + "  return\n}\n";
  }

 private:
  template <class... T> void line(fmt::format_string<T...> form, T&&... values) {
    m_text.append(2 * m_buffers.size(), ' ');
    fmt::format_to(std::back_inserter(m_text), form, std::forward<T>(values)...);
    m_text += '\n';
  }
  std::string name(LoopId loop) const { return identifier(m_kernel.loop(loop).name); }

  void noteLoops(const std::string& dim) {
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      for (const std::string& term : termsOf(dim)) {
        if (term == "t" + m_kernel.loops[l].name) m_used.insert(l);
      }
    }
  }
  // `ti + tr` as its terms.
  static std::vector<std::string> termsOf(const std::string& dim) {
    std::vector<std::string> terms;
    for (std::size_t at = 0; at < dim.size();) {
      const std::size_t end = std::min(dim.find(" + ", at), dim.size());
      terms.push_back(dim.substr(at, end - at));
      at = end + 3;
    }
    return terms;
  }

  void add(const NestItem& item) {
    switch (item.kind) {
    case NestItem::Kind::Cores:
      return openCores(item);
    case NestItem::Kind::Loop:
      line("affine.for %w{} = 0 to {} {{  // {}", name(item.loop), item.trips, item.comment);
      m_buffers.emplace_back();
      return tileNumber(item.loop, true);
    case NestItem::Kind::Operation:
      return operation(item);
    case NestItem::Kind::End:
      m_buffers.pop_back();
      return line("}}");
    }
  }

  void openCores(const NestItem& item) {
    std::vector<std::string> names, zeros;
    std::vector<std::int64_t> sizes;
    for (const auto& [dim, size] : item.extents) {
      names.push_back("%at_" + identifier(dim));
      zeros.emplace_back("0");
      sizes.push_back(size);
    }
    line("affine.parallel ({}) = ({}) to ({}) {{  // {}", fmt::join(names, ", "),
         fmt::join(zeros, ", "), fmt::join(sizes, ", "), item.comment);
    m_buffers.emplace_back();
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
      const auto loop = LoopId::of(l);
      if (!kernel::contains(m_mapping.order, loop)) tileNumber(loop, false);
    }
  }

  // The tile of a loop that a core works on: tile = (wave * size + coordinate) * size ...
  void tileNumber(LoopId loop, bool inTime) {
    if (!m_used.contains(loop.index())) return;
    std::string form = inTime ? "d0" : "0";
    std::vector<std::string> dims, operands;
    if (inTime) {
      dims.emplace_back("d0");
      operands.push_back("%w" + name(loop));
    }
    for (const std::uint8_t d : m_mapping.dimOrder) {
      if (m_mapping.space[d] != loop) continue;
      dims.push_back(fmt::format("d{}", dims.size()));
      operands.push_back("%at_" + identifier(m_hw.dims()[d].name));
      form = form == "0" ? dims.back()
                         : fmt::format("({}) * {} + {}", form, m_hw.dims()[d].size, dims.back());
    }
    line("%t{} = affine.apply affine_map<({}) -> ({})>({})", name(loop), fmt::join(dims, ", "),
         form, fmt::join(operands, ", "));
  }

  void operation(const NestItem& item) {
    std::vector<std::string> attributes{"tensor = " + quotedText(item.subject)};
    for (const std::string& pair : partsOf(item.attributes)) {
      const std::size_t equals = pair.find('=');
      attributes.push_back(pair.substr(0, equals) + " = " + attributeOf(pair.substr(equals + 1)));
    }
    if (item.name == "alloc") {
      const std::string result = fmt::format("%{}_{}", identifier(item.subject), m_count++);
      m_buffers.back()[item.subject] = result;
      return line("{} = \"df.alloc\"() {{{}}} : () -> !df.tile", result,
                  fmt::join(attributes, ", "));
    }
    std::vector<std::string> operands, types, tile;
    for (auto scope = m_buffers.rbegin(); scope != m_buffers.rend(); ++scope) {
      const auto found = scope->find(item.subject);
      if (found == scope->end()) continue;
      operands.push_back(found->second);
      types.emplace_back("!df.tile");
      break;
    }
    for (const std::string& dim : item.tile) {
      tile.push_back(quotedText(dim));
      for (const std::string& term : termsOf(dim)) {
        if (term.front() != 't') continue;
        operands.push_back("%t" + identifier(term.substr(1)));
        types.emplace_back("index");
      }
    }
    if (!tile.empty()) attributes.push_back(fmt::format("tile = [{}]", fmt::join(tile, ", ")));
    line("\"df.{}\"({}) {{{}}} : ({}) -> ()", item.name, fmt::join(operands, ", "),
         fmt::join(attributes, ", "), fmt::join(types, ", "));
  }

  const kernel::Kernel& m_kernel;
  const hardware::Topology& m_hw;
  const mapping::Mapping& m_mapping;
  std::string m_text;
  std::set<std::size_t> m_used;                               ///< loops whose tiles are named
  std::vector<std::map<std::string, std::string>> m_buffers;  ///< per open block, by tensor
  int m_count = 0;
};

}  // namespace

std::string loopNestMlir(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const hardware::Topology& hw, const mapping::Mapping& mapping) {
  return MlirText(kernel, hw, mapping).run(report::loopNestItems(kernel, nest, hw, mapping));
}

}  // namespace gridloom::exchange

// SPDX-License-Identifier: Apache-2.0
#include "importer/later_linalg.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <vector>

namespace gridloom::importer {

namespace {

// Longer operations and lines are left as they are: a regular expression takes memory for each of
// their characters.
constexpr std::size_t kLongest = 8192;

// Parts of a list, separated by commas outside of brackets, without blanks around them.
std::vector<std::string> partsOf(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char before = ' ';
  for (const char c : list) {
    if (c == '<' || c == '(' || c == '[') ++depth;
    if ((c == '>' && before != '-') || c == ')' || c == ']') --depth;
    before = c;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (!(std::isspace(static_cast<unsigned char>(c)) != 0 && parts.back().empty())) {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part.erase(part.find_last_not_of(" \t\r\n") + 1);
  std::erase(parts, std::string());
  return parts;
}

/// An operation of later releases: its operands and their types.
struct LaterOp {
  std::vector<std::string> maps, ins, types;
  std::string out, outType, result;
};

std::string elementOf(const std::string& type) {
  static const std::regex shaped(R"rx((?:tensor|memref)<(?:[0-9?]+x)*([a-z][a-z0-9A-Z]*)\b)rx");
  std::smatch match;
  return std::regex_search(type, match, shaped) ? match[1].str() : type;
}

bool isFloat(const std::string& type) { return type[0] == 'f' || type.starts_with("bf"); }

int widthOf(const std::string& type) {
  const auto digits = type.find_first_of("0123456789");
  return digits == std::string::npos ? 0 : std::stoi(type.substr(digits, 3));
}

// `(d0, d1) -> (d1)` of a map, or of the alias that stands for it.
std::string mapText(const std::string& map, const std::map<std::string, std::string>& aliases) {
  const auto known = aliases.find(map);
  return known == aliases.end() ? map : known->second;
}

// `"parallel"` where the result's map has the dimension.
std::optional<std::string> iteratorsOf(const std::string& map) {
  static const std::regex form(R"(affine_map<\s*\(([^)]*)\)\s*->\s*\(([^)]*)\)\s*>)");
  std::smatch match;
  if (!std::regex_search(map, match, form)) return std::nullopt;
  const auto dims = partsOf(match[1].str()), kept = partsOf(match[2].str());
  std::string text;
  for (const std::string& dim : dims) {
    const bool isKept = std::ranges::find(kept, dim) != kept.end();
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", isKept ? "parallel" : "reduction");
  }
  return text;
}

std::string identityMap(std::size_t rank) {
  std::string dims;
  for (std::size_t d = 0; d < rank; ++d) dims += fmt::format("{}d{}", d == 0 ? "" : ", ", d);
  return fmt::format("affine_map<({0}) -> ({0})>", dims);
}

// Operations of elements by the names of their kinds; `#` is the element type.
std::optional<std::string> elementwiseBody(const std::string& kind, const std::string& type) {
  static const std::set<std::string> functions{"exp",  "log",   "ceil", "floor", "round",
                                               "sqrt", "rsqrt", "tanh", "erf"};
  static const std::map<std::string, std::pair<const char*, const char*>> ops{
      {"add", {"addf", "addi"}},
      {"sub", {"subf", "subi"}},
      {"mul", {"mulf", "muli"}},
      {"div", {"divf", "divsi"}},
      {"max_signed", {"maximumf", "maxsi"}},
      {"min_signed", {"minimumf", "minsi"}}};
  const std::string yield = "linalg.yield %@later : " + type;
  if (functions.contains(kind)) {
    return fmt::format("%@later = math.{} %@in0 : {} {}", kind, type, yield);
  }
  if (kind == "abs")
    return fmt::format("%@later = math.{} %@in0 : {} {}", isFloat(type) ? "absf" : "absi", type,
                       yield);
  if (kind == "negf") return fmt::format("%@later = arith.negf %@in0 : {} {}", type, yield);
  if (kind == "square" || kind == "reciprocal") {
    if (kind == "square")
      return fmt::format("%@later = arith.mulf %@in0, %@in0 : {} {}", type, yield);
    return fmt::format(
        "%@one = arith.constant 1.0 : {0} %@later = arith.divf %@one, %@in0 : {0} {1}", type,
        yield);
  }
  if (kind == "powf") return fmt::format("%@later = math.powf %@in0, %@in1 : {} {}", type, yield);
  if (kind == "select")
    return fmt::format("%@later = arith.select %@in0, %@in1, %@in2 : {} {}", type, yield);
  const auto op = ops.find(kind);
  if (op == ops.end()) return std::nullopt;
  return fmt::format("%@later = arith.{} %@in0, %@in1 : {} {}",
                     isFloat(type) ? op->second.first : op->second.second, type, yield);
}

// The operation that makes a value of one element type one of another; none where they are the
// same.
std::optional<std::string> conversion(const std::string& from, const std::string& to) {
  if (from == to) return std::nullopt;
  const bool isWider = widthOf(to) > widthOf(from);
  if (!isFloat(from)) return isFloat(to) ? "sitofp" : isWider ? "extsi" : "trunci";
  if (!isFloat(to)) return "fptosi";
  return isWider ? "extf" : "truncf";
}

// The sum of products, in the type of the result.
std::string contractBody(const LaterOp& op) {
  const std::string type = elementOf(op.outType);
  const bool isReal = isFloat(type);
  std::string body, factors[2];
  for (std::size_t n = 0; n < 2; ++n) {
    const std::string from = elementOf(op.types[n]);
    factors[n] = fmt::format("%@in{}", n);
    const auto converts = conversion(from, type);
    if (!converts) continue;
    body += fmt::format("%@wide{0} = arith.{1} %@in{0} : {2} to {3} ", n, *converts, from, type);
    factors[n] = fmt::format("%@wide{}", n);
  }
  const char suffix = isReal ? 'f' : 'i';
  return body + fmt::format("%@product = arith.mul{0} {1}, {2} : {3} %@later = arith.add{0} %@old, "
                            "%@product : {3} linalg.yield %@later : {3}",
                            suffix, factors[0], factors[1], type);
}

std::string genericText(const LaterOp& op, const std::string& maps, const std::string& iterators,
                        const std::string& body) {
  std::string ins, types, arguments;
  for (std::size_t n = 0; n < op.ins.size(); ++n) {
    ins += (n == 0 ? "" : ", ") + op.ins[n];
    types += (n == 0 ? "" : ", ") + op.types[n];
    arguments += fmt::format("%@in{}: {}, ", n, elementOf(op.types[n]));
  }
  return fmt::format("linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({} : {}) "
                     "outs({} : {}) {{ ^bb0({}%@old: {}): {} }}{}",
                     maps, iterators, ins, types, op.out, op.outType, arguments,
                     elementOf(op.outType), body, op.result.empty() ? "" : " -> " + op.result);
}

std::optional<LaterOp> operandsOf(const std::string& maps, const std::string& ins,
                                  const std::string& outs, const std::string& result) {
  const auto split = [](const std::string& text) {
    const auto colon = text.find(':');
    return std::pair(partsOf(text.substr(0, colon)), colon == std::string::npos
                                                         ? std::vector<std::string>()
                                                         : partsOf(text.substr(colon + 1)));
  };
  LaterOp op;
  op.maps = partsOf(maps);
  std::tie(op.ins, op.types) = split(ins);
  const auto [out, outType] = split(outs);
  if (op.ins.empty() || op.ins.size() != op.types.size() || out.size() != 1 || outType.size() != 1)
    return std::nullopt;
  op.out = out[0];
  op.outType = outType[0];
  op.result = result;
  return op;
}

std::size_t rankOf(const std::string& type) {
  static const std::regex dimension(R"([0-9?]+x)");
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(type.begin(), type.end(), dimension), {}));
}

std::optional<std::string> written(const std::string& name, const std::string& kind,
                                   const LaterOp& op,
                                   const std::map<std::string, std::string>& aliases) {
  std::string maps;
  for (const std::string& map : op.maps) maps += (maps.empty() ? "" : ", ") + map;
  if (name != "elementwise") {
    if (op.ins.size() != 2 || op.maps.size() != 3) return std::nullopt;
    const auto iterators = iteratorsOf(mapText(op.maps[2], aliases));
    if (!iterators) return std::nullopt;
    return genericText(op, maps, *iterators, contractBody(op));
  }
  const std::string identity = identityMap(rankOf(op.outType));
  if (op.maps.empty()) {
    for (std::size_t n = 0; n <= op.ins.size(); ++n) maps += (n == 0 ? "" : ", ") + identity;
  }
  const auto iterators = iteratorsOf(identity);
  const auto body = elementwiseBody(kind, elementOf(op.outType));
  if (!iterators || !body) return std::nullopt;
  return genericText(op, maps, *iterators, *body);
}

// What `#map` and `!type` stand for, line by line.
std::map<std::string, std::string> aliasesOf(const std::string& text) {
  std::map<std::string, std::string> aliases;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t equal = std::min(text.find('=', at), end);
    if ((text[at] == '#' || text[at] == '!') && equal < end && end - at < kLongest) {
      std::string name = text.substr(at, equal - at),
                  value = text.substr(equal + 1, end - equal - 1);
      name.erase(name.find_last_not_of(' ') + 1);
      value.erase(0, value.find_first_not_of(' '));
      aliases[name] = value;
    }
    at = end + 1;
  }
  return aliases;
}

// The types that aliases stand for.
void resolveTypes(LaterOp& op, const std::map<std::string, std::string>& aliases) {
  for (std::string& type : op.types) type = mapText(type, aliases);
  op.outType = mapText(op.outType, aliases);
}

// A beginning of names that occurs nowhere in the text.
std::string freePrefix(const std::string& text) {
  std::string prefix = "%later_";
  while (text.find(prefix) != std::string::npos) prefix += '_';
  return prefix;
}

void replaceAll(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// Whether an operation of this name is one of a later release: products are where they have maps.
bool isLater(std::string_view name, std::string_view rest) {
  if (name == "contract" || name == "elementwise") return true;
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return name.ends_with("matmul") && rest.starts_with("indexing_maps");
}

// The next operation of a later release at `from` or behind it.
std::size_t nextLater(std::string_view text, std::size_t from) {
  constexpr std::string_view dialect = "linalg.";
  while ((from = text.find(dialect, from)) != std::string_view::npos) {
    const std::size_t name = from + dialect.size();
    const std::size_t end =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", name), text.size());
    if (isLater(text.substr(name, end - name), text.substr(end))) break;
    from = end;
  }
  return from;
}

}  // namespace

std::string withGenericLinalg(std::string text) {
  if (nextLater(text, 0) == std::string::npos) return text;
  static const std::regex form(
      R"rx(linalg\.(contract|elementwise|\w*matmul)\s+)rx"
      R"rx((?:kind\s*=\s*#linalg\.elementwise_kind<(\w+)>\s*)?)rx"
      R"rx((?:indexing_maps\s*=\s*\[([^\]]*)\]\s*)?ins\(([^)]*)\)\s*outs\(([^)]*)\))rx"
      R"rx((?:\s*->\s*(tensor<[^>\n]*>))?)rx");
  const auto aliases = aliasesOf(text);
  const std::string prefix = freePrefix(text);
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = nextLater(text, 0); at != std::string::npos; at = nextLater(text, from)) {
    out.append(text, from, at - from);
    const std::string rest = text.substr(at, kLongest);
    std::smatch match;
    auto op = std::regex_search(rest, match, form, std::regex_constants::match_continuous)
                  ? operandsOf(match[3], match[4], match[5], match[6])
                  : std::nullopt;
    if (op) resolveTypes(*op, aliases);
    auto generic = op ? written(match[1], match[2], *op, aliases) : std::nullopt;
    const std::size_t length = generic ? static_cast<std::size_t>(match.length()) : 1;
    if (generic) {
      replaceAll(*generic, "%@", prefix);
      generic->append(static_cast<std::size_t>(std::count(match[0].first, match[0].second, '\n')),
                      '\n');
    }
    out += generic ? *generic : text.substr(at, length);
    from = at + length;
  }
  out.append(text, from);
  return out;
}

}  // namespace gridloom::importer

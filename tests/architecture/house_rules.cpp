// SPDX-License-Identifier: Apache-2.0

#include "house_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <utility>

namespace gridloom::architecture {

namespace {

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

/// `text` with comments and the contents of raw strings blanked, so that an #include inside them is
/// not taken for one. Newlines stay, and with them line numbers.
std::string blankComments(std::string_view text) {
  std::string out(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, out.size()); ++i) {
      if (out[i] != '\n') out[i] = ' ';
    }
  };
  const auto endOf = [&](std::string_view closing, std::size_t from) {
    const auto at = text.find(closing, from);
    return at == std::string_view::npos ? text.size() : at + closing.size();
  };

  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    std::size_t end = i + 1;
    if (c == '/' && next == '/') {
      end = std::min(text.find('\n', i), text.size());
      blank(i, end);
    } else if (c == '/' && next == '*') {
      end = endOf("*/", i + 2);
      blank(i, end);
    } else if (c == 'R' && next == '"' && (i == 0 || !isWordChar(text[i - 1]))) {
      const auto open = text.find('(', i);
      if (open == std::string_view::npos) break;
      end = endOf(")" + std::string(text.substr(i + 2, open - i - 2)) + "\"", open);
      blank(i, end);
    } else if (c == '"' || (c == '\'' && (i == 0 || !isWordChar(text[i - 1])))) {
      while (end < text.size() && text[end] != c && text[end] != '\n') {
        end += text[end] == '\\' ? 2 : 1;
      }
      ++end;
    }
    i = end;
  }
  return out;
}

struct Include {
  int line = 0;
  char open = '\0';  ///< '"', '<', or '\0' for a computed include
  std::string header;
};

std::vector<Include> includesOf(std::string_view text) {
  std::vector<Include> result;
  const std::string code = blankComments(text);
  int number = 0;
  for (std::size_t begin = 0; begin < code.size();) {
    const auto end = std::min(code.find('\n', begin), code.size());
    std::string_view line = trim(std::string_view(code).substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (!line.starts_with('#')) continue;
    line = trim(line.substr(1));
    if (!line.starts_with("include") || (line.size() > 7 && isWordChar(line[7]))) continue;
    line = trim(line.substr(7));

    Include include{.line = number, .open = '\0', .header = std::string(line)};
    if (line.starts_with('"') || line.starts_with('<')) {
      include.open = line.front();
      const auto close = line.find(include.open == '"' ? '"' : '>', 1);
      include.header =
          std::string(line.substr(1, close == std::string_view::npos ? close : close - 1));
    }
    result.push_back(std::move(include));
  }
  return result;
}

std::string spelled(const Include& include) {
  if (include.open == '\0') return include.header;
  return include.open + include.header + (include.open == '<' ? '>' : '"');
}

/// What is wrong with this include; empty if nothing.
std::string objection(const RoomTable& table, std::string_view room, const Include& include) {
  const auto& sees = table.rooms.find(room)->second;
  if (include.open == '\0') return "an include must name its header, not a macro";
  const std::string& header = include.header;
  if (header.find("..") != std::string::npos || header.starts_with('/')) {
    return "headers are included by room, not by path";
  }

  const auto slash = header.find('/');
  const std::string folder = header.substr(0, slash == std::string::npos ? 0 : slash);
  if (table.rooms.contains(folder) || table.widgetFolders.contains(folder)) {
    const std::string included = table.rooms.contains(folder) ? folder : "widgets";
    if (included == room || sees.rooms.contains(included)) return {};
    return "room '" + std::string(room) + "' may not see room '" + included + "'";
  }

  const std::string external = externalOf(header);
  if (external == "std" && include.open == '<') return {};
  if (!external.empty() && external != "std") {
    if (sees.externals.contains(external)) return {};
    return "room '" + std::string(room) + "' may not see library '" + external + "'";
  }
  if (include.open == '<') return "neither a standard header nor one of a known library";
  // A name without a folder is the includer's neighbour; engine rooms always spell their folder.
  if (folder.empty() && (room == "widgets" || room.starts_with("app_"))) return {};
  if (!folder.empty() && room.starts_with("app_")) return {};
  return "expected \"<room>/<file>.h\" with a room from engine/rooms.txt";
}

}  // namespace

std::optional<RoomTable> parseRooms(std::string_view text) {
  RoomTable table;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    const std::string_view content = trim(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    if (std::count(content.begin(), content.end(), ':') != 2) return std::nullopt;
    const auto first = content.find(':');
    const auto second = content.find(':', first + 1);
    const auto name = words(content.substr(0, first));
    if (name.size() != 1 || table.rooms.contains(name[0])) return std::nullopt;

    RoomTable::Room room;
    for (const auto& seen : words(content.substr(first + 1, second - first - 1))) {
      if (!table.rooms.contains(seen)) return std::nullopt;
      room.rooms.insert(seen);
    }
    for (const auto& external : words(content.substr(second + 1))) room.externals.insert(external);
    table.order.push_back(name[0]);
    table.rooms.emplace(name[0], std::move(room));
  }
  return table;
}

std::string roomOf(std::string_view path) {
  const auto first = path.find('/');
  if (first == std::string_view::npos) return {};
  const std::string_view top = path.substr(0, first);
  if (top == "widgets") return "widgets";
  if (top != "engine" && top != "app") return {};
  const auto second = path.find('/', first + 1);
  if (second == std::string_view::npos) return {};
  const std::string folder(path.substr(first + 1, second - first - 1));
  return top == "app" ? "app_" + folder : folder;
}

std::string externalOf(std::string_view header) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 22> prefixes{{
      {"isl/", "isl"},
      {"tbb/", "tbb"},
      {"oneapi/", "tbb"},
      {"nlohmann/", "nlohmann"},
      {"CLI/", "cli11"},
      {"Eigen/", "eigen"},
      {"unsupported/Eigen/", "eigen"},
      {"fmt/", "fmt"},
      {"mlir/", "mlir"},
      {"mlir-c/", "mlir"},
      {"llvm/", "mlir"},
      {"llvm-c/", "mlir"},
      {"moc_", "qt"},
      {"ui_", "qt"},
      {"sys/", "posix"},
      {"unistd.h", "posix"},
      {"fcntl.h", "posix"},
      {"poll.h", "posix"},
      {"signal.h", "posix"},
      {"spawn.h", "posix"},
      {"malloc.h", "posix"},
      {"termios.h", "posix"},
  }};
  for (const auto& [prefix, external] : prefixes) {
    if (header.starts_with(prefix)) return std::string(external);
  }
  const auto isUpper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto isLower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  const bool hasFolder = header.find('/') != std::string_view::npos;
  if (header.starts_with("Qt") || header.ends_with(".moc")) return "qt";
  if (header.size() > 1 && header[0] == 'Q' && isUpper(header[1])) return "qt";
  if (!hasFolder && header.starts_with('q') && header.ends_with(".h")) return "qt";
  // The C++ standard library spells its headers without a dot: <vector>, <cstdint>.
  const auto isStandardChar = [&](char c) {
    return isLower(c) || c == '_' || std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  if (!header.empty() && std::all_of(header.begin(), header.end(), isStandardChar)) return "std";
  return {};
}

std::vector<std::string> checkIncludes(const RoomTable& table, std::string_view path,
                                       std::string_view text) {
  const std::string room = roomOf(path);
  if (!table.rooms.contains(room)) {
    return {std::string(path) + ":1: the file's folder is not a room of engine/rooms.txt"};
  }
  std::vector<std::string> result;
  for (const Include& include : includesOf(text)) {
    const std::string why = objection(table, room, include);
    if (why.empty()) continue;
    result.push_back(std::string(path) + ":" + std::to_string(include.line) + ": #include " +
                     spelled(include) + ": " + why);
  }
  return result;
}

std::vector<std::string> checkNames(const RoomTable& table, std::string_view path,
                                    std::string_view text) {
  const std::string room = roomOf(path);
  const auto own = table.rooms.find(room);
  if (own == table.rooms.end()) return {};
  std::vector<std::string> result;
  const std::string code = blankComments(text);
  int line = 1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '\n') ++line;
    const bool begins = isWordChar(code[i]) && (i == 0 || !isWordChar(code[i - 1]));
    if (!begins) continue;
    std::size_t end = i;
    while (end < code.size() && isWordChar(code[end])) ++end;
    const std::string name = code.substr(i, end - i);
    // A member or a nested name that happens to be called like a room is none.
    const bool nested = i > 0 && (code[i - 1] == ':' || code[i - 1] == '.' || code[i - 1] == '>');
    i = end - 1;
    if (nested || code.compare(end, 2, "::") != 0) continue;
    if (name == room || !table.rooms.contains(name) || own->second.rooms.contains(name)) continue;
    result.push_back(std::string(path) + ":" + std::to_string(line) + ": " + name +
                     "::...: room '" + room + "' may not see room '" + name + "'");
  }
  return result;
}

std::optional<std::string> checkLicenceLine(std::string_view path, std::string_view text) {
  const bool copyleft = path.starts_with("widgets/") || path.starts_with("app/studio/") ||
                        path.starts_with("app/render/");
  const std::string expected =
      std::string("// SPDX-License-Identifier: ") + (copyleft ? "GPL-3.0-or-later" : "Apache-2.0");
  if (trim(text.substr(0, text.find('\n'))) == expected) return std::nullopt;
  return std::string(path) + ":1: the first line must be '" + expected + "'";
}

std::vector<std::string> checkLineWidths(std::string_view path, std::string_view text) {
  constexpr int kColumns = 100;
  std::vector<std::string> result;
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(content.size() + 1, text.size()));
    const auto columns = std::ranges::count_if(
        content, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    if (columns <= kColumns) continue;
    result.push_back(std::string(path) + ":" + std::to_string(line) + ": " +
                     std::to_string(columns) + " columns, at most " + std::to_string(kColumns));
  }
  return result;
}

std::string proseOf(std::string_view page) {
  std::string prose;
  bool fenced = false;
  while (!page.empty()) {
    const std::string_view line = page.substr(0, page.find('\n'));
    page.remove_prefix(std::min(line.size() + 1, page.size()));
    const bool fence = line.starts_with("```");
    fenced = fenced != fence;
    if (!fenced && !fence && !line.starts_with('|') && !line.starts_with("![")) prose += line;
    prose += '\n';
  }
  return prose;
}

}  // namespace gridloom::architecture

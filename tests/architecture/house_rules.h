// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::architecture {

/// engine/rooms.txt: what each room may see.
struct RoomTable {
  struct Room {
    std::set<std::string, std::less<>> rooms;
    std::set<std::string, std::less<>> externals;
  };

  std::vector<std::string> order;
  std::map<std::string, Room, std::less<>> rooms;
  /// Folders of widgets/ by which other rooms include it ("bridge/job_runner.h").
  std::set<std::string, std::less<>> widgetFolders;
};

/// Empty if the table is malformed, names a room twice, or lets a room see one not listed above it.
std::optional<RoomTable> parseRooms(std::string_view text);

/// The room that a file belongs to, by its path from the repository's root; empty if none.
std::string roomOf(std::string_view path);

/// The table's word for the library that <header> belongs to; "std" for the C++ standard library,
/// empty if unknown.
std::string externalOf(std::string_view header);

/// One message "path:line: ..." per #include in `text` that the table does not allow.
std::vector<std::string> checkIncludes(const RoomTable& table, std::string_view path,
                                       std::string_view text);

/// One message "path:line: ..." per qualified name in `text` (`mapping::Mapping`) of an engine room
/// that the table does not allow: what a room reaches through another room's headers counts, too.
std::vector<std::string> checkNames(const RoomTable& table, std::string_view path,
                                    std::string_view text);

/// A message "path:1: ..." unless the first line names the licence of the file's folder.
std::optional<std::string> checkLicenceLine(std::string_view path, std::string_view text);

/// One message "path:line: ..." per line of more than 100 columns; a character of several bytes is
/// one column.
std::vector<std::string> checkLineWidths(std::string_view path, std::string_view text);

/// A page without what cannot be wrapped: tables, pictures and what stands between fences become
/// empty lines.
std::string proseOf(std::string_view page);

}  // namespace gridloom::architecture

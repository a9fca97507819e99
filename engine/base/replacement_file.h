// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace gridloom::base {

/// A new file that replaces `target` once it is complete and on disk, and is deleted otherwise.
/// Where the system allows, it has no name until then, so a killed run leaves nothing behind.
/// Elsewhere it has a name derived from the target's, under a lock, and the next run takes over the
/// file of a killed one.
class ReplacementFile {
 public:
  enum class Way { Nameless, Named };  ///< the variant that is tried first

  explicit ReplacementFile(std::filesystem::path target, Way way = Way::Nameless);
  ~ReplacementFile();
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  /// Both return 0 or an `errno`; EBUSY while another run writes the same file.
  int open();
  int commit(std::optional<mode_t> permissions);
  int fd() const { return m_fd; }
  const std::filesystem::path& temporary() const { return m_temporary; }

 private:
  bool openNameless();
  int openNamed();
  int publish();
  void syncFolder() const;

  std::filesystem::path m_target;
  std::filesystem::path m_folder;
  std::filesystem::path m_temporary;
  Way m_way;
  int m_fd = -1;
  bool m_named = false;  ///< this run created the file `m_temporary`
};

}  // namespace gridloom::base

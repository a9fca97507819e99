// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace gridloom::base {

/// A new file that takes the place of `target` when it is whole and on the disk, and is gone otherwise. It has no name
/// until then where the system can do that: a run that is killed leaves nothing. Elsewhere it is called by a name that
/// follows from the target's, under a lock: the next run takes over what a killed one left.
class ReplacementFile {
 public:
  enum class Way { Nameless, Named };  ///< what is tried first

  explicit ReplacementFile(std::filesystem::path target, Way way = Way::Nameless);
  ~ReplacementFile();
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  /// Both give 0 or an `errno`; EBUSY when another run writes the same file at this moment.
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
  bool m_named = false;  ///< there is a file called `m_temporary`, and it is ours
};

}  // namespace gridloom::base

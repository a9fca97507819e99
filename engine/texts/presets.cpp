// SPDX-License-Identifier: Apache-2.0
#include "texts/presets.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "base/text_file.h"
#include "syntax/spelling.h"

namespace gridloom::texts {

namespace fs = std::filesystem;

namespace {

/// One kind of shipped text and its folder.
struct Shelf {
  const char* folder;
  const char* extension;
  const char* what;
  const char* listing;  ///< the command that lists them; null: none
};
constexpr Shelf kHardware{"hwpresets", ".hw", "hardware", "gridloom list hardware"};
constexpr Shelf kKernels{"kernels", ".rec", "kernel", "gridloom list kernels"};
constexpr Shelf kDirectives{"kernels/directives", ".sched", "set of directives",
                            "gridloom list directives"};
constexpr Shelf kStudies{"studies", ".study", "study", "gridloom study"};
constexpr Shelf kNests{"studies", ".nest", "nest", nullptr};
constexpr Shelf kCaseHardware{"studies", ".hw", "hardware", nullptr};
constexpr Shelf kCaseKernels{"studies", ".rec", "kernel", nullptr};

/// The folder under a data folder. In the source tree, reference data and cases are under bench/.
fs::path folderIn(const fs::path& root, const Shelf& shelf) {
  std::error_code error;
  for (const fs::path& folder : {root / shelf.folder, root / "bench" / shelf.folder}) {
    if (fs::is_directory(folder, error)) return folder;
  }
  return {};
}

/// Where data of installed packages lies (XDG Base Directory Specification): for programs of others
/// that use the engine as a library.
fs::path installedFolder(const Shelf& shelf) {
  const char* variable = std::getenv("XDG_DATA_DIRS");
  std::istringstream folders(
      variable != nullptr && *variable != '\0' ? variable : "/usr/local/share:/usr/share");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::path found = folderIn(fs::path(folder) / "gridloom", shelf); !found.empty()) {
      return found;
    }
  }
  return {};
}

/// The folders to search, in order: the user's own data folder, then the shipped data beside the
/// installed program, in the source tree, or of the installed package.
std::vector<fs::path> foldersOf(const Shelf& shelf) {
  std::vector<fs::path> folders;
  if (const char* data = std::getenv("GRIDLOOM_DATA"); data != nullptr && *data != '\0') {
    folders.push_back(folderIn(data, shelf));
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path shipped =
      error ? fs::path()
            : folderIn(program.parent_path().parent_path() / GRIDLOOM_INSTALL_DATADIR, shelf);
  if (shipped.empty()) shipped = folderIn(GRIDLOOM_SOURCE_DIR, shelf);
  if (shipped.empty()) shipped = installedFolder(shelf);
  folders.push_back(shipped);
  std::erase(folders, fs::path());
  return folders;
}

/// The first sentence of a file's header comment.
std::string summaryOf(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  for (std::string line; std::getline(in, line) && text.find(". ") == std::string::npos;) {
    const auto start = line.find_first_not_of(" \t\r");
    const bool isComment = start != std::string::npos && line.compare(start, 2, "//") == 0;
    if (!isComment && !text.empty()) break;
    if (!isComment || line.find("SPDX-License-Identifier") != std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t/", start);
    if (begin == std::string::npos) break;
    line.resize(line.find_last_not_of(" \t\r") + 1);
    text += (text.empty() ? "" : " ") + line.substr(begin);
  }
  if (const auto end = text.find(". "); end != std::string::npos) text.resize(end);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// The folder of a shelf, then those inside it: presets are grouped by folder, and named without.
std::vector<fs::path> groupsIn(const fs::path& folder) {
  std::vector<fs::path> groups;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error)) groups.push_back(entry.path());
  }
  std::ranges::sort(groups);
  groups.insert(groups.begin(), folder);
  return groups;
}

std::vector<Preset> listOf(const Shelf& shelf) {
  std::vector<Preset> presets;
  std::error_code error;
  for (const fs::path& folder : foldersOf(shelf)) {
    for (const fs::path& group : groupsIn(folder)) {
      const std::string groupName = group == folder ? "" : group.filename().string();
      for (const fs::directory_entry& entry : fs::directory_iterator(group, error)) {
        const fs::path& file = entry.path();
        const std::string name = file.stem().string();
        if (file.extension() != shelf.extension) continue;
        // A file of the user's own hides the shipped one of the same name.
        if (std::ranges::find(presets, name, &Preset::name) != presets.end()) continue;
        presets.push_back({name, groupName, file.string(), summaryOf(file)});
      }
    }
  }
  std::ranges::sort(presets, {}, [](const Preset& p) { return std::tie(p.group, p.name); });
  return presets;
}

/// Studies bring descriptions of their own, which no list shows.
bool isOn(const Shelf& shelf, const std::string& name) {
  if (name.find('/') != std::string::npos || name.empty()) return false;
  return std::ranges::any_of(foldersOf(shelf), [&](const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / (name + shelf.extension), error);
  });
}

bool namesAFile(const std::string& name, const Shelf& shelf) {
  std::error_code error;
  return name.find('/') != std::string::npos || fs::path(name).extension() == shelf.extension ||
         fs::is_regular_file(name, error);
}

base::Diagnostic unknownPreset(const std::string& name, const std::vector<Preset>& presets,
                               const Shelf& shelf) {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets) names.push_back(preset.name);
  std::string hint = syntax::spellingHint(name, names);
  if (shelf.listing != nullptr) {
    if (!hint.empty()) hint += hint.ends_with('?') ? " " : "; ";
    hint += std::string("`") + shelf.listing + "` shows them all";
  }
  return base::plainError(std::string("no ") + shelf.what + " is called `" + name +
                              "`, and there is no such file",
                          std::move(hint));
}

/// The path of the file with that name; "" when there is none. A path is returned unchanged, unless
/// it is a preset with its folder, as `list` shows them.
std::string fileOn(const Shelf& shelf, const std::string& name) {
  if (name.empty()) return "";
  std::error_code error;
  if (namesAFile(name, shelf)) {
    if (fs::exists(name, error)) return name;
    for (const Preset& preset : listOf(shelf))
      if (!preset.group.empty() && preset.group + "/" + preset.name == name) return preset.path;
    return name;
  }
  for (const fs::path& folder : foldersOf(shelf)) {
    for (const fs::path& group : groupsIn(folder)) {
      const fs::path file = group / (name + shelf.extension);
      if (fs::is_regular_file(file, error)) return file.string();
    }
  }
  return "";
}

const Shelf& hardwareShelf(const std::string& name) {
  return isOn(kCaseHardware, name) ? kCaseHardware : kHardware;
}

const Shelf& kernelShelf(const std::string& name) {
  return isOn(kCaseKernels, name) ? kCaseKernels : kKernels;
}

base::Result<base::SourceRef> loadFrom(const Shelf& shelf, const std::string& name) {
  if (const std::string file = fileOn(shelf, name); !file.empty()) return loadText(file);
  std::error_code error;
  if (name.empty() || fs::exists(name, error)) return loadText(name);
  return unknownPreset(name, listOf(shelf), shelf);
}

}  // namespace

base::Result<base::SourceRef> loadText(const std::string& path, std::int64_t mebibytes) {
  return base::loadTextFile(path, mebibytes);
}

base::Result<base::SourceRef> loadHardwareText(const std::string& nameOrPath) {
  return loadFrom(hardwareShelf(nameOrPath), nameOrPath);
}

base::Result<base::SourceRef> loadKernelText(const std::string& nameOrPath) {
  return loadFrom(kernelShelf(nameOrPath), nameOrPath);
}

base::Result<base::SourceRef> loadNestText(const std::string& nameOrPath) {
  return loadFrom(kNests, nameOrPath);
}

base::Result<base::SourceRef> loadDirectivesText(const std::string& nameOrPath) {
  return loadFrom(kDirectives, nameOrPath);
}

base::Result<base::SourceRef> loadStudyText(const std::string& nameOrPath) {
  return loadFrom(kStudies, nameOrPath);
}

std::string hardwareFile(const std::string& nameOrPath) {
  return fileOn(hardwareShelf(nameOrPath), nameOrPath);
}
std::string kernelFile(const std::string& nameOrPath) {
  return fileOn(kernelShelf(nameOrPath), nameOrPath);
}
std::string directivesFile(const std::string& nameOrPath) {
  return fileOn(kDirectives, nameOrPath);
}
std::string studyFile(const std::string& nameOrPath) { return fileOn(kStudies, nameOrPath); }
std::string nestFile(const std::string& nameOrPath) { return fileOn(kNests, nameOrPath); }

std::vector<Preset> listHardware() { return listOf(kHardware); }
std::vector<Preset> listKernels() { return listOf(kKernels); }
std::vector<Preset> listDirectives() { return listOf(kDirectives); }
std::vector<Preset> listStudies() { return listOf(kStudies); }

}  // namespace gridloom::texts

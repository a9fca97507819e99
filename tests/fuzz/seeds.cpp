// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mutate.h"
#include "text_formats.h"

namespace gridloom::fuzz {

namespace fs = std::filesystem;

namespace {

void addFolder(const fs::path& folder, std::string_view ending, std::vector<fs::path>& files) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file() && entry.path().extension() == ending) {
      files.push_back(entry.path());
    }
  }
}

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::vector<std::string> seedsOf(const TextFormat& format) {
  const fs::path source = GRIDLOOM_SOURCE_DIR;
  std::vector<fs::path> files;
  // Of the JSON formats, only the corpus says which one a file is of.
  if (format.ending != ".json") {
    for (const char* folder :
         {"hwpresets", "kernels", "kernels/directives", "kernels/llm", "kernels/polybench",
          "kernels/vision", "bench/studies", "tests/unit/importer/cases"}) {
      addFolder(source / folder, format.ending, files);
    }
  }
  addFolder(source / "tests/fuzz/corpus" / format.name, format.ending, files);
  std::ranges::sort(files);
  std::vector<std::string> seeds;
  for (const fs::path& file : files) {
    std::string text = contentOf(file);
    if (text.size() <= kLongest) seeds.push_back(std::move(text));
  }
  return seeds;
}

}  // namespace gridloom::fuzz

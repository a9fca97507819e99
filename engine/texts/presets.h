// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source_text.h"

namespace gridloom::texts {

/// Loads a named text, a preset or a file: `wormhole_8x8`, `./my.hw`. A preset may be named with
/// its folder, `llm/rope`, where there is no such file. Files up to 16 MiB of UTF-8.
base::Result<base::SourceRef> loadHardwareText(const std::string& nameOrPath);
base::Result<base::SourceRef> loadKernelText(const std::string& nameOrPath);
base::Result<base::SourceRef> loadText(const std::string& path, std::int64_t mebibytes = 16);
/// Directives: a file, or the name of built-in ones (kernels/directives): `tt_2d`, `./my.sched`.
base::Result<base::SourceRef> loadDirectivesText(const std::string& nameOrPath);
/// A study: a file, or the name of a built-in one (bench/studies): `tl_preference`, `./my.csv`.
base::Result<base::SourceRef> loadStudyText(const std::string& nameOrPath);
/// A `.nest` file, or the name of a built-in one (bench/studies): `timeloop_01_os`, `./my.nest`.
base::Result<base::SourceRef> loadNestText(const std::string& nameOrPath);

/// The path of a preset's file; a path is returned unchanged.
std::string hardwareFile(const std::string& nameOrPath);
std::string kernelFile(const std::string& nameOrPath);
std::string directivesFile(const std::string& nameOrPath);
std::string nestFile(const std::string& nameOrPath);
std::string studyFile(const std::string& nameOrPath);

struct Preset {
  std::string name;
  std::string group;  ///< folder inside that of its kind (`llm`); "": none
  std::string path;
  std::string summary;  ///< first sentence of the file's header comment
};
std::vector<Preset> listHardware();
std::vector<Preset> listKernels();
std::vector<Preset> listDirectives();
std::vector<Preset> listStudies();  ///< without a summary: a study has a title

}  // namespace gridloom::texts

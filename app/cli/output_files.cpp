// SPDX-License-Identifier: Apache-2.0
#include "output_files.h"

#include <vector>

#include "texts/output_check.h"
#include "texts/presets.h"

namespace gridloom::cli {

namespace {

using Files = std::vector<texts::AskedFile>;

void add(Files& files, const char* option, const std::string& path) {
  if (!path.empty()) files.push_back({option, path});
}

// The file in `A=a.npy`.
std::string pathIn(const std::string& text) { return text.substr(text.find('=') + 1); }

Files outputsOf(const Options& options) {
  Files out;
  add(out, "--json", options.json);
  add(out, "--trace", options.trace);
  add(out, "--junit", options.junit);
  add(out, "--sarif", options.sarif);
  add(out, "--html", options.html);
  add(out, "--csv", options.csv);
  add(out, "--chart", options.chart);
  add(out, "--output", options.output);
  for (const std::string& text : options.out) add(out, "--out", pathIn(text));
  return out;
}

Files inputsOf(const Options& options) {
  Files in;
  add(in, "--hardware", texts::hardwareFile(options.hardware));
  add(in, "--kernel", texts::kernelFile(options.kernel));
  add(in, "--directives", texts::directivesFile(options.directives));
  add(in, "--nest", texts::nestFile(options.nest));
  add(in, "--mapping", options.mapping);
  add(in, "--schedule", options.schedule);
  add(in, "--baseline", options.baseline);
  for (const std::string& text : options.in) add(in, "--in", pathIn(text));
  if (options.verb == "interpret") {
    for (const std::string& kernel : options.names) add(in, "kernel", texts::kernelFile(kernel));
  }
  if (options.verb == "study" || options.verb == "reproduce") {
    for (const std::string& study : options.names) add(in, "study", texts::studyFile(study));
  }
  if (options.verb == "import") {
    for (const std::string& file : options.names) add(in, "import", file);
  }
  for (const char* verb : {"replay", "compare", "check"}) {
    if (options.verb != verb) continue;
    for (const std::string& file : options.names) add(in, verb, file);
  }
  return in;
}

}  // namespace

Exit checkOutputFiles(const Options& options) {
  const Files outputs = outputsOf(options);
  if (outputs.empty()) return Exit::Done;
  const base::Diagnostics errors = texts::checkOutputs(outputs, inputsOf(options));
  printDiagnostics(errors);
  return errors.empty() ? Exit::Done : Exit::BadInput;
}

}  // namespace gridloom::cli

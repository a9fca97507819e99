// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

namespace gridloom::cli {

Exit writeOutput(const std::string& path, const base::WriteFunction& write) {
  if (path.empty() || path == "-") {
    write(std::cout);
    std::cout.flush();
    if (std::cout) return Exit::Done;
    printError(std::string("cannot write to stdout: ") + std::strerror(errno));
    return Exit::Machine;
  }
  const base::Written written = base::writeFile(path, write);
  printDiagnostics(written.errors);
  if (written.ok()) return Exit::Done;
  return written.machineFault ? Exit::Machine : Exit::BadInput;
}

Exit writeOutput(const std::string& path, const std::string& text) {
  return writeOutput(path, [&text](std::ostream& out) { out << text; });
}

Exit writeAnswer(const std::string& json, const std::function<std::string()>& jsonText,
                 const std::function<std::string()>& text) {
  if (json == "-") return writeOutput(json, jsonText());
  const Exit written = json.empty() ? Exit::Done : writeOutput(json, jsonText());
  return worse(written, printAnswer(text()));
}

Exit worse(Exit a, Exit b) { return std::max(a, b); }

}  // namespace gridloom::cli

// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <algorithm>
#include <iostream>

#include "exchange/output_file.h"

namespace gridloom::cli {

Exit writeOutput(const std::string& path, const Writer& write) {
  if (path.empty() || path == "-") {
    write(std::cout);
    std::cout.flush();
    if (std::cout) return Exit::Done;
    printError("cannot write to stdout");
    return Exit::BadInput;
  }
  const base::Diagnostics errors = exchange::writeFile(path, write);
  printDiagnostics(errors);
  return errors.empty() ? Exit::Done : Exit::BadInput;
}

Exit writeOutput(const std::string& path, const std::string& text) {
  return writeOutput(path, [&text](std::ostream& out) { out << text; });
}

Exit writeAnswer(const std::string& json, const std::function<std::string()>& jsonText,
                 const std::function<std::string()>& text) {
  if (json == "-") return writeOutput(json, jsonText());
  const Exit written = json.empty() ? Exit::Done : writeOutput(json, jsonText());
  return worse(written, printAnswer(text()) ? Exit::Done : Exit::BadInput);
}

Exit worse(Exit a, Exit b) { return std::max(a, b); }

}  // namespace gridloom::cli

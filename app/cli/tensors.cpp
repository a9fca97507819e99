// SPDX-License-Identifier: Apache-2.0
#include "tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "inputs.h"
#include "output.h"
#include "report/table.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

using report::Align;
using report::textCell;

std::string shapeText(const kernel::TensorValue& value) {
  std::string text;
  for (const std::int64_t size : value.shape) {
    text += (text.empty() ? "" : " × ") + std::to_string(size);
  }
  return text;
}

std::string summaryOf(const kernel::TensorValues& outputs) {
  report::Table table;
  table.columns = {{"output", "output", Align::Left},
                   {"shape", "shape", Align::Left},
                   {"least", "least"},
                   {"largest", "largest"},
                   {"mean", "mean"}};
  for (const auto& [name, value] : outputs) {
    double least = std::numeric_limits<double>::infinity(), largest = -least, sum = 0;
    for (const double element : value.data) {
      least = std::min(least, element);
      largest = std::max(largest, element);
      sum += element;
    }
    table.rows.push_back(
        {textCell(name), textCell(shapeText(value)), textCell(fmt::format("{:.6g}", least)),
         textCell(fmt::format("{:.6g}", largest)),
         textCell(fmt::format("{:.6g}", sum / static_cast<double>(value.data.size())))});
  }
  return report::tableText(table);
}

}  // namespace

base::Result<TensorRequest> openTensors(const Options& options, const service::Kernel& kernel) {
  const auto in = service::tensorFilesOf(kernel, options.in, false, "--in");
  const auto out = service::tensorFilesOf(kernel, options.out, true, "--out");
  base::Diagnostics errors = in.diagnostics();
  errors.insert(errors.end(), out.diagnostics().begin(), out.diagnostics().end());
  if (!in || !out) return errors;
  auto inputs = service::inputsFrom(kernel, *in);
  if (!inputs) return inputs.takeDiagnostics();
  return TensorRequest{*std::move(inputs), *out};
}

Exit writeTensors(const service::Kernel& kernel, const kernel::TensorValues& outputs,
                  const std::vector<service::TensorFile>& files) {
  Exit exit = Exit::Done;
  for (const auto& [name, path] : files) {
    exit = worse(exit, writeOutput(path, service::npyOf(kernel, outputs, name)));
  }
  return exit;
}

Exit interpret(const Options& options) {
  const auto kernel = openKernel(options.kernel, options);
  if (!kernel) {
    printDiagnostics(kernel.diagnostics());
    return Exit::BadInput;
  }
  const auto request = openTensors(options, **kernel);
  if (!request) {
    printDiagnostics(request.diagnostics());
    return Exit::BadInput;
  }
  const auto outputs = service::interpretKernel(**kernel, request->inputs);
  if (!outputs) {
    printDiagnostics(outputs.diagnostics());
    return Exit::BadInput;
  }
  const Exit written = writeTensors(**kernel, *outputs, request->outputs);
  return worse(written, printAnswer(summaryOf(*outputs)));
}

}  // namespace gridloom::cli

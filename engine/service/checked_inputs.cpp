// SPDX-License-Identifier: Apache-2.0
#include "service/checked_inputs.h"

#include <utility>

#include "service/fit.h"
#include "service/input_meaning.h"

namespace gridloom::service {

namespace {

/// The kernel, and the values that the arguments of a file in MLIR take.
struct OpenedTexts {
  KernelRef kernel;
  KernelValues values;
  base::Diagnostics remarks;
};

base::Result<OpenedTexts> openMlirText(const InputTexts& texts) {
  KernelOptions options{
      {texts.parameters.begin(), texts.parameters.end()}, texts.dtype, texts.entry};
  auto opened = openMlirKernel(texts.kernel, options);
  if (!opened) return opened.takeDiagnostics();
  OpenedTexts result{opened->kernel, opened->values, opened->kernel->remarks};
  for (const std::string& name : opened->assumed) {
    result.remarks.push_back(base::plainError("`" + name + "` has no value; assumed 128",
                                              "set it in the field above the kernel"));
    result.remarks.back().severity = base::Severity::Warning;
  }
  return result;
}

/// The kernel with those of the parameters that exist in it.
base::Result<OpenedTexts> openKernelText(const InputTexts& texts) {
  if (isMlir(*texts.kernel)) return openMlirText(texts);
  KernelOptions options{{}, texts.dtype, texts.entry};
  auto plain = openKernel(texts.kernel, options);
  if (!plain) return plain.takeDiagnostics();
  for (const kernel::Parameter& parameter : (*plain)->kernel.parameters) {
    const auto given = texts.parameters.find(parameter.name);
    if (given != texts.parameters.end()) options.set.emplace_back(parameter.name, given->second);
  }
  if (!options.set.empty()) plain = openKernel(texts.kernel, options);
  if (!plain) return plain.takeDiagnostics();
  OpenedTexts result{*plain, {}, (*plain)->remarks};
  for (const kernel::Parameter& parameter : (*plain)->kernel.parameters)
    result.values.emplace_back(parameter.name, parameter.value);
  return result;
}

void openHardwareText(const base::SourceRef& source, const OpenedHardware& known,
                      const Hardware* like, CheckedInputs& checked) {
  if (known.name == source->name() && known.text == source->text() && known.hardware) {
    checked.hardware = known;
    return;
  }
  checked.hardware = {source->name(), std::string(source->text()), nullptr, {}};
  auto opened = openHardware(source, like);
  if (opened) checked.hardware.hardware = *opened;
  checked.hardware.problems = opened ? (*opened)->remarks : opened.takeDiagnostics();
}

/// Comments and empty lines change nothing.
std::string meaningOfAll(const InputTexts& texts, const KernelValues& values) {
  std::string meaning;
  for (const base::SourceRef& each : {texts.hardware, texts.kernel, texts.directives})
    meaning += (each ? meaningOf(each) : std::string()) + '\x1f';
  for (const auto& [name, value] : values) meaning += name + '=' + std::to_string(value) + ' ';
  for (const std::string& each : {texts.hardware->name(), texts.dtype, texts.entry, texts.mode})
    meaning += each + '\x1f';
  return meaning;
}

}  // namespace

CheckedInputs checkInputs(const InputTexts& texts, const OpenedHardware& known,
                          const Hardware* like, base::Progress& progress) {
  CheckedInputs checked;
  openHardwareText(texts.hardware, known, like, checked);
  auto kernel = openKernelText(texts);
  if (kernel) checked.kernel = kernel->kernel;
  if (kernel) checked.kernelValues = kernel->values;
  checked.kernelProblems = kernel ? kernel->remarks : kernel.takeDiagnostics();
  if (kernel && !checked.kernel->nest) checked.kernelProblems = checked.kernel->notMapped;
  const HardwareRef& hardware = checked.hardware.hardware;
  if (!hardware || !checked.kernel || !checked.kernel->nest) return checked;
  checked.kernel = fitted(std::move(checked.kernel), *hardware);
  auto fits = fit(checked.kernel, *hardware,
                  {texts.directives, {}, texts.mode, texts.threads, texts.search}, progress);
  checked.directiveProblems = fits.diagnostics();
  if (!fits) return checked;
  checked.kernel = fits->kernel;
  checked.constraints = std::make_shared<mapping::Constraints>(std::move(fits->constraints));
  checked.search = fits->left;
  checked.meaning = meaningOfAll(texts, checked.kernelValues);
  return checked;
}

}  // namespace gridloom::service

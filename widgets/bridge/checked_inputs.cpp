// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/checked_inputs.h"

#include <utility>

#include "models/quantity_text.h"
#include "service/fit.h"
#include "service/input_meaning.h"

namespace gridloom::widgets {

namespace {

base::SourceRef sourceOf(const QString& name, const QString& ending, const QString& text) {
  const QString shown = name.isEmpty() ? QStringLiteral("untitled") : name;
  return base::makeSource((shown + ending).toStdString(), text.toStdString());
}

/// The kernel, and the values that the arguments of a file in MLIR take.
struct OpenedKernel {
  service::KernelRef kernel;
  KernelValues values;
  base::Diagnostics remarks;
};

base::Result<OpenedKernel> openMlir(const Project& project) {
  std::map<std::string, std::int64_t> given;
  for (const auto& [name, value] : project.parameters) given[name.toStdString()] = value;
  const auto source = sourceOf(project.kernelName, QStringLiteral(".mlir"), project.kernelText);
  auto opened = service::openMlirKernel(source, given);
  if (!opened) return opened.takeDiagnostics();
  OpenedKernel result{opened->kernel, opened->values, opened->kernel->remarks};
  for (const std::string& name : opened->assumed) {
    result.remarks.push_back(base::plainError("`" + name + "` has no value; assumed 128",
                                              "set it in the field above the kernel"));
    result.remarks.back().severity = base::Severity::Warning;
  }
  return result;
}

/// The kernel with those of the project's parameters that exist in it.
base::Result<OpenedKernel> openKernel(const Project& project) {
  if (service::looksLikeMlir(project.kernelText.toStdString())) return openMlir(project);
  const base::SourceRef source =
      sourceOf(project.kernelName, QStringLiteral(".rec"), project.kernelText);
  auto plain = service::openKernel(source, {});
  if (!plain) return plain.takeDiagnostics();
  service::KernelOptions options;
  for (const kernel::Parameter& parameter : (*plain)->kernel.parameters) {
    for (const auto& [name, value] : project.parameters) {
      if (name.toStdString() == parameter.name) options.set.emplace_back(parameter.name, value);
    }
  }
  if (!options.set.empty()) plain = service::openKernel(source, options);
  if (!plain) return plain.takeDiagnostics();
  OpenedKernel result{*plain, {}, (*plain)->remarks};
  for (const kernel::Parameter& parameter : (*plain)->kernel.parameters)
    result.values.emplace_back(parameter.name, parameter.value);
  return result;
}

/// Takes the hardware that was opened last where its text is the same: that of a wafer takes as
/// long as a search.
void openHardware(const Project& project, const OpenedHardware& known,
                  const service::Hardware* like, CheckedInputs& checked) {
  if (known.name == project.hardwareName && known.text == project.hardwareText && known.hardware) {
    checked.hardware = known;
    return;
  }
  checked.hardware = {project.hardwareName, project.hardwareText, nullptr, {}};
  auto opened = service::openHardware(
      sourceOf(project.hardwareName, QStringLiteral(".hw"), project.hardwareText), like);
  if (opened) checked.hardware.hardware = *opened;
  checked.hardware.problems = opened ? (*opened)->remarks : opened.takeDiagnostics();
}

/// Results are kept by what their inputs mean: comments and empty lines change nothing.
std::string projectMeaning(const Project& project, const KernelValues& values) {
  const auto of = [](const QString& text) {
    return service::meaningOf(sourceOf({}, {}, text)) + '\x1f';
  };
  std::string meaning = of(project.hardwareText) + of(project.kernelText) + of(project.directives);
  for (const auto& [name, value] : values) meaning += name + '=' + std::to_string(value) + ' ';
  return meaning + project.hardwareName.toStdString() + '\x1f' + project.mode.toStdString() +
         '\x1f' + std::to_string(project.top);
}

}  // namespace

std::shared_ptr<const CheckedInputs> checkInputs(const Project& project,
                                                 const OpenedHardware& known,
                                                 const service::Hardware* like,
                                                 base::Progress& progress) {
  auto checked = std::make_shared<CheckedInputs>();
  openHardware(project, known, like, *checked);
  auto kernel = openKernel(project);
  if (kernel) checked->kernel = kernel->kernel;
  if (kernel) checked->kernelValues = kernel->values;
  checked->kernelProblems = kernel ? kernel->remarks : kernel.takeDiagnostics();
  if (kernel && !checked->kernel->nest) checked->kernelProblems = checked->kernel->notMapped;
  const service::HardwareRef& hardware = checked->hardware.hardware;
  if (!hardware || !checked->kernel || !checked->kernel->nest) return checked;
  checked->kernel = service::fitted(std::move(checked->kernel), *hardware);
  service::Asked asked;
  asked.directives = sourceOf(project.kernelName, QStringLiteral(".sched"), project.directives);
  asked.mode = project.mode.toStdString();
  auto fit = service::fit(checked->kernel, *hardware, asked, progress);
  checked->directiveProblems = fit.diagnostics();
  if (!fit) return checked;
  checked->kernel = fit->kernel;
  checked->constraints = std::make_shared<mapping::Constraints>(std::move(fit->constraints));
  checked->search = fit->left;
  checked->meaning = projectMeaning(project, checked->kernelValues);
  return checked;
}

service::ExploreOptions exploreOptions(const Project& project,
                                       const service::SearchLimits& search) {
  service::ExploreOptions options;
  options.top = project.top;
  options.mode = project.mode.toStdString();
  options.search = search;
  // Finds the same best mapping as the command, and the same parts.
  options.apart = project.directives.trimmed().isEmpty();
  if (project.simulate) options.rerank = ranking::kQuickReranking;
  return options;
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: Apache-2.0
#include "service/schedule_input.h"

#include <algorithm>

#include "service/fit.h"
#include "service/lowering.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"
#include "syntax/schedule_printer.h"
#include "syntax/spelling.h"
#include "texts/presets.h"

namespace gridloom::service {

namespace {

base::Result<schedule::VerifiedSchedule>
bindAndVerify(const syntax::ScheduleText& text, const Kernel& kernel, const Hardware& hardware) {
  if (!kernel.nest) return kernel.notMapped;
  auto bound = syntax::bindSchedule(text, kernel.kernel, *kernel.nest, hardware.topology);
  if (!bound) return bound.takeDiagnostics();
  return schedule::verify(std::move(bound->schedule), kernel.kernel, *kernel.nest,
                          hardware.topology, &bound->places);
}

bool comesAlong(const std::vector<texts::Preset>& presets, const std::string& name) {
  return std::ranges::find(presets, name, &texts::Preset::name) != presets.end();
}

base::Result<HardwareRef> hardwareOf(const syntax::ScheduleText& text) {
  auto source = texts::loadHardwareText(text.hardware.text);
  if (!source) return source.takeDiagnostics();
  return openHardware(*std::move(source));
}

base::Result<KernelRef> kernelOf(const syntax::ScheduleText& text) {
  auto source = texts::loadKernelText(text.kernel.text);
  if (!source) return source.takeDiagnostics();
  KernelOptions options;
  options.name = text.kernel.text;
  options.dtype = text.dtype.text;
  for (const auto& [name, value] : text.parameters)
    options.set.emplace_back(name.text, value.value);
  return openKernel(*std::move(source), options);
}

base::Diagnostic onlyFormChecked(const syntax::ScheduleText& text, const std::string& name,
                                 base::Span at) {
  return base::noteAt(text.source, at,
                      "only the form was checked: `" + name + "` does not come along",
                      "`gridloom simulate --schedule` with --hardware and --kernel checks it all");
}

/// A name close to a preset's or built-in kernel's is reported as a typo. Any other name is the
/// user's own and unknown.
base::Diagnostic unknownName(const syntax::ScheduleText& text,
                             const syntax::ScheduleText::Name& name,
                             const std::vector<texts::Preset>& presets) {
  std::vector<std::string_view> known;
  for (const texts::Preset& preset : presets) known.push_back(preset.name);
  const std::string_view near = syntax::nearest(name.text, known);
  if (near.empty()) return onlyFormChecked(text, name.text, name.span);
  return base::errorAt(text.source, name.span, "nothing called `" + name.text + "` comes along",
                       "did you mean `" + std::string(near) +
                           "`? One of your own is checked by `gridloom simulate --schedule` with "
                           "--hardware and --kernel");
}

}  // namespace

base::Result<schedule::VerifiedSchedule> openSchedule(base::SourceRef text, const Kernel& kernel,
                                                      const Hardware& hardware) {
  auto parsed = syntax::parseSchedule(std::move(text));
  if (!parsed) return parsed.takeDiagnostics();
  return bindAndVerify(*parsed, kernel, hardware);
}

base::Diagnostics checkNames(base::SourceRef text, const Kernel& kernel, const Hardware& hardware) {
  auto parsed = syntax::parseSchedule(std::move(text));
  if (!parsed) return parsed.takeDiagnostics();
  auto bound = syntax::bindSchedule(*parsed, kernel.kernel, *kernel.nest, hardware.topology);
  return bound ? base::Diagnostics{} : bound.takeDiagnostics();
}

base::Result<schedule::VerifiedSchedule> scheduleOf(const mapping::Mapping& mapping,
                                                    const Kernel& kernel, const Hardware& hardware,
                                                    const base::Progress& progress) {
  if (!kernel.nest) return kernel.notMapped;
  return verifiedSchedule(kernel.kernel, *kernel.nest, hardware.topology, mapping, progress);
}

std::string textOf(const schedule::Schedule& schedule, const Kernel& kernel,
                   const Hardware& hardware) {
  return syntax::printSchedule(schedule, kernel.kernel, *kernel.nest, hardware.topology);
}

base::Diagnostics checkSchedule(base::SourceRef text) {
  const base::SourceRef source = text;
  auto parsed = syntax::parseSchedule(std::move(text));
  if (!parsed) return parsed.takeDiagnostics();
  base::Diagnostics unknown;
  for (const auto& [name, presets] : {std::pair(&parsed->hardware, texts::listHardware()),
                                      std::pair(&parsed->kernel, texts::listKernels())}) {
    if (!comesAlong(presets, name->text)) unknown.push_back(unknownName(*parsed, *name, presets));
  }
  if (!unknown.empty()) return unknown;
  auto hardware = hardwareOf(*parsed);
  if (!hardware) return hardware.takeDiagnostics();
  auto kernel = kernelOf(*parsed);
  if (!kernel) {
    base::Diagnostics errors = kernel.takeDiagnostics();
    errors.push_back(base::noteAt(parsed->source, parsed->span, "asked for by this schedule"));
    return errors;
  }
  if (!(*kernel)->nest) return (*kernel)->notMapped;
  base::Progress progress;
  const auto fit = service::fit(*std::move(kernel), **hardware, {.saved = {source}}, progress);
  if (!fit) return fit.diagnostics();
  return bindAndVerify(*parsed, *fit->kernel, **hardware).takeDiagnostics();
}

}  // namespace gridloom::service

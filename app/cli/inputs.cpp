// SPDX-License-Identifier: Apache-2.0
#include "inputs.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/interrupt.h"
#include "cost/model.h"
#include "option_values.h"
#include "progress_bar.h"
#include "service/fit.h"
#include "service/mapping_input.h"
#include "service/result_records.h"
#include "texts/presets.h"
#include "timing/op_cycles.h"

namespace gridloom::cli {

namespace {

using Setting = std::pair<std::string, std::int64_t>;

base::Result<Setting> settingOf(const std::string& text) {
  const auto equal = text.find('=');
  if (equal == std::string::npos || equal == 0) {
    return base::plainError("--set " + text + ": expected a parameter and its value",
                            "write --set M=1024");
  }
  const std::string_view digits = std::string_view(text).substr(equal + 1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    return base::plainError("--set " + text + ": the number is too large", "sizes are below 2^63");
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return base::plainError("--set " + text + ": expected a whole number, got `" +
                                std::string(digits) + "`",
                            "write --set M=1024");
  }
  if (value <= 0) {
    return base::plainError("--set " + text + ": a size is at least 1",
                            "give a positive whole number");
  }
  return Setting(text.substr(0, equal), value);
}

base::Result<service::HardwareRef> openHardware(const std::string& name) {
  auto text = texts::loadHardwareText(name);
  if (!text) return text.takeDiagnostics();
  return service::openHardware(*std::move(text));
}

/// Texts that must fit the kernel. One that cannot be read is reported by what uses it.
std::vector<base::SourceRef> savedIn(const Options& options) {
  std::vector<std::string> names = options.names;
  names.push_back(options.mapping);
  names.push_back(options.schedule);
  std::vector<base::SourceRef> texts;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (auto text = texts::loadText(name)) texts.push_back(*std::move(text));
  }
  return texts;
}

base::Result<service::Asked> whatIsAsked(const Options& options) {
  service::Asked asked{nullptr, savedIn(options), options.mode, options.threads,
                       searchLimitsOf(options)};
  if (options.directives.empty()) return asked;
  auto text = texts::loadDirectivesText(options.directives);
  if (!text) return text.takeDiagnostics();
  asked.directives = *std::move(text);
  return asked;
}

/// The kernel in the form that the directives fit.
std::variant<service::Fit, Exit> fitOf(const Options& options, const Inputs& inputs) {
  auto asked = whatIsAsked(options);
  if (!asked) {
    printDiagnostics(asked.diagnostics());
    return Exit::BadInput;
  }
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  auto fit = [&] {
    const ProgressBar bar(progress, "choosing a form");
    return service::fit(inputs.kernel, *inputs.hardware, *asked, progress);
  }();
  printDiagnostics(fit.diagnostics());
  if (progress.cancelled()) {
    printError("interrupted before the kernel was searched");
    return base::stoppedStatus();
  }
  if (!fit) return Exit::BadInput;
  return *std::move(fit);
}

}  // namespace

service::SearchLimits searchLimitsOf(const Options& options) {
  service::SearchLimits limits;
  if (options.workLimit >= 0) limits.work = options.workLimit;
  if (const auto seconds = secondsOf(options.timeLimit)) limits.seconds = *seconds;
  if (const auto margin = shareOf("--margin", options.margin); margin && !options.margin.empty()) {
    limits.margin = *margin;
  }
  return limits;
}

base::Result<Settings> settingsOf(const Options& options) {
  Settings settings;
  base::Diagnostics errors;
  for (const std::string& text : options.set) {
    auto setting = settingOf(text);
    if (setting) {
      settings.push_back(*std::move(setting));
    } else {
      for (base::Diagnostic& error : setting.takeDiagnostics()) errors.push_back(std::move(error));
    }
  }
  if (!errors.empty()) return errors;
  return settings;
}

base::Result<service::KernelRef> openKernel(const std::string& name, const Options& options) {
  const auto settings = settingsOf(options);
  if (!settings) return base::Diagnostics(settings.diagnostics());
  auto text = texts::loadKernelText(name);
  if (!text) return text.takeDiagnostics();
  return service::openKernel(*std::move(text), {*settings, options.dtype, options.entry});
}

std::variant<Inputs, Exit> openInputs(const Options& options) {
  if (const auto seconds = secondsOf(options.timeLimit); !seconds) {
    printDiagnostics(seconds.diagnostics());
    return Exit::BadInput;
  }
  if (const auto margin = shareOf("--margin", options.margin); !margin) {
    printDiagnostics(margin.diagnostics());
    return Exit::BadInput;
  }
  if (options.simulate && options.top > service::kMappingsInFull) {
    printError("--simulate simulates at most " + std::to_string(service::kMappingsInFull) +
                   " mappings",
               "without it, --rerank N simulates the first N of a longer list");
    return Exit::BadInput;
  }
  auto hardware = openHardware(options.hardware);
  auto kernel = openKernel(options.kernel, options);
  if (!hardware) printDiagnostics(hardware.diagnostics());
  if (!kernel) printDiagnostics(kernel.diagnostics());
  if (!hardware || !kernel) return Exit::BadInput;
  Inputs inputs{*hardware, service::fitted(*std::move(kernel), **hardware), {}, {}, {}};
  printWarnings(inputs.hardware->remarks);
  printDiagnostics(inputs.kernel->remarks);
  if (!inputs.kernel->nest) {
    printDiagnostics(inputs.kernel->notMapped);
    return Exit::No;
  }
  auto compute =
      inputs.hardware->topology.compute(options.mode, timing::operandBits(*inputs.kernel->nest));
  if (!compute) printDiagnostics(compute.diagnostics());
  auto fit = fitOf(options, inputs);
  if (valueOf(fit) == nullptr) return std::get<Exit>(fit);
  if (!compute) return Exit::BadInput;
  inputs.kernel = valueOf(fit)->kernel;
  inputs.constraints = std::move(valueOf(fit)->constraints);
  inputs.search = valueOf(fit)->left;
  inputs.mode = compute->mode;
  return inputs;
}

ranking::Reranking rerankingOf(const Options& options) {
  ranking::Reranking out =
      options.rerank >= 0 ? ranking::rerankFirst(options.rerank) : ranking::kQuickReranking;
  if (options.simulate) out.least = std::max(out.least, options.top);
  out.most = std::max(out.most, out.least);
  return out;
}

std::string commandOf(const std::string& verb, const Options& options) {
  std::string line =
      "gridloom " + verb + " --hardware " + options.hardware + " --kernel " + options.kernel;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) line += " " + std::string(option) + " " + value;
  };
  add("--entry", options.entry);
  for (const std::string& setting : options.set) add("--set", setting);
  add("--dtype", options.dtype);
  add("--mode", options.mode);
  add("--directives", options.directives);
  if (options.workLimit >= 0) add("--work-limit", std::to_string(options.workLimit));
  add("--time-limit", options.timeLimit);
  add("--margin", options.margin);
  return line;
}

service::SimulationLimits limitsOf(const Options& options) {
  return {options.eventLimit, options.memoryLimit};
}

Exit refused(const base::Diagnostics& errors) {
  if (simulate::hasInternalError(errors)) return Exit::Internal;
  const bool placed = std::ranges::any_of(
      errors, [](const base::Diagnostic& error) { return error.source != nullptr; });
  return placed ? Exit::BadInput : Exit::No;
}

namespace {

Exit internalIfAny(const base::Diagnostics& insane) {
  if (insane.empty()) return Exit::Done;
  printDiagnostics(insane);
  printError("the result contradicts itself, so nothing of it is shown or written",
             "please report this with the command that led to it");
  return Exit::Internal;
}

}  // namespace

Exit checkSane(const service::Exploration& exploration) {
  return internalIfAny(service::checkSanity(exploration));
}

Exit checkSane(const service::Explanation& explanation) {
  return internalIfAny(service::checkSanity(explanation));
}

Exit checkSane(const service::SimulationRun& run) {
  return internalIfAny(service::checkSanity(run));
}

}  // namespace gridloom::cli

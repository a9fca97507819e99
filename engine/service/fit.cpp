// SPDX-License-Identifier: Apache-2.0
#include "service/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "service/faster_form.h"
#include "service/mapping_input.h"
#include "service/units.h"

namespace gridloom::service {

namespace {

base::Result<Form> bound(KernelRef kernel, const Hardware& hardware, const Asked& asked) {
  if (!kernel->nest) return kernel->notMapped;
  Form form{std::move(kernel), {}};
  if (!asked.directives) return form;
  auto constraints = openDirectives(asked.directives, *form.kernel, hardware);
  if (!constraints) return constraints.takeDiagnostics();
  form.constraints = *std::move(constraints);
  form.kernel = withUnits(std::move(form.kernel), form.constraints);
  return form;
}

/// A form that fits the directives and the saved files.
struct WholeForm {
  Form form;
  /// The form under the directives of the first saved file that has any, where none are asked for:
  /// what is searched under them is compared, whichever option named them.
  Form compared;
};

base::Result<WholeForm> boundWhole(KernelRef kernel, const Hardware& hardware, const Asked& asked) {
  auto form = bound(std::move(kernel), hardware, asked);
  if (!form) return form.takeDiagnostics();
  std::optional<mapping::Constraints> directives;
  for (const base::SourceRef& text : asked.saved) {
    auto own = withUnitsOf(text, form->kernel, hardware);
    if (!own) return own.takeDiagnostics();
    auto saved = openSaved(text, **own, hardware);
    if (!saved) return saved.takeDiagnostics();
    if (asked.saved.size() == 1) form->kernel = *own;
    if (!directives) directives = *std::move(saved);
  }
  WholeForm whole{*form, *form};
  if (!asked.directives && directives) whole.compared.constraints = *std::move(directives);
  return whole;
}

/// The kernel, which says what ended the choice of its form.
KernelRef chosen(const KernelRef& kernel, const FormChoice& choice) {
  if (choice.stopped == kernel->formChoice && choice.margin == kernel->formMargin) return kernel;
  Kernel out = *kernel;
  out.formChoice = choice.stopped;
  out.formMargin = choice.margin;
  return std::make_shared<const Kernel>(std::move(out));
}

/// Errors that both forms have are mistakes in either. Without any, those of the first form come
/// with what the other one says.
base::Diagnostics fitsNeither(const base::Diagnostics& first, const base::Diagnostics& second,
                              const std::string& kernel) {
  const auto isIn = [](const base::Diagnostics& all) {
    return [&all](const base::Diagnostic& each) {
      return std::ranges::find(all, each.message, &base::Diagnostic::message) != all.end();
    };
  };
  base::Diagnostics errors;
  std::ranges::copy_if(first, std::back_inserter(errors), isIn(second));
  if (!errors.empty()) return errors;
  errors = first;
  for (const base::Diagnostic& each : second) {
    errors.push_back(base::noteAt(
        each.source, each.span,
        fmt::format("it does not fit the form of `{}` with state in one core either: {}", kernel,
                    each.message),
        "leave out what names only one of the two forms"));
  }
  return errors;
}

}  // namespace

base::Result<Fit> fit(KernelRef kernel, const Hardware& hardware, const Asked& asked,
                      base::Progress& progress) {
  kernel = fitted(std::move(kernel), hardware);
  const auto other = otherForm(kernel, hardware);
  if (!other) {
    auto only = bound(firstForm(kernel), hardware, asked);
    if (only && asked.saved.size() == 1) {
      auto own = withUnitsOf(asked.saved.front(), only->kernel, hardware);
      if (!own) return own.takeDiagnostics();
      only->kernel = *std::move(own);
    }
    if (!only) return only.takeDiagnostics();
    return Fit{only->kernel, std::move(only->constraints), asked.search};
  }
  auto first = boundWhole(firstForm(kernel), hardware, asked);
  auto second = boundWhole(*other, hardware, asked);
  if (!first && !second) {
    return fitsNeither(first.diagnostics(), second.diagnostics(), kernel->kernel.name);
  }
  SearchLimits left = asked.search;
  FormChoice choice{!first};
  if (first && second) {
    choice = fasterForm(first->compared, second->compared, hardware, {asked.mode, asked.threads},
                        left, progress);
  }
  const Form& form = choice.isSecond ? second->form : first->form;
  return Fit{chosen(form.kernel, choice), form.constraints, left, choice.cycles};
}

}  // namespace gridloom::service

// SPDX-License-Identifier: Apache-2.0
#include "service/units.h"

#include <utility>

#include "exchange/mapping_units.h"
#include "mapping/units.h"
#include "report/unit_choices.h"
#include "service/mapping_input.h"
#include "syntax/directive_parser.h"
#include "syntax/schedule_parser.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

// The units of a schedule, as directives at their places.
base::Result<mapping::Directives> unitsInSchedule(const base::SourceRef& text) {
  auto schedule = syntax::parseSchedule(text);
  if (!schedule) return schedule.takeDiagnostics();
  mapping::Directives out;
  out.source = text;
  for (const syntax::ScheduleText::Unit& unit : schedule->units) {
    mapping::Directive directive;
    directive.kind = mapping::Directive::Kind::Unit;
    directive.subject = {unit.tensor.text, unit.tensor.span};
    directive.names = {{unit.unit.text, unit.unit.span}};
    directive.span = unit.span;
    out.list.push_back(std::move(directive));
  }
  return out;
}

base::Result<mapping::Directives> unitsIn(const base::SourceRef& text) {
  switch (savedKind(*text)) {
  case SavedKind::Schedule:
    return unitsInSchedule(text);
  case SavedKind::Json:
    return exchange::unitsFromJson(text);
  case SavedKind::Directives:
    break;
  }
  auto all = syntax::parseDirectives(text);
  if (!all) return all.takeDiagnostics();
  std::erase_if(all->list, [](const mapping::Directive& directive) {
    return directive.kind != mapping::Directive::Kind::Unit;
  });
  return all;
}

}  // namespace

KernelRef withUnits(KernelRef kernel, const mapping::Constraints& constraints) {
  if (!kernel->nest || constraints.units.empty()) return kernel;
  Kernel out = *kernel;
  out.nest = mapping::withUnits(*std::move(out.nest), out.kernel, constraints.units);
  return std::make_shared<const Kernel>(std::move(out));
}

base::Result<KernelRef> withUnitsOf(const base::SourceRef& text, KernelRef kernel,
                                    const Hardware& hardware) {
  if (!kernel->nest) return kernel->notMapped;
  auto units = unitsIn(text);
  if (!units) return units.takeDiagnostics();
  if (units->list.empty()) return kernel;
  auto constraints = mapping::resolve(*units, kernel->kernel, *kernel->nest, hardware.topology);
  if (!constraints) return constraints.takeDiagnostics();
  return withUnits(std::move(kernel), *constraints);
}

std::vector<report::UnitRecord> unitsAt(const Exploration& exploration, std::size_t at) {
  const Kernel& kernel = *exploration.kernel;
  const auto compute =
      exploration.hardware->topology.compute(exploration.mode, timing::operandBits(*kernel.nest));
  if (!compute) return {};
  return report::unitsOf(kernel.kernel, *kernel.nest, *compute,
                         mappingAt(exploration, at).tileSize);
}

}  // namespace gridloom::service

// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/hardware_edits.h"

#include "bridge/session.h"
#include "models/hardware_text.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

const QString& words(const Session& session) { return session.project().hardwareText; }

}  // namespace

std::optional<service::HardwareField> meshSize(const Session& session, std::size_t dimension) {
  const service::HardwareRef& hardware = session.hardware();
  if (!hardware || !session.hardwareIsCurrent()) return {};
  const auto dims = hardware->topology.dims();
  if (dimension >= dims.size()) return {};
  for (const auto& field : service::hardwareFields(hardwareSource(words(session)))) {
    const bool sizes = field.op == "spatial_dim" && field.component == dims[dimension].name;
    if (sizes && !field.parameter.empty()) return field;
  }
  return {};
}

void resizeMesh(Session& session, std::size_t dimension, int size) {
  const auto field = meshSize(session, dimension);
  if (!field || size < 1) return;
  const QString number = QString::number(size);
  session.editHardware(withPart(words(session), field->value, number),
                       QStringLiteral("%1 = %2").arg(text(field->parameter), number));
}

void setCoreDisabled(Session& session, const std::vector<std::int64_t>& core, bool disabled) {
  if (core.empty()) return;
  const auto edit = service::disableCore(hardwareSource(words(session)), core, disabled);
  if (!edit) return;
  session.editHardware(withPart(words(session), edit->span, text(edit->text)),
                       QStringLiteral("%1 of core %2")
                           .arg(disabled ? QStringLiteral("disabling") : QStringLiteral("enabling"),
                                placeText(core)));
}

std::vector<std::int64_t> describedCore(const Session& session, int core) {
  const service::HardwareRef& hardware = session.hardware();
  if (!hardware || core < 0 || core >= hardware->topology.coreCount()) return {};
  std::vector<std::int64_t> at(hardware->topology.dims().size());
  hardware->topology.describedCoordinates(hardware::CoreId::of(static_cast<std::size_t>(core)), at);
  return at;
}

service::EdgeLinks edgesOf(const Session& session) {
  return service::edgeLinks(hardwareSource(words(session)));
}

void setWrapped(Session& session, bool wraps) {
  QString after = words(session);
  for (const service::TextEdit& edit : service::wrapLinks(hardwareSource(after), wraps))
    after = withPart(after, edit.span, text(edit.text));
  session.editHardware(after, wraps ? QStringLiteral("wrapping the links around")
                                    : QStringLiteral("ending the links at the edge"));
}

}  // namespace gridloom::widgets

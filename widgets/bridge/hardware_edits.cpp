// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/hardware_edits.h"

#include <algorithm>
#include <vector>

#include "bridge/session.h"
#include "models/hardware_text.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

/// Edits of larger machines are checked in the background, as all text is.
constexpr std::int64_t kCheckedCores = 1 << 14;

const QString& words(const Session& session) { return session.project().hardwareText; }

/// The text with edits, the last of which comes first.
QString edited(QString text, const std::vector<language::TextEdit>& edits) {
  for (const language::TextEdit& edit : edits)
    text = withPart(text, edit.span, widgets::text(edit.text));
  return text;
}

bool addPart(Session& session, const std::vector<language::TextEdit>& edits, const QString& title) {
  if (edits.empty()) return false;
  session.editHardware(edited(words(session), edits), title);
  return true;
}

/// Whether a router has two cores: the mesh then shows it as two cells.
bool sharesRouters(const hardware::Topology& hw) {
  std::vector<bool> hasCore(static_cast<std::size_t>(hw.nodeCount()));
  for (std::size_t c = 0; c < static_cast<std::size_t>(hw.coreCount()); ++c) {
    const std::size_t node = hw.nodeOf(hardware::CoreId::of(c)).index();
    if (hasCore[node]) return true;
    hasCore[node] = true;
  }
  return std::ranges::any_of(hw.coresAside(),
                             [&](const auto& aside) { return hasCore[aside.node.index()]; });
}

/// Whether reads and writes of every channel take the same routers at the same rate.
bool writesWhereItReads(const hardware::Topology& hw) {
  const auto sameEnd = [&](hardware::LinkId read, hardware::LinkId write) {
    const hardware::Link in = hw.links()[read.index()];
    const hardware::Link out = hw.links()[write.index()];
    return in.to == out.from && in.bandwidth == out.bandwidth && in.latency == out.latency;
  };
  for (std::size_t c = 0; c < static_cast<std::size_t>(hw.global().channels); ++c) {
    const auto channel = hardware::ChannelId::of(c);
    if (!std::ranges::equal(hw.readPorts(channel), hw.writePorts(channel), sameEnd)) return false;
  }
  return true;
}

}  // namespace

std::optional<language::HardwareField> meshSize(const Session& session, std::size_t dimension) {
  const service::HardwareRef& hardware = session.hardware();
  if (!hardware || !session.hardwareIsChecked()) return {};
  const auto dims = hardware->topology.dims();
  if (dimension >= dims.size()) return {};
  for (const auto& field : language::hardwareFields(hardwareSource(words(session)))) {
    const bool sizes = field.op == "spatial_dim" && field.component == dims[dimension].name;
    if (sizes && !field.parameter.empty()) return field;
  }
  return {};
}

QMap<QString, QString> sizesOf(const Session& session) {
  const service::HardwareRef& hardware = session.hardware();
  if (!hardware) return {};
  QMap<QString, QString> ofDims;
  const auto dims = hardware->topology.dims();
  const QString names[] = {QStringLiteral("Columns"), QStringLiteral("Rows")};
  for (std::size_t d = 0; d < std::min(dims.size(), std::size(names)); ++d)
    ofDims.insert(text(dims[d].name), names[d]);
  const hardware::HardwareSpec& spec = hardware->spec;
  for (const hardware::Memory& memory : spec.memories) {
    if (!memory.global || memory.scaleout.size() != 1) continue;
    const QString dim = text(spec.dims[memory.scaleout.front().index()].name);
    if (!ofDims.contains(dim))
      ofDims.insert(dim, QStringLiteral("Channels of %1").arg(text(memory.name)));
  }
  QMap<QString, QString> sizes = ofDims;
  for (const auto& field : language::hardwareFields(hardwareSource(words(session)))) {
    const auto of = ofDims.find(text(field.component));
    if (field.op == "spatial_dim" && of != ofDims.end() && !field.parameter.empty())
      sizes.insert(text(field.parameter), *of);
  }
  return sizes;
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
  const auto edit = language::disableCore(hardwareSource(words(session)), core, disabled);
  if (!edit) return;
  session.editHardware(withPart(words(session), edit->span, text(edit->text)),
                       QStringLiteral("%1 of core %2")
                           .arg(disabled ? QStringLiteral("disabling") : QStringLiteral("enabling"),
                                placeText(core)));
}

std::vector<std::int64_t> describedCore(const service::HardwareRef& hardware, int core) {
  if (!hardware || core < 0 || core >= hardware->topology.coreCount()) return {};
  std::vector<std::int64_t> at(hardware->topology.dims().size());
  hardware->topology.describedCoordinates(hardware::CoreId::of(static_cast<std::size_t>(core)), at);
  return at;
}

language::EdgeLinks edgesOf(const Session& session) {
  return language::edgeLinks(hardwareSource(words(session)));
}

void setWrapped(Session& session, bool wraps) {
  const QString after =
      edited(words(session), language::wrapLinks(hardwareSource(words(session)), wraps));
  session.editHardware(after, wraps ? QStringLiteral("wrapping the links around")
                                    : QStringLiteral("ending the links at the edge"));
}

bool mayBeRing(const Session& session) {
  if (!meshSize(session, 0) || !meshSize(session, 1)) return false;
  const base::SourceRef source = hardwareSource(words(session));
  const language::EdgeLinks links = language::edgeLinks(source);
  return links.wrapped + links.open > 0 && language::disabledCores(source).empty();
}

bool isRing(const Session& session) {
  const auto columns = meshSize(session, 0), rows = meshSize(session, 1);
  if (!columns || !rows || columns->number < 2 || rows->number != 1) return false;
  return edgesOf(session).open == 0;
}

bool makeRing(Session& session) {
  if (!mayBeRing(session) || isRing(session)) return false;
  const auto columns = meshSize(session, 0), rows = meshSize(session, 1);
  const auto cores = static_cast<std::int64_t>(columns->number * rows->number);
  const base::SourceRef source = hardwareSource(words(session));
  const hardware::Topology& hw = session.hardware()->topology;
  const auto channels = static_cast<std::int64_t>(hw.global().channels);
  std::vector<language::PortRouters> routers;
  for (std::int64_t c = 0; c < channels; ++c) routers.push_back({{c * cores / channels, 0}});
  std::vector<language::TextEdit> edits = language::wrapLinks(source, true);
  for (const auto& edit : language::placeChannels(source, hw.global().name, routers))
    edits.push_back(edit);
  edits.push_back({columns->value, std::to_string(cores)});
  edits.push_back({rows->value, "1"});
  std::ranges::stable_sort(edits, std::greater(),
                           [](const language::TextEdit& edit) { return edit.span.begin; });
  const QString after = edited(words(session), edits);
  if (!service::openHardware(hardwareSource(after)).ok()) return false;
  session.editHardware(after, QStringLiteral("a ring of %1 cores").arg(cores));
  return true;
}

bool addNetwork(Session& session) {
  return addPart(session, language::addNetwork(hardwareSource(words(session))),
                 QStringLiteral("another network"));
}

bool addSharedBuffer(Session& session, bool perColumn) {
  if (!session.hardware() || !session.hardwareIsCurrent()) return false;
  const std::string& local = session.hardware()->topology.local().name;
  return addPart(session,
                 language::addSharedBuffer(hardwareSource(words(session)), local, perColumn),
                 perColumn ? QStringLiteral("a shared buffer for each column")
                           : QStringLiteral("a shared buffer for all cores"));
}

QString whyNotPlaceable(const Session& session) {
  if (!session.hardware() || !session.hardwareIsChecked())
    return QStringLiteral("mend the text of the hardware first");
  const hardware::Topology& hw = session.hardware()->topology;
  if (hw.nodeGrid().size() > 2)
    return QStringLiteral("its routers have more than two coordinates, and the mesh shows two");
  if (sharesRouters(hw)) return QStringLiteral("several cores share a router");
  if (!writesWhereItReads(hw))
    return QStringLiteral("its writes take other ports than its reads, and one place sets both");
  return {};
}

QString placePort(Session& session, std::size_t channel, std::size_t port,
                  const std::vector<language::PortRouters>& routers) {
  if (const QString reason = whyNotPlaceable(session); !reason.isEmpty()) return reason;
  const hardware::Topology& hw = session.hardware()->topology;
  const auto edits =
      language::placePort(hardwareSource(words(session)), hw.global().name, channel, port, routers);
  if (edits.empty())
    return QStringLiteral("the text places %1 in another form").arg(text(hw.global().name));
  const QString after = edited(words(session), edits);
  if (hw.coreCount() <= kCheckedCores) {
    const auto opened = service::openHardware(hardwareSource(after));
    if (!opened) return text(opened.diagnostics().front().message);
  }
  const language::PortRouters& ports = routers[channel];
  const QString which = ports.size() == 1 ? QString() : QStringLiteral("port %1 of ").arg(port);
  session.editHardware(after, QStringLiteral("%1%2 %3 at %4")
                                  .arg(which, text(hw.global().name))
                                  .arg(channel)
                                  .arg(placeText(ports[port])));
  return {};
}

}  // namespace gridloom::widgets

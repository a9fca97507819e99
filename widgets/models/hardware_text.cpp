// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hardware_text.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"

namespace gridloom::widgets {

base::SourceRef hardwareSource(const QString& words) {
  return base::makeSource("form.hw", words.toStdString());
}

QString partOf(const QString& words, base::Span span) {
  return QString::fromUtf8(words.toUtf8().mid(span.begin, span.end - span.begin));
}

QString withPart(const QString& words, base::Span span, const QString& part) {
  return QString::fromUtf8(
      words.toUtf8().replace(span.begin, span.end - span.begin, part.toUtf8()));
}

QString numberText(const QString& typed, const language::HardwareField& field) {
  static const QRegularExpression number(QStringLiteral(
      "^\\s*([0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\\s*([A-Za-z][A-Za-z/]*)?\\s*$"));
  const QRegularExpressionMatch match = number.match(typed);
  if (!match.hasMatch()) return {};
  const QString unit = match.captured(2).isEmpty() ? text(field.unit) : match.captured(2);
  return (match.captured(1) + QLatin1Char(' ') + unit).trimmed();
}

QString numberText(double number, const language::HardwareField& field) {
  const double size = std::abs(number);
  const bool large = size >= 1000 || number == std::floor(number);
  const QString digits =
      large ? QString::number(std::round(number), 'f', 0) : QString::number(number, 'g', 4);
  return (digits + QLatin1Char(' ') + text(field.unit)).trimmed();
}

bool isScalable(const language::HardwareField& field) {
  return !field.unit.empty() && field.number > 0 && field.op != "spatial_dim";
}

QString titleOf(const language::HardwareField& field) {
  QString title = text(field.attribute.empty() ? field.component : field.attribute);
  if (field.op == "param") return title;
  title.replace(QLatin1Char('_'), QLatin1Char(' '));
  return title.left(1).toUpper() + title.mid(1);
}

QString titleOfOp(const std::string& op) {
  if (op == "param") return QStringLiteral("Parameters");
  if (op == "spatial_dim") return QStringLiteral("Sizes");
  if (op == "core") return QStringLiteral("Cores");
  if (op == "mat") return QStringLiteral("Matrix unit");
  if (op == "vec") return QStringLiteral("Vector unit");
  if (op == "scalar") return QStringLiteral("Scalar unit");
  if (op == "memory") return QStringLiteral("Memory");
  if (op == "interconnects") return QStringLiteral("Links");
  return op == "mux" ? QStringLiteral("Memory port") : text(op);
}

QString placeText(const std::vector<std::int64_t>& core) {
  QStringList parts;
  for (const std::int64_t each : core) parts << QString::number(each);
  return QStringLiteral("(%1)").arg(parts.join(QLatin1Char(',')));
}

QString unitNamed(const hardware::HardwareSpec& spec, const QString& kind) {
  const auto isOne = [&](const std::string& name, const auto& units) {
    return std::ranges::any_of(units, [&](const auto& unit) { return unit.name == name; });
  };
  const bool matrix = kind == QLatin1String("matrix");
  for (const hardware::CoreArray& array : spec.cores) {
    for (const hardware::UnitCount& unit : array.scalein) {
      if (matrix ? isOne(unit.unit, spec.matrixUnits) : isOne(unit.unit, spec.vectorUnits))
        return text(unit.unit);
    }
  }
  return {};
}

std::set<std::string> componentsOf(const service::Hardware& hardware, int core,
                                   const QString& resource) {
  std::set<std::string> names;
  const hardware::HardwareSpec& spec = hardware.spec;
  if (!resource.isEmpty()) {
    const std::string& global = hardware.topology.global().name;
    names.insert(resource.section(QLatin1Char(' '), 0, 0).toStdString());
    // A port is named by its two ends: it is a link to the global memory.
    const bool port = resource.contains(QStringLiteral("->")) &&
                      resource.contains(text(global) + QLatin1Char(' '));
    for (const hardware::Interconnect& each : spec.interconnects) {
      if ((port || names.contains(global)) && (each.source == global || each.destination == global))
        names.insert(each.name);
    }
    if (port) names.insert(global);
  } else if (core >= 0) {
    for (const hardware::CoreArray& array : spec.cores) {
      names.insert(array.name);
      for (const hardware::UnitCount& unit : array.scalein) names.insert(unit.unit);
    }
    names.insert(hardware.topology.local().name);
    for (const hardware::Mux& mux : spec.muxes) names.insert(mux.name);
  }
  return names;
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <set>
#include <string>

#include "base/source_text.h"
#include "language/language.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// A hardware text for the language service.
base::SourceRef hardwareSource(const QString& words);
/// A part of a text as it stands there, and the text with another in its place. The span counts
/// bytes.
QString partOf(const QString& words, base::Span span);
QString withPart(const QString& words, base::Span span, const QString& part);

/// What a user typed for a number, as the text gets it: with the unit of `field` where none is
/// given. Empty when it is no number.
QString numberText(const QString& typed, const language::HardwareField& field);
/// A number in the unit of `field`, with four digits or those of a whole number.
QString numberText(double number, const language::HardwareField& field);
/// A rate, a time or a size that a slider may scale, and not a count.
bool isScalable(const language::HardwareField& field);

/// "Full rate output", "Throughput hifi4".
QString titleOf(const language::HardwareField& field);
/// "Links", "Memory": what an operation of the language describes.
QString titleOfOp(const std::string& op);

/// "(3,2)".
QString placeText(const std::vector<std::int64_t>& core);

/// The component of a core's "matrix" or "vector" unit; empty where it has none.
QString unitNamed(const hardware::HardwareSpec& spec, const QString& kind);

/// Names of the components that a core, or a link or channel by its name, consists of; empty for
/// nothing selected.
std::set<std::string> componentsOf(const service::Hardware& hardware, int core,
                                   const QString& resource);

}  // namespace gridloom::widgets

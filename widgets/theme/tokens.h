// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <array>
#include <cstdint>

class QString;

namespace gridloom::report {
enum class PeakLoss : std::uint8_t;
}

namespace gridloom::widgets {

/// Every colour of the studio. Widgets get them from their own palette with `tokensFor`, so that a
/// change of theme reaches them through the usual palette event.
struct Tokens {
  bool dark = false;
  QColor window, panel, raised, border;
  QColor edge;  ///< of fields, buttons and cards
  QColor text, muted, faint;
  QColor accent, selection;
  QColor error, warning, good;
  QColor cell, cellIdle, link;
  /// One colour per concept, in every view: states of a core, and what lowers its rate.
  QColor compute, unitRate, issue, load, network, memory, sync, store, overhead, idle;
  QColor more, less;  ///< a difference of two results
  QColor keyword, type, number, string, comment, name;
  /// Links from the least to the most used, at even distances.
  std::array<QColor, 4> linkRamp;
  std::array<QColor, 6> operands;

  /// Colour of the n-th operand; colours repeat after six.
  const QColor& operand(int index) const;
};

/// A part of the way from one colour to another; clamped to [0, 1].
QColor mixed(const QColor& from, const QColor& to, double part);
/// The colour of a link by its place between the least and the most used.
QColor linkColour(const Tokens& tokens, double part);

/// Opacity of a drawing that belongs to an older input.
constexpr double kStaleInk = 0.45;

const Tokens& lightTokens();
const Tokens& darkTokens();
/// The same hues, with text of at least 12:1 and marks of at least 4.5:1 on their paper.
const Tokens& lightContrastTokens();
const Tokens& darkContrastTokens();
/// The tokens of the theme that a palette belongs to.
const Tokens& tokensFor(const QPalette& palette);

/// Colour of a cause of time: a term of an estimate or a state of a simulation, by its name.
QColor causeColour(const Tokens& tokens, const QString& cause);
/// Colour of a step from the peak to what is achieved.
QColor lossColour(const Tokens& tokens, report::PeakLoss loss);

}  // namespace gridloom::widgets

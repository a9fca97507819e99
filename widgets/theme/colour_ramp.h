// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <array>

namespace gridloom::widgets {

/// A sequential ramp of 256 colours whose CIELAB lightness changes evenly, so that it is also
/// readable without colour vision. It starts near the background of its theme.
class ColourRamp {
 public:
  static const ColourRamp& of(bool dark);

  /// Colour of a share; clamped to [0, 1].
  QRgb at(double share) const;
  /// CIELAB lightness of a colour, 0 to 100.
  static double lightness(QRgb colour);

 private:
  explicit ColourRamp(bool dark);
  std::array<QRgb, 256> m_colours{};
};

}  // namespace gridloom::widgets

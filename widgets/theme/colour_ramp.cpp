// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/colour_ramp.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridloom::widgets {

namespace {

struct LinearRgb {
  double r, g, b;
  bool inGamut() const { return std::min({r, g, b}) >= 0.0 && std::max({r, g, b}) <= 1.0; }
};

/// CIE 15:2004, white point D65, and the sRGB matrix of IEC 61966-2-1.
LinearRgb fromLch(double lightness, double chroma, double degrees) {
  const double hue = degrees * std::numbers::pi / 180.0;
  const double fy = (lightness + 16.0) / 116.0;
  const double fx = fy + chroma * std::cos(hue) / 500.0;
  const double fz = fy - chroma * std::sin(hue) / 200.0;
  const auto cube = [](double f) {
    return f > 6.0 / 29.0 ? f * f * f : 3.0 * (6.0 / 29.0) * (6.0 / 29.0) * (f - 4.0 / 29.0);
  };
  const double x = 0.95047 * cube(fx);
  const double y = cube(fy);
  const double z = 1.08883 * cube(fz);
  return {3.2406 * x - 1.5372 * y - 0.4986 * z, -0.9689 * x + 1.8758 * y + 0.0415 * z,
          0.0557 * x - 0.2040 * y + 1.0570 * z};
}

int encode(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
  return static_cast<int>(std::lround(s * 255.0));
}

double decode(int value) {
  const double s = value / 255.0;
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

QRgb colourAt(double lightness, double chroma, double hue) {
  LinearRgb rgb = fromLch(lightness, chroma, hue);
  while (!rgb.inGamut() && chroma > 0.5) {
    chroma *= 0.96;
    rgb = fromLch(lightness, chroma, hue);
  }
  return qRgb(encode(rgb.r), encode(rgb.g), encode(rgb.b));
}

}  // namespace

ColourRamp::ColourRamp(bool dark) {
  for (std::size_t i = 0; i < m_colours.size(); ++i) {
    const double t = static_cast<double>(i) / 255.0;
    // From a cool tone close to the background to a warm (dark theme) or deep (light theme) end.
    m_colours[i] = dark ? colourAt(20.0 + 44.0 * t, 7.0 + 21.0 * t, 265.0 - 45.0 * t)
                        : colourAt(95.0 - 50.0 * t, 4.0 + 26.0 * t, 205.0 + 45.0 * t);
  }
}

const ColourRamp& ColourRamp::of(bool dark) {
  static const ColourRamp light(false);
  static const ColourRamp night(true);
  return dark ? night : light;
}

QRgb ColourRamp::at(double share) const {
  const double t = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  return m_colours[static_cast<std::size_t>(std::lround(t * 255.0))];
}

double ColourRamp::lightness(QRgb colour) {
  const double y = 0.2126 * decode(qRed(colour)) + 0.7152 * decode(qGreen(colour)) +
                   0.0722 * decode(qBlue(colour));
  const double f = y > 216.0 / 24389.0 ? std::cbrt(y) : (24389.0 / 27.0 * y + 16.0) / 116.0;
  return 116.0 * f - 16.0;
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace gridloom::widgets {

/// Numbers for display: all significant digits and no others, as the command prints
/// them; "–" for an unknown number.
QString text(std::string_view utf8);
QString countText(double count);    ///< 12,345,678
QString cyclesText(double cycles);  ///< 12,345,678 (unit in the header)
/// What is lost: −16.5 for 16.5; ≈ 0 for 0.00, whose digits do not show it.
QString lostText(const QString& number);
QString percentText(double share, int digits = 1);
QString signedPercentText(double share);  ///< +3.2%
QString bytesText(double bytes);          ///< 1.43 MiB
QString secondsText(double seconds);      ///< 2.91 ms
QString rateText(double tflops);          ///< 61.4 TFLOP/s, or – without a clock

/// A text of the engine with the signs of the window: −3.2% for -3.2%, i→x for i->x, – for a single
/// -, which stands for what is not known.
QString shownText(std::string_view words);
/// "twice the dram bandwidth" -> "Twice the DRAM bandwidth".
QString resourceTitle(std::string_view resource);

/// "matrix" -> "Matrix unit", "WaitDram" -> "Waiting for DRAM": display names of terms and states.
QString causeTitle(const QString& cause);
/// One sentence that defines a term or a state.
QString causeMeaning(const QString& cause);

}  // namespace gridloom::widgets

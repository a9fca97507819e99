// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/exit_status.h"
#include "base/progress.h"
#include "base/result.h"

class QCommandLineParser;

namespace gridloom::render {

enum class Chart { Mesh, Scatter, Breakdown, Waterfall, Timeline, Roofline, Traffic, Links, Cores };

/// The figure to draw and the file to write.
struct Request {
  std::string sweep;  ///< the file of a sweep, which is drawn instead of a mapping; "": none
  std::string hardware, kernel, directives, mode;
  std::vector<std::pair<std::string, std::int64_t>> set;
  Chart chart = Chart::Mesh;
  QString out;
  int rank = 1;  ///< mapping shown by all but the scatter; the roofline names it
  int top = 12;  ///< mappings ranked
  bool simulate = true;
  bool dark = false;
  double width = 0;              ///< pixels of 1/96 inch
  std::optional<double> height;  ///< else what the chart asks for
};

void addOptions(QCommandLineParser& parser);
/// The parsed command line as a request; all its errors at once.
base::Result<Request> requestOf(const QCommandLineParser& parser);

/// Result of a request.
struct Outcome {
  base::ExitStatus status = base::ExitStatus::Done;
  base::Diagnostics errors;  ///< empty when done
};

/// Explores, simulates what the chart needs, and writes the file; writes nothing when `progress` is
/// cancelled. Needs a QApplication.
Outcome render(const Request& request, base::Progress& progress);

}  // namespace gridloom::render

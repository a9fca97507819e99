// SPDX-License-Identifier: GPL-3.0-or-later

// Charts of an exploration as files, without a display.

#include <QApplication>
#include <QCommandLineParser>
#include <cstdio>

#include "base/diagnostic.h"
#include "render_request.h"
#include "theme/apply_theme.h"
#include "window/studio_display.h"

int main(int argc, char** argv) {
  // Drawing into memory needs no display and gives the same picture on every desktop.
  qputenv("QT_QPA_PLATFORM", "offscreen");
  gridloom::widgets::prepareDisplay();
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("gridloom-render"));
  QApplication::setApplicationVersion(QStringLiteral(GRIDLOOM_VERSION));
  gridloom::widgets::applyTheme(app, gridloom::widgets::Scheme::Light);

  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral(
      "Draws the result of an exploration.\n\n"
      "  gridloom-render --hardware wormhole_8x8 --kernel gemm --chart mesh --out mesh.svg"));
  parser.addHelpOption();
  parser.addVersionOption();
  gridloom::render::addOptions(parser);
  if (!parser.parse(QApplication::arguments())) {
    std::fprintf(stderr, "error: %s\n", qPrintable(parser.errorText()));
    return 2;
  }
  if (parser.isSet(QStringLiteral("help"))) parser.showHelp(0);
  if (parser.isSet(QStringLiteral("version"))) parser.showVersion();

  const auto request = gridloom::render::requestOf(parser);
  if (!request) {
    std::fputs(gridloom::base::render(request.diagnostics()).c_str(), stderr);
    return 2;
  }
  const auto written = gridloom::render::render(*request);
  if (!written) {
    std::fputs(gridloom::base::render(written.diagnostics()).c_str(), stderr);
    return 2;
  }
  return 0;
}

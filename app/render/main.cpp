// SPDX-License-Identifier: GPL-3.0-or-later

// Charts of an exploration as files, without a display.

#include <QApplication>
#include <QCommandLineParser>
#include <QTemporaryDir>
#include <cstdio>

#include "base/interrupt.h"
#include "base/machine_fault.h"
#include "render_request.h"
#include "theme/apply_theme.h"
#include "window/studio_display.h"

namespace {

using gridloom::base::ExitStatus;

void print(const gridloom::base::Diagnostics& diagnostics) {
  std::fputs(gridloom::base::render(diagnostics).c_str(), stderr);
}

/// Without a runtime folder of the session, Qt warns on every run and leaves a temporary one
/// behind.
void giveRuntimeFolder(const QTemporaryDir& folder) {
  if (!qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR") || !folder.isValid()) return;
  qputenv("XDG_RUNTIME_DIR", folder.path().toLocal8Bit());
}

void describe(QCommandLineParser& parser) {
  parser.setApplicationDescription(QStringLiteral(
      "Draws the result of an exploration. Exit statuses are those of the command.\n\n"
      "  gridloom-render --hardware wormhole_8x8 --kernel gemm --chart mesh --out mesh.svg"));
  parser.addHelpOption();
  parser.addVersionOption();
  gridloom::render::addOptions(parser);
}

ExitStatus draw(const QCommandLineParser& parser) {
  const auto request = gridloom::render::requestOf(parser);
  if (!request) {
    print(request.diagnostics());
    return ExitStatus::BadInput;
  }
  gridloom::base::Progress progress;
  const gridloom::base::InterruptGuard guard(progress);
  const gridloom::render::Outcome outcome = gridloom::render::render(*request, progress);
  if (progress.cancelled()) {
    print({gridloom::base::plainError("interrupted: nothing was written")});
    return gridloom::base::stoppedStatus();
  }
  print(outcome.errors);
  return outcome.status;
}

ExitStatus run(int argc, char** argv) {
  const QTemporaryDir folder;
  giveRuntimeFolder(folder);
  // Drawing into memory needs no display and gives the same picture on every desktop.
  qputenv("QT_QPA_PLATFORM", "offscreen");
  gridloom::widgets::prepareDisplay();
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("gridloom-render"));
  QApplication::setApplicationVersion(QStringLiteral(GRIDLOOM_VERSION));
  gridloom::widgets::applyTheme(app, gridloom::widgets::Scheme::Light);

  QCommandLineParser parser;
  describe(parser);
  if (!parser.parse(QApplication::arguments())) {
    print({gridloom::base::plainError(parser.errorText().toStdString(),
                                      "gridloom-render --help shows what is expected")});
    return ExitStatus::BadInput;
  }
  if (parser.isSet(QStringLiteral("help"))) parser.showHelp(0);
  if (parser.isSet(QStringLiteral("version"))) parser.showVersion();
  return draw(parser);
}

}  // namespace

int main(int argc, char** argv) {
  return static_cast<int>(gridloom::base::runGuarded([&] { return run(argc, argv); },
                                                     [](const auto& error) { print({error}); }));
}

// SPDX-License-Identifier: GPL-3.0-or-later

// The studio's entry point: argument handling and one window.

#include <QApplication>
#include <QCommandLineParser>

#include "window/main_window.h"
#include "window/studio_display.h"

int main(int argc, char** argv) {
  gridloom::widgets::prepareDisplay();
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("gridloom-studio"));
  QApplication::setApplicationDisplayName(QStringLiteral("Gridloom Studio"));
  QApplication::setApplicationVersion(QStringLiteral(GRIDLOOM_VERSION));

  QCommandLineParser arguments;
  arguments.setApplicationDescription(
      QStringLiteral("Explores how tensor kernels map onto spatial dataflow accelerators."));
  arguments.addHelpOption();
  arguments.addVersionOption();
  arguments.addPositionalArgument(QStringLiteral("project"), QStringLiteral("A project to open."),
                                  QStringLiteral("[project]"));
  arguments.process(app);

  gridloom::widgets::MainWindow window;
  window.show();
  const QStringList files = arguments.positionalArguments();
  if (files.isEmpty() || !window.openProject(files.first())) {
    window.openFirst();
    // Work that a crash left is shown at once.
    if (!window.isWindowModified()) window.showWelcome();
  } else {
    window.offerAbandoned();
  }
  return QApplication::exec();
}

// SPDX-License-Identifier: GPL-3.0-or-later

// The studio's entry point: argument handling and one window.

#include <QApplication>
#include <QCommandLineParser>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "window/main_window.h"
#include "window/studio_display.h"

namespace {

/// Arrays of a wafer go back to the system when they are freed. Otherwise the allocator raises its
/// threshold with each of them and keeps hundreds of megabytes.
void keepFreedMemoryLow() {
#ifdef __GLIBC__
  constexpr int kLargeArray = 256 << 10;  // bytes
  mallopt(M_MMAP_THRESHOLD, kLargeArray);
  mallopt(M_TRIM_THRESHOLD, 4 * kLargeArray);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keepFreedMemoryLow();
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

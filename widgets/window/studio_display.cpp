// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/studio_display.h"

#include <QByteArray>
#include <QHashFunctions>

// Qt declares the initialiser where it is called, which must not be in a namespace.
static void loadResources() { Q_INIT_RESOURCE(studio); }

namespace gridloom::widgets {

void prepareDisplay() {
  loadResources();
  // Qt writes the fonts of a PDF in hash order; a fixed seed makes equal figures equal files.
  QHashSeed::setDeterministicGlobalSeed();
  if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) return;
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/studio_display.h"

#include <QByteArray>
#include <QDir>

// Qt declares the initialiser where it is called, which must not be in a namespace.
static void loadResources() { Q_INIT_RESOURCE(studio); }

namespace gridloom::widgets {

void chooseDisplay() {
  loadResources();
  if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) return;
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QSizeF>

namespace gridloom::widgets {

struct MeshScene;
struct Tokens;

/// A mesh as a picture for a card, `size` in pixels of a screen with this ratio.
QImage meshPicture(const MeshScene& scene, const Tokens& tokens, QSizeF size, double ratio);

}  // namespace gridloom::widgets

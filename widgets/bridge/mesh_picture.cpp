// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/mesh_picture.h"

#include <QPainter>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

QImage meshPicture(const MeshScene& scene, const Tokens& tokens, QSizeF size, double ratio) {
  QImage image((size * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(tokens.window);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  MeshHighlight plain;
  paintMesh(painter, scene, fitted(scene, QRectF(QPointF(), size)), tokens, plain);
  return image;
}

}  // namespace gridloom::widgets

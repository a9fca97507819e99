// SPDX-License-Identifier: Apache-2.0

// Points and axes of a scatter, and figures in files.

#include <QPainter>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "canvas/mesh_painter.h"
#include "charts/figure_file.h"
#include "charts/scatter_figure.h"
#include "models/explain_model.h"
#include "models/problem_model.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "studio_helpers.h"
#include "suites.h"
#include "theme/apply_theme.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"

using namespace gridloom;
using namespace gridloom::widgets;

class ScatterTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void agreementCountsInversions() {
    ScatterData data;
    data.points = {{10, 10, 0}, {20, 40, 1}, {30, 30, 2}};
    const Agreement agreement = agreementOf(data);
    QCOMPARE(agreement.inversions, 1);
    QVERIFY(std::abs(agreement.kendall - 1.0 / 3) < 1e-12);
    QVERIFY(std::abs(agreement.meanError - 0.5 / 3) < 1e-12);
    QCOMPARE(agreementOf({}).inversions, 0);
  }

  void noPointOfAScatterDisappears() {
    ScatterData data;
    for (int i = 0; i < 5000; ++i) data.points.push_back({1.0 + i % 71, 1.0 + i / 71, i});
    data.points.push_back({1000, 500, 5000});  // beyond the locked axes
    ScatterLook look;
    look.axes = ScatterRange{0, 80};
    QImage image(700, 500, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintScatterGround(painter, QRectF(image.rect()), data, lightTokens(), look);
    painter.end();
    const ScatterFrame frame = frameOf(data, QRectF(image.rect()), look);
    const QRgb ink = lightTokens().compute.rgb();
    for (const auto& point : data.points) {
      const QPointF at = frame.held(point);
      QVERIFY2(image.pixel(at.toPoint()) == ink || image.pixel(int(at.x()), int(at.y())) == ink,
               qPrintable(QString::number(point.id)));
    }
    QVERIFY(frame.plot.adjusted(-1, -1, 1, 1).contains(frame.held(data.points.back())));
    QVERIFY(!frame.holds(data.points.back()));
  }

  void axesOfAScatterHoldEveryPoint() {
    for (const bool logarithmic : {false, true}) {
      ScatterData data;
      data.points = {{3, 50000, 0}, {20, 7, 1}, {900, 1000, 2}};
      data.logarithmic = logarithmic;
      const QRectF area(0, 0, 400, 300);
      const ScatterFrame frame = frameOf(data, area, {});
      for (const auto& point : data.points) {
        QVERIFY(frame.holds(point));
        QVERIFY(frame.plot.contains(frame.at(point.x, point.y)));
        QCOMPARE(frame.held(point), frame.at(point.x, point.y));
      }
    }
  }

  void figuresAreTheSameEveryTimeAndNeverHalf() {
    QTemporaryDir folder;
    const auto paint = [](QPainter& painter, const QRectF& area) {
      painter.fillRect(area, Qt::darkCyan);
    };
    for (const char* ending : {"svg", "png", "pdf"}) {
      QByteArray bytes[2];
      for (int i = 0; i < 2; ++i) {
        const QString path =
            folder.filePath(QStringLiteral("f%1.%2").arg(i).arg(QLatin1String(ending)));
        QVERIFY(writeFigure(path, QSizeF(40, 30), paint).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        bytes[i] = file.readAll();
      }
      QVERIFY(!bytes[0].isEmpty());
      QVERIFY2(bytes[0] == bytes[1], ending);
    }
    QVERIFY(!writeFigure(folder.filePath(QStringLiteral("f.bmp")), QSizeF(4, 4), paint).ok());
    QVERIFY(!writeFigure(folder.filePath(QStringLiteral("no/f.svg")), QSizeF(4, 4), paint).ok());
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("f.bmp"))));
  }
};

QObject* makeScatterTests() { return new ScatterTests; }

#include "scatter_tests.moc"

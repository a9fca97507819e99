// SPDX-License-Identifier: Apache-2.0

// The form of the hardware: it, the text and the mesh agree, and every edit can be undone.

#include <QDockWidget>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QTabWidget>

#include "canvas/mesh_canvas.h"
#include "editors/code_editor.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "window/hardware_form.h"
#include "window/mesh_panel.h"
#include "window/number_box.h"

using namespace gridloom;
using namespace gridloom::widgets;

class FormTests : public QObject {
  Q_OBJECT

 private:
  static void type(QLineEdit* line, const char* words) {
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QString::fromUtf8(words));
    QTest::keyClick(line, Qt::Key_Return);
  }

 private Q_SLOTS:
  void theFormShowsEveryNumber() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const HardwareForm* form = studio->hardwareForm();
    QVERIFY(form->box(QStringLiteral("cols")));
    QVERIFY(form->field(QStringLiteral("noc_h"), QStringLiteral("bandwidth")));
    QVERIFY(form->field(QStringLiteral("drams"), QStringLiteral("size")));
    QVERIFY(form->field(QStringLiteral("FPU"), QStringLiteral("throughput hifi4")));
    QVERIFY(agrees(studio));
  }

  /// A field that goes while it has the focus enters nothing: its row is gone.
  void aFieldThatGoesEntersNothing() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    QVERIFY(QTest::qWaitForWindowActive(studio.operator->()));
    studio->hub()->selectResource(QStringLiteral("drams 0"));
    QLineEdit* field =
        studio->hardwareForm()->field(QStringLiteral("drams"), QStringLiteral("bandwidth"));
    QVERIFY(field);
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("7"));
    const QString before = studio.session()->project().hardwareText;
    studio->hub()->selectResource(QStringLiteral("noc_v (4,1)->(4,2)"));
    QCOMPARE(studio.session()->project().hardwareText, before);
  }

  /// Parts are added where a newcomer looks for them, and each is one step back.
  void partsAreAddedFromTheForm() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const QString before = studio.session()->project().hardwareText;
    const QMenu* parts = studio->hardwareForm()->addButton()->menu();
    QVERIFY(parts && parts->actions().size() == 3);
    for (QAction* each : parts->actions()) {
      each->trigger();
      QVERIFY2(studio.session()->project().hardwareText != before, qPrintable(each->text()));
      STUDIO_RESTS(studio);
      studio.session()->undo();
      QCOMPARE(studio.session()->project().hardwareText, before);
      STUDIO_RESTS(studio);
    }
  }

  /// However often other fields are shown, they begin at the top.
  void fieldsBeginAtTheTop() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    studio->findChild<QDockWidget*>(QStringLiteral("hardwareDock"))->raise();
    HardwareForm* form = studio->hardwareForm();
    auto* tabs = qobject_cast<QTabWidget*>(form->parentWidget()->parentWidget());
    QVERIFY(tabs);
    tabs->setCurrentWidget(form);
    QVERIFY(form->isVisible());
    for (const int core : {9, -1}) {
      studio->hub()->selectCore(core);
      studio->hub()->selectResource(core < 0 ? QStringLiteral("noc_v (4,1)->(4,2)") : QString());
      QTest::qWait(50);
      // What is selected comes before the sizes of the mesh.
      const NumberBox* box = form->box(QStringLiteral("cols"));
      const QWidget* content = box->parentWidget();
      int first = content->height();
      for (const QLineEdit* each : content->findChildren<QLineEdit*>()) {
        if (!qobject_cast<QAbstractSpinBox*>(each->parentWidget()))
          first = std::min(first, each->mapTo(content, QPoint()).y());
      }
      QVERIFY2(first < 60, qPrintable(QString::number(first)));
      QVERIFY(box->mapTo(content, QPoint()).y() > first);
    }
  }

  /// Rows that went leave no place behind, which each layout would walk over.
  void theFormDoesNotGrow() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const auto* grid = studio->hardwareForm()->findChild<QScrollArea*>()->widget()->layout();
    const auto rows = [grid] { return static_cast<const QGridLayout*>(grid)->rowCount(); };
    const int before = rows();
    for (int core = 0; core < 40; ++core) {
      studio->hub()->selectCore(core % 2 == 0 ? core : -1);
      QCoreApplication::processEvents();
    }
    QVERIFY2(rows() <= before + 1, qPrintable(QStringLiteral("%1 to %2").arg(before).arg(rows())));
  }

  void aClickOnTheMeshShowsWhatIsThere() {
    const StudioWindow studio(QSize(1920, 1080));
    STUDIO_RESTS(studio);
    MeshCanvas* canvas = studio->meshPanel()->canvas();
    const HardwareForm* form = studio->hardwareForm();
    const QString bandwidth = QStringLiteral("bandwidth"), size = QStringLiteral("size");
    QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->centreOfCore(9).toPoint());
    QCOMPARE(studio->hub()->core(), 9);
    QVERIFY(form->isVisible());
    QVERIFY(form->field(QStringLiteral("l1"), size));
    QVERIFY(form->field(QStringLiteral("FPU"), QStringLiteral("throughput hifi4")));
    QVERIFY(!form->field(QStringLiteral("noc_h"), bandwidth));
    // The link to the right neighbour, between the two cells.
    const QPointF between = (canvas->centreOfCore(9) + canvas->centreOfCore(17)) / 2;
    QTest::mouseClick(canvas, Qt::LeftButton, {}, between.toPoint());
    QVERIFY2(studio->hub()->resource().startsWith(QStringLiteral("noc_h")),
             qPrintable(studio->hub()->resource()));
    QCOMPARE(studio->hub()->core(), -1);
    QVERIFY(form->field(QStringLiteral("noc_h"), bandwidth));
    QVERIFY(!form->field(QStringLiteral("l1"), size));
    const QRectF memory = canvas->viewport().rectOf(canvas->scene().memories[2].box);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, memory.center().toPoint());
    QCOMPARE(studio->hub()->resource(), QStringLiteral("drams 2"));
    QVERIFY(form->field(QStringLiteral("drams"), size));
    QVERIFY(form->field(QStringLiteral("to_dram"), bandwidth));
    QTest::mouseClick(canvas, Qt::LeftButton, {}, memory.center().toPoint());
    QVERIFY(studio->hub()->resource().isEmpty());
  }

  void theMeshGrowsByItsSpinBox() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const QString before = textOf(studio);
    NumberBox* columns = studio->hardwareForm()->box(QStringLiteral("cols"));
    columns->setValue(12);
    QVERIFY(textOf(studio).contains(QStringLiteral("param cols = 12")));
    STUDIO_RESTS(studio);
    QCOMPARE(studio->meshPanel()->canvas()->scene().columns, 12);
    QVERIFY(agrees(studio));
    QCOMPARE(studio.session()->history().undoTitle(), QStringLiteral("cols = 12"));
    studio.session()->undo();
    QCOMPARE(textOf(studio), before);
    QVERIFY(agrees(studio));
    STUDIO_RESTS(studio);
    QCOMPARE(studio->meshPanel()->canvas()->scene().columns, 8);
  }

  void aTypedNumberReplacesTheOneInTheText() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const HardwareForm* form = studio->hardwareForm();
    QLineEdit* line = form->field(QStringLiteral("noc_v"), QStringLiteral("bandwidth"));
    type(line, "56");
    QString expected = textOf(studio);
    QVERIFY(expected.contains(QStringLiteral("%noc_v")));
    QCOMPARE(expected.count(QStringLiteral("bandwidth = 56 B/cycle")), 1);
    QVERIFY(agrees(studio));
    type(line, "0.06 KiB/cycle");
    QVERIFY(textOf(studio).contains(QStringLiteral("bandwidth = 0.06 KiB/cycle")));
    // What is no number changes nothing.
    for (const char* words : {"}", "many", "1 2", "", "-3"}) {
      expected = textOf(studio);
      type(line, words);
      QCOMPARE(textOf(studio), expected);
      QVERIFY(agrees(studio));
    }
  }

  void aMistakeIsFlaggedAtItsPlace() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QLineEdit* line =
        studio->hardwareForm()->field(QStringLiteral("noc_v"), QStringLiteral("bandwidth"));
    type(line, "0");
    QTRY_VERIFY(line->property("bad").toBool());
    QVERIFY(line->toolTip().contains(QStringLiteral("bandwidth")));
    QVERIFY(!studio->hardwareForm()
                 ->field(QStringLiteral("noc_h"), QStringLiteral("bandwidth"))
                 ->property("bad")
                 .toBool());
    studio.session()->undo();
    QTRY_VERIFY(!line->property("bad").toBool());
    STUDIO_RESTS(studio);
  }

  void theFormFollowsTheText() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    QString words = textOf(studio);
    studio->hardwareEditor()->setPlainText(
        words.replace(QStringLiteral("param rows = 8"), QStringLiteral("param rows = 4")));
    QCOMPARE(studio->hardwareForm()->box(QStringLiteral("rows"))->value(), 4);
    QVERIFY(agrees(studio));
    studio->hardwareEditor()->setPlainText(QStringLiteral("%x = df.spatial_dim"));
    QVERIFY(!studio->hardwareForm()->box(QStringLiteral("rows")));
    studio.chooseHardware("wormhole_n150");
    STUDIO_RESTS(studio);
    QVERIFY(agrees(studio));
  }

  void aSliderShowsWhatTheMappingWouldTake() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    STUDIO_IDLE(studio);
    HardwareForm* form = studio->hardwareForm();
    const QString before = textOf(studio);
    QSlider* slider = form->slider(QStringLiteral("FPU"), QStringLiteral("sustained hifi4"));
    QVERIFY(slider);
    slider->setSliderDown(true);
    slider->setValue(-30);
    QCOMPARE(textOf(studio), before);
    QTRY_VERIFY_WITH_TIMEOUT(form->result()->text().contains(QStringLiteral("→")),
                             StudioWindow::kPatience);
    QVERIFY(form->result()->text().contains(QLatin1Char('+')));
    slider->setSliderDown(false);
    QVERIFY(textOf(studio).contains(QStringLiteral("sustained = { hifi4 = 358 flop/cycle }")));
    QVERIFY(agrees(studio));
    studio.session()->undo();
    QCOMPARE(textOf(studio), before);
  }

  void coresAreHarvestedAndComeBack() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    const QString before = textOf(studio);
    studio->hub()->selectCore(10);
    QTest::keyClick(studio->meshPanel()->canvas(), Qt::Key_Delete);
    QVERIFY(textOf(studio).contains(QStringLiteral("disabled = [(1, 2)]")));
    STUDIO_RESTS(studio);
    QVERIFY(studio.session()->hardwareIsCurrent());
    QPushButton* enable = nullptr;
    for (QPushButton* each : studio->hardwareForm()->findChildren<QPushButton*>()) {
      if (each->accessibleName() == QStringLiteral("Enable core (1,2)") && !each->isHidden())
        enable = each;
    }
    QVERIFY(enable);
    enable->click();
    QCOMPARE(textOf(studio), before);
  }
};

QObject* makeFormTests() { return new FormTests; }

#include "form_tests.moc"

// SPDX-License-Identifier: Apache-2.0

// Words and templates while one types.

#include <QRegularExpression>
#include <map>
#include <random>

#include "editors/code_editor.h"
#include "editors/editor_completion.h"
#include "editors/language_highlighter.h"
#include "language/language.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "studio_helpers.h"
#include "studio_window.h"
#include "suites.h"
#include "texts/presets.h"
#include "window/hardware_form.h"
#include "window/mesh_panel.h"
#include "window/number_box.h"

using namespace gridloom;
using namespace gridloom::widgets;

class CompletionTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// Completion and signature help in the texts beside the form.
  void wordsAreCompleted() {
    CodeEditor kernel(Language::Kernel);
    kernel.resize(400, 300);
    kernel.show();
    kernel.setPlainText(QStringLiteral("kernel k(rows = 4) {\n  tensor weights[rows]: f16\n  "));
    kernel.moveCursor(QTextCursor::End);
    kernel.setFocus();
    QTest::keyClicks(&kernel, QStringLiteral("w"));
    QVERIFY(!kernel.completion()->isOpen());
    QTest::keyClicks(&kernel, QStringLiteral("e"));
    QVERIFY(kernel.completion()->isOpen());
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QVERIFY(kernel.toPlainText().endsWith(QStringLiteral("\n  weights")));
    QVERIFY(!kernel.completion()->isOpen());
    // Return ends the line as long as nothing was chosen.
    QTest::keyClicks(&kernel, QStringLiteral(" sel"));
    QVERIFY(kernel.completion()->isOpen());
    QTest::keyClick(&kernel, Qt::Key_Return);
    QVERIFY(kernel.toPlainText().endsWith(QStringLiteral("sel\n")));
    QVERIFY(!kernel.completion()->isOpen());
    QTest::keyClicks(&kernel, QStringLiteral("select("));
    QVERIFY(kernel.completion()->hint().startsWith(QStringLiteral("select: select(c, a, b)")));
    QTest::keyClicks(&kernel, QStringLiteral("a, b, c)"));
    QVERIFY(kernel.completion()->hint().isEmpty());
    // Comments have no words of the language, and Escape closes the list.
    QTest::keyClicks(&kernel, QStringLiteral(" // sel"));
    QVERIFY(!kernel.completion()->isOpen());
    QTest::keyClick(&kernel, Qt::Key_Return);
    QTest::keyClick(&kernel, Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(kernel.completion()->isOpen());
    QTest::keyClick(&kernel, Qt::Key_Escape);
    QVERIFY(!kernel.completion()->isOpen());
    CodeEditor hardware(Language::Hardware);
    hardware.setPlainText(QStringLiteral("%m = df.memory { inter"));
    hardware.moveCursor(QTextCursor::End);
    QTest::keyClicks(&hardware, QStringLiteral("l"));
    QTest::keyClick(&hardware, Qt::Key_Tab);
    QVERIFY(hardware.toPlainText().endsWith(QStringLiteral("{ interleave")));
  }

  /// A template is inserted in place of its word; Tab goes from place to place.
  void templatesAreFilledPlaceByPlace() {
    CodeEditor kernel(Language::Kernel);
    kernel.resize(500, 300);
    kernel.show();
    kernel.setPlainText(QStringLiteral("kernel k(rows = 4) {\n  "));
    kernel.moveCursor(QTextCursor::End);
    kernel.setFocus();
    QTest::keyClicks(&kernel, QStringLiteral("te"));
    QVERIFY(kernel.completion()->isOpen());
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QVERIFY(kernel.toPlainText().endsWith(QStringLiteral("\n  tensor A[M, K]: f16")));
    QCOMPARE(kernel.textCursor().selectedText(), QStringLiteral("A"));
    QTest::keyClicks(&kernel, QStringLiteral("weights"));
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QCOMPARE(kernel.textCursor().selectedText(), QStringLiteral("M"));
    QTest::keyClicks(&kernel, QStringLiteral("r"));
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QCOMPARE(kernel.textCursor().selectedText(), QStringLiteral("f16"));
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QVERIFY(kernel.toPlainText().endsWith(QStringLiteral("\n  tensor weights[r, K]: f16")));
    QVERIFY(kernel.textCursor().atEnd());
    // Places of one name are filled together, and further lines are indented as the first.
    QTest::keyClick(&kernel, Qt::Key_Return);
    QTest::keyClicks(&kernel, QStringLiteral("loc"));
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QTest::keyClicks(&kernel, QStringLiteral("state"));
    QTest::keyClick(&kernel, Qt::Key_Tab);
    const QString filled =
        QStringLiteral("local state[M, N]: f32 = 0\nstate[i, j] = state[i, j - 1] + A[i, j]");
    QVERIFY2(kernel.toPlainText().endsWith(filled), qPrintable(kernel.toPlainText()));
    // Escape ends it: Tab indents again.
    QTest::keyClick(&kernel, Qt::Key_Escape);
    kernel.moveCursor(QTextCursor::End);
    QTest::keyClick(&kernel, Qt::Key_Tab);
    QVERIFY(kernel.toPlainText().endsWith(filled + QStringLiteral("  ")));
  }

  /// Each template is right as it stands, in a text that has what it names.
  void templatesAreRight() {
    const auto expanded = [](const language::Snippet& snippet) {
      return text(std::string(snippet.body))
          .replace(QRegularExpression(QStringLiteral("\\$\\{([^}]*)\\}")), QStringLiteral("\\1"));
    };
    const QString head = QStringLiteral("kernel k(M = 64, N = 64, K = 64) {\n");
    const QString tensors = head + QStringLiteral("  tensor A[M, K]: f16\n  tensor B[K, N]: f16\n"
                                                  "  tensor C[M, N]: f16\n");
    const std::map<QString, std::pair<QString, QString>> around{
        {QStringLiteral("tensor …"),
         {head, QStringLiteral("\n  tensor C[M, K]: f16\n  C[i, k] = A[i, k] * 2\n}")}},
        {QStringLiteral("local … recurrence"),
         {tensors, QStringLiteral("\n  C[i, j] = s[i, j]\n}")}},
        {QStringLiteral("kernel …"), {}},
        {QStringLiteral("sum …"), {tensors, QStringLiteral("\n}")}},
        {QStringLiteral("sum … where …"), {tensors, QStringLiteral("\n}")}}};
    const auto empty = base::makeSource("a.rec", "");
    QCOMPARE(language::snippetsAt(*empty, 0).size(), around.size());
    for (const language::Snippet& each : language::snippetsAt(*empty, 0)) {
      const auto& [before, behind] = around.at(text(std::string(each.title)));
      const QString words = before + expanded(each) + behind;
      const auto kernel = service::openKernel(base::makeSource("a.rec", words.toStdString()), {});
      QVERIFY2(kernel, base::render(kernel.diagnostics()).c_str());
      QVERIFY2((*kernel)->nest, base::render((*kernel)->notMapped).c_str());
    }
    const auto machine = base::makeSource("a.hw", "");
    const QString whole = text((*texts::loadHardwareText("wormhole_8x8"))->text());
    const auto without = [&whole](const QString& pattern) {
      QStringList lines = whole.split(QLatin1Char('\n'));
      const QRegularExpression defines(pattern);
      lines.removeIf([&defines](const QString& line) { return defines.match(line).hasMatch(); });
      return lines.join(QLatin1Char('\n'));
    };
    for (const language::Snippet& each : language::snippetsAt(*machine, 0)) {
      const bool local = each.title.starts_with("local");
      const QString rest = each.title.starts_with("network") ? without(QStringLiteral("^%noc_h"))
                           : local ? without(QStringLiteral("^%(l1|core_to_l1)"))
                                   : without(QStringLiteral("^%(dram|to_dram)"));
      // The local memory stands before the networks between its instances.
      const qsizetype at = local ? rest.indexOf(QStringLiteral("%noc_h")) : rest.size();
      const QString words = rest.left(at) + expanded(each) + QLatin1Char('\n') + rest.mid(at);
      const auto hardware = service::openHardware(base::makeSource("a.hw", words.toStdString()));
      QVERIFY2(hardware, base::render(hardware.diagnostics()).c_str());
    }
  }

  void manyEditsAreUndoneByteForByte() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setSimulate(false);
    const QString before = textOf(studio);
    std::mt19937 random(11);
    for (int n = 0; n < 300; ++n) {
      HardwareForm* form = studio->hardwareForm();
      const auto fields = gridloom::language::hardwareFields(hardwareSource(textOf(studio)));
      const auto& field = fields[random() % fields.size()];
      const QString component = text(field.component);
      if (NumberBox* box = field.op == "param" ? form->box(component) : nullptr) {
        box->setValue(static_cast<int>(1 + random() % 12));
      } else if (QLineEdit* line = form->field(component, text(field.attribute))) {
        line->setText(QString::number(random() % 5000));
        line->setModified(true);
        Q_EMIT line->editingFinished();
      }
      if (random() % 5 == 0) studio->hub()->selectCore(static_cast<int>(random() % 9) - 1);
      if (random() % 9 == 0) QTest::qWait(3);
      QVERIFY(agrees(studio));
    }
    while (studio.session()->history().canUndo() && textOf(studio) != before)
      studio.session()->undo();
    QCOMPARE(textOf(studio), before);
    QVERIFY(agrees(studio));
  }
};

QObject* makeCompletionTests() { return new CompletionTests; }

#include "completion_tests.moc"

// SPDX-License-Identifier: Apache-2.0

// Kernels without a mapping: what stands in the way, and what works instead.

#include <QLabel>
#include <QPushButton>

#include "studio_window.h"
#include "suites.h"
#include "window/nothing_fits.h"
#include "window/ranked_panel.h"

using namespace gridloom;
using namespace gridloom::widgets;

namespace {

// Written at two positions, so it stays whole, and is too large for a core.
const char* const kLargeHalves = R"(kernel halves(B = 4, N = 4194304) {
  tensor X[B, 2 * N]: f32
  tensor Y[B, 2 * N]: f32
  Y[b, i] = X[b, 2 * i] + X[b, 2 * i + 1]  where i < N
  Y[b, i + N] = X[b, 2 * i] - X[b, 2 * i + 1]  where i < N
}
)";

QString wordsOf(const QWidget& widget) {
  QStringList words;
  for (const QLabel* label : widget.findChildren<QLabel*>())
    if (!label->isHidden()) words << label->text();
  return words.join(QLatin1Char('\n'));
}

}  // namespace

class NoMappingTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theReasonIsSaidAndSizesThatFitAreSet() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setKernel(QStringLiteral("halves"), QLatin1String(kLargeHalves));
    STUDIO_RESTS(studio);
    const auto* nothing = studio->rankedPanel()->findChild<NothingFits*>();
    QTRY_VERIFY(!nothing->isHidden());
    const QString words = wordsOf(*nothing);
    QVERIFY2(words.contains(QStringLiteral("i is not tiled: `Y` is written at two positions")),
             qPrintable(words));
    auto* set = nothing->findChild<QPushButton*>(QStringLiteral("fittingSizes"));
    QVERIFY(!set->isHidden());
    const service::NoMapping why = studio.session()->exploration()->whyNone;
    QCOMPARE(why.sizes.size(), std::size_t{1});
    QCOMPARE(set->text(),
             QStringLiteral("Set N = ") + countText(static_cast<double>(why.sizes.front().second)));
    const Project before = studio.session()->project();
    set->click();
    QCOMPARE(studio.session()->project().parameters.at(QStringLiteral("N")),
             why.sizes.front().second);
    STUDIO_RESTS(studio);
    QVERIFY(nothing->isHidden());
    QVERIFY(!studio.session()->exploration()->top.empty());
    studio.session()->undo();
    QVERIFY(studio.session()->project() == before);
    STUDIO_RESTS(studio);
    QVERIFY(!nothing->isHidden());
  }

  /// Directives narrow the space: other sizes are not looked for.
  void directivesHaveNoSizes() {
    const StudioWindow studio;
    STUDIO_RESTS(studio);
    studio.session()->setDirectives(QStringLiteral("tile(i, 1024)\ntile(j, 1024)\n"));
    STUDIO_RESTS(studio);
    const auto* nothing = studio->rankedPanel()->findChild<NothingFits*>();
    QTRY_VERIFY(!nothing->isHidden());
    QVERIFY(nothing->findChild<QPushButton*>(QStringLiteral("fittingSizes"))->isHidden());
    QVERIFY(!nothing->findChild<QPushButton*>(QStringLiteral("allReasons"))->isHidden());
  }
};

QObject* makeNoMappingTests() { return new NoMappingTests; }

#include "no_mapping_tests.moc"

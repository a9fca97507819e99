// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTemporaryDir>
#include <chrono>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "bridge/session.h"
#include "frame_times.h"
#include "models/project.h"
#include "models/ranked_model.h"
#include "theme/apply_theme.h"
#include "window/chip_delegate.h"
#include "window/fitted_table.h"
#include "window/main_window.h"
#include "window/ranked_panel.h"

// The table of ranked mappings with 10^6 rows: a sort by numbers and by texts, a filter by a range
// and by words, a simulation that arrives, and a frame while it is scrolled. Counters are of single
// operations, in ms; sorts and filters end with the frame that shows them. `gap` is the longest
// time, in ms, for which the event loop of the window did not come round during them.

namespace {

using namespace gridloom::widgets;

constexpr int kRows = 1'000'000;

std::vector<RankedRow> rowsOf(int count) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> cycles(15, 0.4);
  std::normal_distribution<double> error(0, 0.03);
  const auto pick = [&](int from) {
    return static_cast<int>(random() % static_cast<unsigned>(from));
  };
  const QString spaces[] = {QStringLiteral("i->x j->y"), QStringLiteral("j->x i->y"),
                            QStringLiteral("i->x,y"), QStringLiteral("k->x i->y")};
  const QString moves[] = {QStringLiteral("direct"), QStringLiteral("multicast y"),
                           QStringLiteral("stream x"), QStringLiteral("two-stage x,y")};
  std::vector<RankedRow> rows(static_cast<std::size_t>(count));
  for (RankedRow& row : rows) {
    row.mapping = QStringLiteral("%1 | i%2 j%3 k%4 | for i j k | A %5 ×2, B %6 over i, C ×2")
                      .arg(spaces[pick(4)])
                      .arg(32 << pick(5))
                      .arg(32 << pick(5))
                      .arg(32 << pick(6))
                      .arg(moves[pick(4)], moves[pick(4)]);
    row.predicted = cycles(random);
    row.simulated =
        pick(2) ? row.predicted * (1 + error(random)) : std::numeric_limits<double>::quiet_NaN();
    row.tflops = 1e8 / row.predicted;
    row.utilization = row.tflops / 65;
    row.bottleneck = pick(3) ? QStringLiteral("matrix") : QStringLiteral("dram");
    row.localBytes = 1024.0 * pick(1464);
    row.localCapacity = 1464.0 * 1024;
  }
  return rows;
}

/// The table as the studio shows it.
struct Table {
  RankedModel model;
  FittedTable view{&model, indexOf(RankedColumn::Operands), QStringLiteral("bench")};
  Table() {
    model.setRows(rowsOf(kRows));
    view.setItemDelegate(new CellDelegate(&view));
    auto* chips = new ChipDelegate(&view);
    for (const RankedColumn column :
         {RankedColumn::Space, RankedColumn::Tiles, RankedColumn::Operands})
      view.setItemDelegateForColumn(indexOf(column), chips);
    view.setSortingEnabled(true);
    view.resize(1400, 700);
    view.show();
    view.selectRow(3);
    view.grab();
  }
};

/// Made once; it ends before the application does.
std::unique_ptr<Table>& held() {
  static std::unique_ptr<Table> made;
  return made;
}

Table& table() {
  if (!held()) held() = std::make_unique<Table>();
  return *held();
}

/// A step, and the frame that shows what came of it once the rows are ordered.
template <class Step> void measure(benchmark::State& state, const Step& step) {
  using Clock = std::chrono::steady_clock;
  double gap = 0;
  measureFrames(state, [&](int number) {
    auto last = Clock::now();
    const auto beat = [&] {
      const auto now = Clock::now();
      gap = std::max(gap, std::chrono::duration<double, std::milli>(now - last).count());
      last = now;
    };
    step(number);
    beat();
    while (table().model.ordering()) {
      QCoreApplication::processEvents();
      beat();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    last = Clock::now();
    table().view.grab();
    beat();
  });
  state.counters["gap"] = gap;
}

/// The table waits for rows that were asked for before.
void settle() {
  while (table().model.ordering()) QCoreApplication::processEvents();
}

void sorted(benchmark::State& state, RankedColumn column) {
  table().model.setFilter({});
  settle();
  measure(state, [&](int number) {
    table().view.sortByColumn(indexOf(column),
                              number % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
  });
}

void filtered(benchmark::State& state, const char* words) {
  table().view.sortByColumn(indexOf(RankedColumn::Predicted), Qt::AscendingOrder);
  settle();
  measure(state, [&](int number) {
    table().model.setFilter(number % 2 ? QString() : QString::fromLatin1(words));
  });
  table().model.setFilter({});
}

void simulated(benchmark::State& state) {
  table().model.setFilter({});
  table().view.sortByColumn(indexOf(RankedColumn::Simulated), Qt::AscendingOrder);
  settle();
  measure(state, [&](int number) {
    RankedRow row = table().model.rows().row(static_cast<std::size_t>(number));
    row.simulated = row.predicted * 1.01;
    table().model.updateRow(number, row);
  });
}

void scrolled(benchmark::State& state) {
  table().model.setFilter({});
  table().view.sortByColumn(indexOf(RankedColumn::Rank), Qt::AscendingOrder);
  settle();
  QScrollBar* bar = table().view.verticalScrollBar();
  const auto step = static_cast<int>(state.range(0));
  measure(state, [&](int number) { bar->setValue(number * step % bar->maximum()); });
}

/// A ranking of a GEMM in the whole window: `gap` as above, from the request until the last row.
void ranked(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const QTemporaryDir folder;
  MainWindow window(folder.filePath(QStringLiteral("settings.ini")));
  window.resize(1400, 900);
  window.show();
  Session* session = window.session();
  session->setProject(*exampleProject());
  session->setSimulate(false);
  double gap = 0;
  const auto wait = [&](const auto& done) {
    for (auto last = Clock::now(); !done();) {
      QCoreApplication::processEvents();
      const auto now = Clock::now();
      gap = std::max(gap, std::chrono::duration<double, std::milli>(now - last).count());
      last = now;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  wait([&] { return !session->busy() && session->exploration(); });
  const auto count = static_cast<int>(state.range(0));
  const RankedModel* model = window.rankedPanel()->model();
  for (auto _ : state) {
    gap = 0;
    session->setTop(count);
    wait([&] { return !session->busy() && model->rowCount() == count && !model->ordering(); });
  }
  state.counters["gap"] = gap;
}

}  // namespace

BENCHMARK(ranked)->Arg(kRows)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(sorted, predicted, RankedColumn::Predicted)->Iterations(20);
BENCHMARK_CAPTURE(sorted, simulated, RankedColumn::Simulated)->Iterations(20);
BENCHMARK_CAPTURE(sorted, operands, RankedColumn::Operands)->Iterations(20);
BENCHMARK_CAPTURE(filtered, range, "predicted<3M")->Iterations(20);
BENCHMARK_CAPTURE(filtered, words, "stream i128 j->x")->Iterations(20);
BENCHMARK_CAPTURE(filtered, pinned_down, "memory<64KiB util>10% two-stage")->Iterations(20);
BENCHMARK(simulated)->Iterations(100);
BENCHMARK(scrolled)->ArgName("rows")->Arg(3)->Arg(4001)->Iterations(200);

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  applyTheme(app, Scheme::Light);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  held().reset();
}

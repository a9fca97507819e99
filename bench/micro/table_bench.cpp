// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <limits>
#include <random>
#include <vector>

#include "frame_times.h"
#include "models/ranked_model.h"
#include "window/chip_delegate.h"
#include "window/fitted_table.h"

// The table of ranked mappings with 10^6 rows: a sort by numbers and by texts, a filter by a range
// and by words, a simulation that arrives, and a frame while it is scrolled. Counters are of single
// operations, in ms; sorts and filters include the frame that shows them.

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
    row.mapping = QStringLiteral("%1 | i%2 j%3 k%4 | for i j k | A %5 x2, B %6 over i, C x2")
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

Table& table() {
  static Table made;
  return made;
}

/// A step, and the frame that shows what came of it.
template <class Step> void measure(benchmark::State& state, const Step& step) {
  measureFrames(state, [&](int number) {
    step(number);
    table().view.grab();
  });
}

void sorted(benchmark::State& state, RankedColumn column) {
  table().model.setFilter({});
  measure(state, [&](int number) {
    table().view.sortByColumn(indexOf(column),
                              number % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
  });
}

void filtered(benchmark::State& state, const char* words) {
  table().view.sortByColumn(indexOf(RankedColumn::Predicted), Qt::AscendingOrder);
  measure(state, [&](int number) {
    table().model.setFilter(number % 2 ? QString() : QString::fromLatin1(words));
  });
  table().model.setFilter({});
}

void simulated(benchmark::State& state) {
  table().model.setFilter({});
  table().view.sortByColumn(indexOf(RankedColumn::Simulated), Qt::AscendingOrder);
  measure(state, [&](int number) {
    RankedRow row = table().model.rows().row(static_cast<std::size_t>(number));
    row.simulated = row.predicted * 1.01;
    table().model.updateRow(number, row);
  });
}

void scrolled(benchmark::State& state) {
  table().model.setFilter({});
  table().view.sortByColumn(indexOf(RankedColumn::Rank), Qt::AscendingOrder);
  QScrollBar* bar = table().view.verticalScrollBar();
  const auto step = static_cast<int>(state.range(0));
  measure(state, [&](int number) { bar->setValue(number * step % bar->maximum()); });
}

}  // namespace

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
  const QApplication app(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QEventLoop>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "bridge/session.h"
#include "frame_times.h"
#include "models/examples.h"
#include "service/workspace.h"
#include "texts/presets.h"
#include "theme/apply_theme.h"
#include "window/main_window.h"

// From an edit to what the studio shows of it, the pause after the last key included. `onScreen`:
// in the whole window, which has painted the first predictions by then, those of the mappings shown
// before; a bandwidth in the hardware's text, or a size in the kernel's. `gap` is the longest time,
// in ms, for which the event loop of the window did not come round.

namespace {

using namespace gridloom::widgets;

/// The size that the shown result is of; 0 without one.
std::int64_t shownSize(const Session& session) {
  const auto shown = session.exploration();
  if (!shown) return 0;
  for (const auto& parameter : shown->kernel->kernel.parameters) {
    if (parameter.name == "K") return parameter.value;
  }
  return 0;
}

/// `wait` returns when what was asked for is shown, of this size.
template <class Wait> void afterEdits(benchmark::State& state, Wait wait) {
  Session session;
  auto project = exampleProject();
  if (!project) return state.SkipWithError("the presets cannot be found");
  session.setProject(*std::move(project));
  constexpr int kSize = 4096;
  wait(session, kSize);
  // A new size each time: what is known already would be shown at once.
  measureFrames(state, [&](int edit) {
    const int size = kSize - 32 * (edit + 1);
    session.setParameter(QStringLiteral("K"), size);
    wait(session, size);
  });
}

/// The first predictions, which are shown while the search goes on.
void predictionAfterEdit(benchmark::State& state) {
  afterEdits(state, [](Session& session, int size) {
    QEventLoop loop;
    QObject::connect(&session, &Session::explorationChanged, &loop, [&] {
      if (shownSize(session) == size) loop.quit();
    });
    loop.exec();
  });
}

/// The ranking by simulation.
void rankingAfterEdit(benchmark::State& state) {
  afterEdits(state, [](Session& session, int size) {
    QEventLoop loop;
    QObject::connect(&session, &Session::explorationChanged, &loop, [&] {
      if (!session.stale() && shownSize(session) == size) loop.quit();
    });
    loop.exec();
  });
}

/// The first number behind `name = `, as `change` says.
template <class Change>
QString edited(const QString& text, const char* name, const Change& change) {
  const QRegularExpression form(QStringLiteral("\\b%1 = ([0-9.]+)").arg(QLatin1String(name)));
  const QRegularExpressionMatch match = form.match(text);
  return QString(text).replace(match.capturedStart(1), match.capturedLength(1),
                               QString::number(change(match.captured(1).toDouble())));
}

/// The n-th edit, other than all before.
QString editedHardware(const QString& text, int n) {
  return edited(text, "bandwidth", [n](double rate) { return rate * (1 - n / 100.0); });
}
QString editedKernel(const QString& text, const QString& kernel, int n) {
  const char* size = kernel == QLatin1String("conv2d")            ? "F"
                     : kernel == QLatin1String("flash_attention") ? "SQ"
                                                                  : "K";
  return edited(text, size, [n](double now) { return now - n * (now >= 1024 ? 32 : 1); });
}

enum class Part { Hardware, Kernel };

/// From the first result to the first edit: nobody is faster.
constexpr std::chrono::milliseconds kFirstLook{500};

/// The longest time between two beats.
class Gap {
 public:
  void beat() {
    const auto now = std::chrono::steady_clock::now();
    m_longest =
        std::max(m_longest, std::chrono::duration<double, std::milli>(now - m_last).count());
    m_last = now;
  }
  void begin() { m_last = std::chrono::steady_clock::now(); }
  double longest() const { return m_longest; }

 private:
  std::chrono::steady_clock::time_point m_last;
  double m_longest = 0;
};

void onScreen(benchmark::State& state, const Example& example, Part part) {
  const auto project = projectOf(example);
  if (!project) return state.SkipWithError("the presets cannot be found");
  const QTemporaryDir folder;
  MainWindow window(folder.filePath(QStringLiteral("settings.ini")));
  window.resize(1400, 900);
  window.show();
  Session& session = *window.session();
  Gap gap;
  const auto wait = [&](const auto& done) {
    while (!done()) {
      QCoreApplication::processEvents();
      gap.beat();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    // What is shown is painted.
    QCoreApplication::processEvents();
    gap.beat();
  };
  session.setProject(*project);
  gap.begin();
  wait([&] { return session.exploration() || !session.staleReason().isEmpty(); });
  if (!session.exploration()) return state.SkipWithError("this kernel does not fit");
  const auto firstEdit = std::chrono::steady_clock::now() + kFirstLook;
  wait([&] { return std::chrono::steady_clock::now() > firstEdit; });
  gap = {};
  measureFrames(state, [&](int edit) {
    const auto before = session.exploration();
    gap.begin();
    if (part == Part::Hardware)
      session.setHardwareText(editedHardware(project->hardwareText, edit + 1));
    else
      session.setKernelText(editedKernel(project->kernelText, example.kernel, edit + 1));
    gap.beat();
    wait([&] {
      const auto& now = session.exploration();
      return now && (part == Part::Hardware ? now->hardware != before->hardware
                                            : now->kernel != before->kernel);
    });
  });
  state.counters["gap"] = gap.longest();
  session.cancel();
}

void registerOnScreen() {
  static std::vector<Example> all = examples();
  for (const auto& preset : gridloom::texts::listHardware()) {
    const QString name = QString::fromStdString(preset.name);
    const bool known = std::ranges::any_of(all, [&](const Example& each) {
      return each.hardware == name && each.kernel == QLatin1String("gemm");
    });
    if (!known) all.push_back({name, {}, name, QStringLiteral("gemm"), {}, true});
  }
  for (const Example& example : all) {
    for (const Part part : {Part::Hardware, Part::Kernel}) {
      const QString name =
          QStringLiteral("onScreen/%1/%2/%3")
              .arg(example.kernel, example.hardware,
                   part == Part::Hardware ? QStringLiteral("hardware") : QStringLiteral("kernel"));
      benchmark::RegisterBenchmark(
          qPrintable(name),
          [&example, part](benchmark::State& state) { onScreen(state, example, part); })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(20)
          ->UseRealTime();
    }
  }
}

}  // namespace

BENCHMARK(predictionAfterEdit)->Unit(benchmark::kMillisecond)->Iterations(60)->UseRealTime();
BENCHMARK(rankingAfterEdit)->Unit(benchmark::kMillisecond)->Iterations(60)->UseRealTime();

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  applyTheme(app, Scheme::Light);
  registerOnScreen();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

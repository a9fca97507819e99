// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_scene.h"

#include <QStringList>
#include <algorithm>
#include <map>
#include <numeric>

#include "models/quantity_text.h"
#include "report/state_text.h"

namespace gridloom::widgets {

namespace {

using report::Activity;

template <class T> std::shared_ptr<const T> shared(T value) {
  return std::make_shared<const T>(std::move(value));
}

QString counted(std::size_t count) {
  return count == 1 ? QStringLiteral("1 core")
                    : QStringLiteral("%1 cores").arg(countText(static_cast<double>(count)));
}

class SceneBuilder {
 public:
  SceneBuilder(std::shared_ptr<const Recording> recording, const TimelineChoice& choice)
      : m_recording(std::move(recording)),
        m_run(m_recording->run()),
        m_hw(m_run.hardware->topology),
        m_choice(choice) {}

  TimelineScene build() {
    m_scene.source = m_recording;
    m_scene.cycles = m_recording->cycles();
    m_scene.until = m_recording->until();
    m_scene.hertz = m_hw.clock();
    m_scene.binCycles = m_run.simulated.overTime.binCycles;
    const auto& classes = m_recording->classes();
    for (std::size_t c = 0; c < classes.size(); ++c) addClass(static_cast<int>(c), classes[c]);
    addLinks();
    addChannels();
    return std::move(m_scene);
  }

 private:
  QString placeOf(hardware::CoreId core) const {
    std::vector<std::int64_t> at(m_hw.dims().size());
    m_hw.coordinatesOf(core, at);
    QStringList parts;
    for (const std::int64_t each : at) parts << QString::number(each);
    return QStringLiteral("(%1)").arg(parts.join(QLatin1Char(',')));
  }

  void addClass(int index, const CoreClass& group) {
    const bool one = group.cores.size() == 1;
    const auto& cores = m_recording->states().cores();
    const auto chosen = std::ranges::find_if(group.cores, [&](std::size_t c) {
      return static_cast<int>(cores[c].core.value()) == m_choice.core;
    });
    TimelineRow row;
    row.index = index;
    row.title = QStringLiteral("%1: %2").arg(counted(group.cores.size()), group.title);
    row.detail = row.title;
    row.expands = !one;
    row.expanded = m_choice.openClasses.contains(index);
    if (row.expanded && group.cores.size() > kMostRows)
      row.title =
          QStringLiteral("%1 of %2").arg(countText(static_cast<double>(kMostRows)), row.title);
    row.steps = {m_recording, &group.steps};
    row.tiles = {m_recording, &group.tiles};
    m_scene.whole.push_back(row.steps);
    m_scene.rows.push_back(row);
    std::size_t added = 0;
    for (const std::size_t c : group.cores) {
      const bool here = chosen != group.cores.end() && c == *chosen;
      if (!here && (!row.expanded || one || ++added > kMostRows)) continue;
      addCore(c);
      if (here) addTransfers(cores[c]);
    }
  }

  void addCore(std::size_t core) {
    TimelineRow row;
    row.kind = TimelineRow::Kind::Core;
    const hardware::CoreId id = m_recording->states().cores()[core].core;
    row.index = static_cast<int>(id.value());
    row.depth = 1;
    row.title = QStringLiteral("core %1").arg(placeOf(id));
    row.detail = row.title;
    row.steps = shared(m_recording->stepsOf(core));
    row.tiles = shared(m_recording->tilesOf(core));
    m_scene.rows.push_back(std::move(row));
  }

  /// A row per operand and activity that moves its tiles.
  void addTransfers(const report::ActiveCore& core) {
    std::map<std::pair<QString, Activity>, TimelineRow> rows;
    for (std::size_t p = 0; p < core.processes; ++p) {
      const bool computes = core.first + p == core.compute;
      for (const simulate::Span& span : m_recording->states().spansOf(core.first + p)) {
        const Activity activity = report::activityOf(span, computes);
        if (!report::isTransfer(activity)) continue;
        const report::TileInFlight tile{core.core, static_cast<std::int16_t>(p), activity};
        const QString operand = text(report::operandOf(tile, m_run.schedule, *m_run.kernel->nest));
        if (!m_choice.operand.isEmpty() && operand != m_choice.operand) continue;
        rows[{operand, activity}].spans.emplace_back(span.begin, span.end);
      }
    }
    for (auto& [key, row] : rows) {
      row.kind = TimelineRow::Kind::Transfer;
      row.index = static_cast<int>(core.core.value());
      row.depth = 2;
      row.title = QStringLiteral("%1 %2").arg(text(report::nameOf(key.second)), key.first);
      row.detail = QStringLiteral("core %1 %2").arg(placeOf(core.core), row.title);
      row.operand = key.first;
      row.activity = key.second;
      row.colour = operandColour(*m_run.kernel->nest, key.first);
      std::ranges::sort(row.spans);
      m_scene.rows.push_back(std::move(row));
    }
  }

  std::span<const float> useOf(const std::vector<float>& all, std::size_t index) const {
    const std::size_t bins = m_run.simulated.overTime.bins;
    return (index + 1) * bins <= all.size() ? std::span(all).subspan(index * bins, bins)
                                            : std::span<const float>();
  }

  void addUse(TimelineRow::Kind kind, std::size_t index, const QString& name, double busy,
              std::span<const float> use) {
    TimelineRow row;
    row.kind = kind;
    row.index = static_cast<int>(index);
    row.depth = kind == TimelineRow::Kind::Link ? 1 : 0;
    row.title = name;
    row.detail = QStringLiteral("%1: busy %2 of the run")
                     .arg(name, percentText(busy / std::max(m_scene.cycles, 1.0)));
    row.use = use;
    m_scene.rows.push_back(std::move(row));
  }

  void addLinks() {
    const auto& links = m_run.simulated.links;
    const auto& use = m_run.simulated.overTime.links;
    if (links.empty() || use.empty()) return;
    std::vector<std::size_t> order(links.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto a, auto b) { return links[a].busy > links[b].busy; });
    const std::size_t most = std::min(order.size(), m_choice.allLinks ? kMostRows : kFewLinks);
    TimelineRow heading;
    heading.kind = TimelineRow::Kind::Links;
    heading.expands = order.size() > kFewLinks;
    heading.expanded = m_choice.allLinks;
    heading.title = most == order.size()
                        ? QStringLiteral("%1 links, busiest first").arg(order.size())
                        : QStringLiteral("%1 busiest of %2 links").arg(most).arg(order.size());
    heading.detail = heading.title;
    m_scene.rows.push_back(heading);
    const auto add = [&](std::size_t link) {
      addUse(TimelineRow::Kind::Link, link, text(m_hw.linkName(hardware::LinkId::of(link))),
             links[link].busy, useOf(use, link));
    };
    for (std::size_t n = 0; n < most; ++n) add(order[n]);
    const auto shown = order.begin() + static_cast<std::ptrdiff_t>(most);
    for (const int link : m_choice.links) {
      const auto chosen = static_cast<std::size_t>(link);
      if (chosen < links.size() && std::find(order.begin(), shown, chosen) == shown) add(chosen);
    }
  }

  void addChannels() {
    const auto& use = m_run.simulated.overTime.channels;
    const std::size_t channels = std::min(m_run.simulated.channelReads.size(), kMostRows);
    for (std::size_t c = 0; c < channels && !use.empty(); ++c) {
      addUse(TimelineRow::Kind::Channel, c,
             QStringLiteral("%1 %2").arg(text(m_hw.global().name)).arg(c),
             simulate::channelBusy(m_hw, m_run.simulated, c), useOf(use, c));
    }
  }

  std::shared_ptr<const Recording> m_recording;
  const service::SimulationRun& m_run;
  const hardware::Topology& m_hw;
  const TimelineChoice& m_choice;
  TimelineScene m_scene;
};

}  // namespace

bool TimelineRow::isLike(const TimelineRow& other) const {
  // Of what only A has, there is no index; a core has a transfer of each operand and activity.
  return kind == other.kind && index == other.index && operand == other.operand &&
         activity == other.activity && (index >= 0 || title == other.title);
}

int operandColour(const kernel::TileNest& nest, const QString& operand) {
  int n = 0;
  for (const auto& input : nest.inputs) {
    if (text(input.name) == operand) return n;
    ++n;
  }
  for (const auto& output : nest.outputs) {
    if (text(output.name) == operand) return n;
    ++n;
  }
  return 0;
}

TimelineScene timelineOf(const std::shared_ptr<const Recording>& recording,
                         const TimelineChoice& choice) {
  return recording ? SceneBuilder(recording, choice).build() : TimelineScene{};
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/peak_panel.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <algorithm>

#include "bridge/hardware_edits.h"
#include "bridge/session.h"
#include "models/hardware_text.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/flow_layout.h"
#include "window/nothing_fits.h"
#include "window/run_tables.h"
#include "window/stale_notice.h"
#include "window/waterfall_view.h"

namespace gridloom::widgets {

namespace {

QLabel* labelled(const QString& role) {
  auto* label = new QLabel;
  label->setProperty("role", role);
  label->setWordWrap(true);
  return label;
}

QString capitalized(const QString& words) { return words.left(1).toUpper() + words.mid(1); }

QString titleOf(const report::CauseRecord& cause) {
  const QString name = text(cause.name);
  if (cause.kind == "loop") return QStringLiteral("Loop %1").arg(name);
  if (cause.kind == "operand") return QStringLiteral("Operand %1").arg(name);
  if (cause.kind == "unit") return capitalized(name) + QStringLiteral(" unit");
  return name;
}

QString meaningOf(const report::CauseRecord& cause) {
  const QString cycles = cyclesText(cause.cycles);
  if (cause.kind == "unit") return QStringLiteral("Shows the rates of this unit in the form");
  if (cause.kind == "loop") return QStringLiteral("Marks the loop in the kernel's text");
  if (cause.kind == "operand") {
    return cause.cycles > 0
               ? QStringLiteral("%1 cycles of such waits, on average over the active cores")
                     .arg(cycles)
               : QStringLiteral("Shows the movement of this operand alone");
  }
  return QStringLiteral("Busy for %1 cycles").arg(cycles);
}

}  // namespace

PeakPanel::PeakPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hub(hub),
      m_unit(labelled(QStringLiteral("faint"))),
      m_sum(labelled(QStringLiteral("good"))),
      m_none(labelled(QStringLiteral("faint"))),
      m_view(new WaterfallView),
      m_tabs(new QTabWidget),
      m_tables(nullptr) {
  m_card = makeCard();
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 6, 12, 6);
  head->addWidget(m_unit);
  head->addStretch();
  head->addWidget(m_sum);
  m_sum->setWordWrap(false);
  m_unit->setObjectName(QStringLiteral("peakUnit"));
  m_unit->setWordWrap(false);
  m_none->setContentsMargins(12, 4, 12, 6);
  auto* body = new QWidget;
  auto* rows = new QVBoxLayout(body);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(m_view, 1);
  rows->addWidget(m_card);
  rows->addWidget(m_none);
  auto* scroll = new QScrollArea;
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  // The panel has the ground of both.
  scroll->viewport()->setAutoFillBackground(false);
  body->setAutoFillBackground(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(new StaleNotice(session));
  auto* losses = new QWidget;
  auto* lossRows = new QVBoxLayout(losses);
  lossRows->setContentsMargins(0, 0, 0, 0);
  lossRows->setSpacing(0);
  lossRows->addLayout(head);
  lossRows->addWidget(scroll);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(losses, QStringLiteral("Losses"));
  m_tables = new RunTables(session, hub, m_tabs);
  column->addWidget(m_tabs);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  connect(m_view, &WaterfallView::picked, hub, &SelectionHub::selectLoss);
  connect(hub, &SelectionHub::lossChanged, this, &PeakPanel::showLoss);
  for (const auto signal : {&Session::explorationChanged, &Session::peakChanged})
    connect(session, signal, this, &PeakPanel::reload);
  connect(session, &Session::differenceChanged, this, &PeakPanel::reload);
  connect(session, &Session::staleChanged, this, [this](bool stale) {
    m_view->setStale(stale);
    for (QLabel* each : {m_unit, m_sum, m_none}) each->setEnabled(!stale);
  });
  reload();
}

QFrame* PeakPanel::makeCard() {
  auto* card = new QFrame;
  card->setObjectName(QStringLiteral("lossCard"));
  m_title = labelled(QStringLiteral("strong"));
  m_share = labelled(QStringLiteral("strong"));
  m_share->setWordWrap(false);
  m_reason = labelled(QStringLiteral("muted"));
  m_causes = new QWidget;
  m_causeRow = new FlowLayout({6, 6, 4}, m_causes);
  auto* head = new QHBoxLayout;
  head->addWidget(m_title, 1);
  head->addWidget(m_share);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(6);
  column->addLayout(head);
  column->addWidget(m_reason);
  column->addWidget(m_causes);
  return card;
}

const report::WaterfallRecord* PeakPanel::waterfall() const {
  const auto& peak = m_session->peak();
  return peak ? &peak->waterfall() : nullptr;
}

void PeakPanel::reload() {
  const report::WaterfallRecord* shown = waterfall();
  const auto& difference = m_session->difference();
  m_view->setRows(difference ? differenceRows(*difference)
                  : shown    ? waterfallRows(*shown)
                             : std::vector<WaterfallRow>());
  m_unit->setText(difference ? QStringLiteral("Cycles by term, A over B; B − A")
                  : shown    ? waterfallUnit(*shown)
                  : nothingFits(m_session->exploration()) ? QStringLiteral("No mapping fits")
                                                          : QStringLiteral("Not simulated yet"));
  const QString sum = shown ? percentText(shown->sum()) : QString();
  m_sum->setText(shown ? QStringLiteral("✓ sums to %1").arg(sum) : sum);
  m_sum->setToolTip(shown ? waterfallSum(*shown) : QString());
  m_none->setText(shown && !difference ? waterfallZeros(*shown) : QString());
  m_none->setVisible(!m_none->text().isEmpty());
  showLoss(m_hub->loss());
}

void PeakPanel::showLoss(const QString& key) {
  m_view->setSelected(key);
  const report::WaterfallRecord* shown = waterfall();
  const report::LossRecord* loss = nullptr;
  if (shown) {
    const auto found =
        std::ranges::find(shown->losses, key.toStdString(), &report::LossRecord::key);
    if (found != shown->losses.end()) loss = &*found;
  }
  m_card->setVisible(loss != nullptr);
  if (!loss) return;
  m_title->setText(text(loss->name));
  m_share->setText(percentText(loss->share));
  m_reason->setText(QStringLiteral("%1. %2 cycles of each core, on average.")
                        .arg(capitalized(text(loss->reason)), cyclesText(loss->cycles)));
  while (QLayoutItem* item = m_causeRow->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  addCore(key);
  for (const report::CauseRecord& cause : loss->causes) addCause(cause);
  m_causes->setMinimumHeight(m_causeRow->heightForWidth(std::max(200, width() - 40)));
}

/// The core that loses most to the step.
void PeakPanel::addCore(const QString& key) {
  const auto loss = report::lossNamed(key.toStdString());
  if (!loss) return;
  // A step of the shown run, as `showLoss` has found it.
  const std::vector<float> shares = m_session->peak()->sharesOfCores(*loss);
  if (shares.empty()) return;
  const auto most = std::ranges::max_element(shares);
  // Cores of rows and columns that are left out have no place in the mesh of the mapping.
  if (*most <= 0) return;
  const auto core = static_cast<int>(most - shares.begin());
  const auto alike = std::ranges::count(shares, *most);
  auto* button = new QPushButton(
      QStringLiteral("Core ") + placeText(describedCore(m_session->exploration()->hardware, core)));
  button->setToolTip(QStringLiteral("%1, %2 of the run")
                         .arg(alike > 1
                                  ? QStringLiteral("One of the %1 cores that lose most").arg(alike)
                                  : QStringLiteral("Loses most of all cores"),
                              percentText(static_cast<double>(*most))));
  connect(button, &QPushButton::clicked, this, [this, core] {
    m_hub->selectResource({});
    m_hub->selectCore(m_hub->core() == core ? -1 : core);
  });
  m_causeRow->addWidget(button);
}

void PeakPanel::addCause(const report::CauseRecord& cause) {
  const bool isUnit = cause.kind == "unit";
  const QString name = isUnit
                           ? unitNamed(m_session->exploration()->hardware->spec, text(cause.name))
                           : text(cause.name);
  if (name.isEmpty()) return;  // a unit that the description does not write
  auto* button = new QPushButton(titleOf(cause));
  button->setToolTip(meaningOf(cause));
  const bool isLoop = cause.kind == "loop", isOperand = cause.kind == "operand";
  connect(button, &QPushButton::clicked, this, [this, name, isLoop, isOperand, isUnit] {
    // A second click on the same cause ends its selection.
    const auto toggled = [&](const QString& now) { return now == name ? QString() : name; };
    if (isLoop)
      m_hub->selectLoop(toggled(m_hub->loop()));
    else if (isOperand)
      m_hub->selectOperand(toggled(m_hub->operand()));
    else
      m_hub->selectResource(toggled(m_hub->resource()));
    if (isUnit) Q_EMIT unitChosen();
  });
  m_causeRow->addWidget(button);
}

}  // namespace gridloom::widgets

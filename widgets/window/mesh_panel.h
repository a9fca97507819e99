// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "bridge/job.h"
#include "canvas/mesh_scene.h"
#include "service/peak_run.h"
#include "window/figure_strip.h"

class QBoxLayout;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace gridloom::widgets {

class FlowLayout;
class HeatScale;
class LineLabel;
class LinkScale;
class MeshTitle;
class MeshCanvas;
class Replay;
class SelectionHub;
class Session;
class StateLegend;

/// The scene of a machine with more cores is made in the background.
constexpr std::int64_t kMostCoresDrawnAtOnce = 4096;

/// What a scene follows from; without an exploration, from the machine alone.
struct SceneInputs {
  service::HardwareRef hardware;
  service::ExplorationRef exploration;
  int candidate = -1;
  service::SimulationRunRef run;
  Heat heat = Heat::None;
  std::shared_ptr<const service::PeakOfRun> peak;
  QString loss;
  service::SimulationRunRef a;  ///< what the run is compared with
  bool operator==(const SceneInputs&) const = default;
};

/// The selected mapping on the mesh, with its figures above and its operands below.
class MeshPanel : public QWidget {
  Q_OBJECT
 public:
  MeshPanel(Session* session, SelectionHub* hub, Replay* replay, QWidget* parent = nullptr);
  MeshCanvas* canvas() const { return m_canvas; }
  const FigureStrip* figures() const { return m_figures; }
  const MeshTitle* titleBar() const { return m_title; }
  Heat heat() const;
  void setHeat(Heat heat);
  void setLinksShown(bool shown);
  /// What stands at the right of the line that names the mapping.
  void setOutcome(QWidget* outcome);
  /// Title of a figure of the current scene.
  QString title() const;
  /// Says under the figures that they cannot be right; nothing without findings.
  void showDoubts(const base::Diagnostics& findings);
  /// The scene has a mapping, not only the machine.
  bool showsMapping() const;
  /// A large mesh is made ready in the background; what is drawn is older.
  bool awaitsScene() const { return m_settle.isActive() || m_sceneJob.running(); }

 Q_SIGNALS:
  /// The canvas has another scene.
  void sceneChanged();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  static std::vector<FigureStrip::Figure> figureNames();
  void build();
  QWidget* makeLegend();
  void arrangeLegend();
  void placeLegend();
  void reserveRows();
  void refresh();
  void refreshFigures();
  void refreshDoubts();
  void refreshLine();
  void refreshStale();
  bool showsStale() const;
  bool isOutdated() const;  ///< what is shown belongs to earlier inputs
  SceneInputs sceneInputs() const;
  void requestScene();
  void makeLargeScene();
  void stopScene();
  void adopt(MeshScene scene);
  void rebuildChips();
  void markChips(const QString& operand);
  void markResource(const QString& name);
  QString resourceName(int link, int memory) const;
  service::HardwareRef shownHardware() const;
  service::SimulationRunRef comparedRun() const;
  void showComparison();
  void showMoment();
  void describeCore(int core);
  QString describeResource() const;
  void dropLow();
  void refreshChanges(const service::SimulationRun* run);
  void updateCanvasText();

  Session* m_session;
  SelectionHub* m_hub;
  Replay* m_replay;
  FigureStrip* m_figures = nullptr;
  LineLabel* m_line = nullptr;
  QHBoxLayout* m_lineRow = nullptr;
  QWidget* m_outcome = nullptr;
  QBoxLayout* m_middle = nullptr;  ///< the canvas, and its legend below or beside it
  LineLabel* m_doubt = nullptr;
  LineLabel* m_core = nullptr;
  MeshTitle* m_title = nullptr;
  QComboBox* m_heat = nullptr;
  HeatScale* m_scale = nullptr;
  LinkScale* m_linkScale = nullptr;
  StateLegend* m_states = nullptr;
  QWidget* m_legend = nullptr;
  FlowLayout* m_legendRows = nullptr;
  std::vector<QToolButton*> m_chipButtons;
  MeshCanvas* m_canvas = nullptr;
  struct Compared {
    service::HardwareRef then, now;
    bool alike = false;
  };
  bool m_comparing = false;
  bool m_hasCycle = false;          ///< a cycle is selected
  Heat m_heatOfRun = Heat::States;  ///< shown again without one
  mutable Compared m_compared;      ///< the last two machines compared
  SceneInputs m_requested;          ///< of the scene shown, or on its way
  QTimer m_settle;                  ///< until a large scene is begun
  Job m_sceneJob;
  Job m_doubtJob;
};

}  // namespace gridloom::widgets

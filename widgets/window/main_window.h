// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <optional>

#include "bridge/file_export.h"
#include "charts/figure_file.h"
#include "models/action_record.h"
#include "models/measured_problem.h"
#include "theme/apply_theme.h"
#include "window/dock_places.h"
#include "window/studio_settings.h"
#include "window/unsaved_work.h"

class QComboBox;
class QDockWidget;
class QLabel;
class QProgressBar;
class QTabWidget;
class QToolBar;

namespace gridloom::widgets {

class ChartsPanel;
class ComparePanel;
class CodeEditor;
class DirectivesPanel;
class ExampleLooks;
class ExplainPanel;
class HardwareForm;
class HelpWindow;
class KernelPanel;
class LineLabel;
class MeasuredPanel;
class Measurements;
class MeshPanel;
class PeakPanel;
class NumberBox;
class ProblemPanel;
class RankedPanel;
class Replay;
class SelectionHub;
class Session;
class SpacePanel;
class SweepPanel;
class TimelinePanel;
class Tour;
class WelcomePage;
enum class TourPlace : std::uint8_t;
struct Problem;

/// The studio's one window: docks around the mesh, menus, tool bar.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// With an empty path, uses the user's own settings.
  explicit MainWindow(const QString& settingsPath = {}, QWidget* parent = nullptr);
  ~MainWindow() override;

  Session* session() const { return m_session; }
  SelectionHub* hub() const { return m_hub; }
  MeshPanel* meshPanel() const { return m_mesh; }
  RankedPanel* rankedPanel() const { return m_ranked; }
  ComparePanel* comparePanel() const { return m_compare; }
  PeakPanel* peakPanel() const { return m_peak; }
  ExplainPanel* explainPanel() const { return m_explain; }
  SpacePanel* spacePanel() const { return m_space; }
  ProblemPanel* problemPanel() const { return m_problems; }
  TimelinePanel* timelinePanel() const { return m_timeline; }
  Replay* replay() const { return m_replay; }
  ChartsPanel* chartsPanel() const { return m_charts; }
  MeasuredPanel* measuredPanel() const { return m_measured; }
  Measurements* measurements() const { return m_measurements; }
  SweepPanel* sweepPanel() const { return m_sweep; }
  KernelPanel* kernelPanel() const { return m_kernel; }
  DirectivesPanel* directivesPanel() const { return m_directives; }
  HardwareForm* hardwareForm() const { return m_form; }
  CodeEditor* hardwareEditor() const { return m_hardware; }

  /// Opens the work that a crash left, else the example.
  void openFirst();
  /// Asks, without waiting, whether to continue with work that a crash left; the file is kept until
  /// then.
  void offerAbandoned();
  bool openProject(const QString& path);
  /// Opens a file as the kernel of the project: recurrences, or MLIR, which is imported.
  bool openKernelFile(const QString& path);
  bool saveProjectAs(const QString& path);
  /// Runs a file of measurements, as `gridloom study FILE` does, and shows it.
  void openMeasurements(const QString& path);
  void setScheme(Scheme scheme);
  /// Exports without asking; shows a message and returns false on failure.
  bool exportMesh(const QString& path);
  bool exportChart(const QString& path);
  bool exportPeak(const QString& path);
  /// A long table is written in the background: true when that has begun.
  bool exportTable(const QString& path);
  bool exportTimeline(const QString& path);
  bool exportMeasured(const QString& path);
  /// The chart of the sweep, or with the ending .csv its table.
  bool exportSweep(const QString& path);
  /// The ranking as JSON, in the background: true when that has begun.
  bool exportResult(const QString& path);
  /// The inputs and the selected mapping as a script of commands.
  bool exportScript(const QString& path);
  /// All that was done since the project was opened, as a script of commands.
  bool exportActions(const QString& path);
  /// The last message to the user, for tests without dialogs.
  const QString& lastMessage() const { return m_lastMessage; }
  NumberBox* topBox() const { return m_topBox; }
  /// Null before they were shown.
  WelcomePage* welcomePage() const { return m_welcome; }
  Tour* tour() const;
  HelpWindow* helpWindow() const { return m_help; }

 public Q_SLOTS:
  void newProject();
  void openDialog();
  void openKernelDialog();
  void openMeasurementsDialog();
  bool save();
  bool saveDialog();
  void resetLayout();
  /// The page of examples and recent projects, over all panels.
  void showWelcome();
  void showGallery();
  void hideWelcome();
  void startTour();
  void showSweep();
  /// A page of the documentation: `kernel.md`, `command.md#explain`.
  void showHelp(const QString& page);
  void showPalette();
  void showShortcuts();
  void showAbout();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  /// Gives text fields their own shortcuts before those of the menus.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildPanels();
  QWidget* makeHardwareTabs();
  void showForm();
  void connectMesh();
  void refreshHandles();
  void disableCore(int core);
  void showMeshMenu(QPoint position);
  void closeRing();
  void placeDragged(int channel, int port, QPoint cell);
  void sayNotPlaced(const QString& reason);
  void addPartsTo(QMenu* menu);
  void buildToolBar();
  void addCaption(const QString& words);
  QComboBox* addPresets(const QString& name, bool hardware);
  void addSearchFields();
  void refreshSearch();
  void buildActions();
  void buildFileMenu();
  void buildExportMenu(QMenu* file);
  void buildEditMenu();
  void buildExploreMenu();
  void addMappingActions(QMenu* explore);
  void buildCompareMenu();
  void buildTimelineMenu();
  void buildViewMenu();
  void addThemes(QMenu* view);
  void buildHelpMenu();
  void connectSession();
  void connectPanels();
  void connectEditors();
  void connectMeasurements();
  void openMeasuredRow(const RowSettings& row, const QString& name);
  void recordSweep();
  Action sweepAction(Action::Kind kind, const QString& title, const QString& file) const;
  void openSweepPoint(const Project& project, const QString& title);
  QDockWidget* dock(const QString& name, const QString& title, QWidget* widget);
  QAction* action(QMenu* menu, const QString& title, const QString& shortcut,
                  const QString& icon = {});
  void arrangeDocks();
  void sizeDocks();
  void restoreLayout();
  void foldDocks();
  void foldRight(bool fold);
  void foldSides(bool fold);
  void foldTabs(bool fold);
  void foldStack(bool fold);
  QDockWidget* tabInFront(QDockWidget* dock) const;
  QDockWidget* upperRight(const QDockWidget* dock) const;
  static void bringUp(QDockWidget* dock);
  void placeWelcome();
  void raiseOverlays();
  void openExample(int example);
  QWidget* bringUpPlace(TourPlace place);
  void moveDock(QDockWidget* dock, QDockWidget* onto, Qt::DockWidgetArea area);
  void updateTitleBars();
  void refreshIcons();
  void refreshTitle();
  void refreshRecent();
  void refreshActivity();
  void refreshFound();
  void refreshState();
  void refreshUndo();
  void undo();
  void redo();
  bool isMenuShortcut(const QKeyEvent& event) const;
  void fillModes();
  void showProject();
  void showProblems();
  void goToProblem(int row);
  void adoptExploration();
  void freezeSelected();
  void explainSelected();
  void choosePreset(const QString& name, bool hardware);
  bool keepChanges();
  bool restoreAbandoned();
  void autosave();
  /// The path the user chooses, with the ending of the chosen filter when it has none.
  QString chosenPath(const QString& title, const QString& suggestion, const QString& filter);
  /// What a view shows; none, with a message, when it must not be exported.
  std::optional<Figure> meshFigure();
  std::optional<Figure> chartFigure();
  std::optional<Figure> peakFigure();
  std::optional<Figure> timelineFigure();
  std::optional<Figure> measuredFigure();
  std::optional<Figure> sweepFigure();
  bool writeShown(const std::optional<Figure>& figure, const QString& path, const QString& chart);
  Action exportAction(Action::Kind kind, const QString& path, const QString& chart = {}) const;
  /// Says that `what` is written, and records it; a message and false where it is not.
  bool recordExport(const base::Written& written, const QString& what, Action action);
  void copyFigure(const std::optional<Figure>& figure, const QString& ending);
  void copyRows(const QByteArray& csv, const QString& what);
  void copyRanked();
  void copySweep();
  void buildCopyMenu(QMenu* edit);
  void addFigureWidths(QMenu* file);
  /// False, with a message, when results of these mappings must not be exported.
  bool mayExport(const std::vector<int>& candidates);
  void exportInBackground(const QString& path, const QString& what, Action done, std::int64_t steps,
                          FileExport::Bytes bytes);
  bool endExports();
  bool reportExport(const base::Written& written, const QString& what);
  void adoptProject(Project project, bool saved);
  void refreshDirty();
  void fail(const base::Diagnostics& diagnostics);

  StudioSettings m_settings;
  UnsavedWork m_unsaved;
  Session* m_session;
  SelectionHub* m_hub;
  Replay* m_replay;
  Measurements* m_measurements;
  MeshPanel* m_mesh = nullptr;
  RankedPanel* m_ranked = nullptr;
  ComparePanel* m_compare = nullptr;
  PeakPanel* m_peak = nullptr;
  ExplainPanel* m_explain = nullptr;
  SpacePanel* m_space = nullptr;
  ProblemPanel* m_problems = nullptr;
  ChartsPanel* m_charts = nullptr;
  MeasuredPanel* m_measured = nullptr;
  SweepPanel* m_sweep = nullptr;
  TimelinePanel* m_timeline = nullptr;
  CodeEditor* m_hardware = nullptr;
  HardwareForm* m_form = nullptr;
  QTabWidget* m_hardwareTabs = nullptr;
  KernelPanel* m_kernel = nullptr;
  DirectivesPanel* m_directives = nullptr;
  ExampleLooks* m_looks = nullptr;
  WelcomePage* m_welcome = nullptr;
  QPointer<Tour> m_tour;
  HelpWindow* m_help = nullptr;
  QList<QDockWidget*> m_docks;  ///< by Dock
  QToolBar* m_toolBar = nullptr;
  QComboBox* m_hardwareBox = nullptr;
  QComboBox* m_kernelBox = nullptr;
  QComboBox* m_modeBox = nullptr;
  NumberBox* m_topBox = nullptr;
  QLabel* m_state = nullptr;
  LineLabel* m_found = nullptr;
  QLabel* m_activity = nullptr;
  QProgressBar* m_progress = nullptr;
  QMenu* m_recentMenu = nullptr;
  QAction* m_undoAction = nullptr;
  QAction* m_redoAction = nullptr;
  QAction* m_exploreAction = nullptr;
  QAction* m_stopAction = nullptr;
  QAction* m_simulateAction = nullptr;
  QList<QAction*> m_actions;
  QTimer m_poll;
  QTimer m_autosave;
  QString m_path;
  QString m_lastMessage;
  /// the saved state; none for work without a file
  std::optional<Project> m_saved = Project{};
  bool m_sizeDocks = true;  ///< the next show sets the initial sizes of the docks
  FoldedDocks m_folded;
  bool m_isWide = false;  ///< the sides have the widths of a wide screen
  QTimer m_fold;          ///< folds docks once the window size has settled
  int m_explainTried = -1;
  double m_figureWidth = 0;  ///< pixels of 1/96 inch
  bool m_adopting = false;   ///< a new result selects its first mapping
};

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridloom::widgets {

/// The docks of the studio's window, in the order in which Tab goes through them.
enum Dock {
  KernelDock,
  DirectivesDock,
  HardwareDock,
  TimelineDock,
  RankedDock,
  SpaceDock,
  ProblemsDock,
  MeasuredDock,
  SweepDock,
  PeakDock,
  ChartsDock,
  ExplainDock,
  CompareDock
};

/// Narrower: the table below the mesh takes the left corner, the right panels share tabs, and the
/// tool bar has icons alone.
constexpr int kWidthForFullSides = 1400;

}  // namespace gridloom::widgets

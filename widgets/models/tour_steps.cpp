// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tour_steps.h"

namespace gridloom::widgets {

const std::array<TourStep, 5>& tourSteps() {
  static const std::array<TourStep, 5> steps{
      {{TourPlace::Mesh, QStringLiteral("Open an example"),
        QStringLiteral("The mesh shows the best mapping and its movement."),
        QStringLiteral("Every square is a core with its first tiles. Lines of one colour take the "
                       "tiles of one operand from core to core; the boxes beside the mesh are "
                       "memory channels. Click a core, a link or a channel.")},
       {TourPlace::Peak, QStringLiteral("Ask where the peak went"),
        QStringLiteral("A step selects the cores, links and loops behind it."),
        QStringLiteral("From the peak of the machine down to what the mapping achieves: the steps "
                       "sum to 100%. Click the longest step. The mesh shows which cores lose it, "
                       "and a card says why.")},
       {TourPlace::Timeline, QStringLiteral("Play the run"),
        QStringLiteral("Scrub the timeline; tiles travel over the links."),
        QStringLiteral("Click into the rows to set the cursor, and press Space to play. The mesh "
                       "shows what every core does at that cycle, and the tiles in flight. The "
                       "wheel zooms down to one cycle.")},
       {TourPlace::Form, QStringLiteral("Change the machine"),
        QStringLiteral("Drag a rate and read old → new cycles."),
        QStringLiteral("The form writes the text of the hardware. Change a number, or drag its "
                       "slider: the line below says what this mapping would take. Each edit "
                       "is one step for Ctrl+Z.")},
       {TourPlace::Compare, QStringLiteral("Compare and export"),
        QStringLiteral("Freeze A, change B, copy the figure."),
        QStringLiteral("Ctrl+B freezes the selected mapping as A. Then select another row, or edit "
                       "the machine: everything shows B against A. Edit > Copy as picture puts any "
                       "view into the clipboard.")}}};
  return steps;
}

}  // namespace gridloom::widgets

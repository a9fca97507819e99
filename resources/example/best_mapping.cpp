// SPDX-License-Identifier: Apache-2.0
// Prints the best mapping of a kernel on a hardware: presets by name, or .hw and .rec files.
#include <cstdio>

#include "service/workspace.h"
#include "texts/presets.h"

using namespace gridloom;

static int refuse(const base::Diagnostics& errors) {
  std::fputs(base::render(errors).c_str(), stderr);
  return 2;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: best_mapping HARDWARE KERNEL\n", stderr);
    return 2;
  }
  auto hardwareText = texts::loadHardwareText(argv[1]);
  if (!hardwareText) return refuse(hardwareText.diagnostics());
  auto kernelText = texts::loadKernelText(argv[2]);
  if (!kernelText) return refuse(kernelText.diagnostics());

  auto hardware = service::openHardware(*hardwareText);
  if (!hardware) return refuse(hardware.diagnostics());
  auto kernel = service::openKernel(*kernelText, {});
  if (!kernel) return refuse(kernel.diagnostics());

  base::Progress progress;  // another thread could cancel, or show how far the search is
  service::ExploreOptions options;
  options.rerank = ranking::kQuickReranking;
  auto result = service::explore(*hardware, *kernel, {}, options, progress);
  if (!result) return refuse(result.diagnostics());
  if ((*result)->top.empty()) {
    std::puts("no mapping is feasible");
    return 1;
  }
  const ranking::Ranked& best = (*result)->top.front();
  std::printf("%s\n", best.line.c_str());
  if (best.simulated) std::printf("%.0f cycles simulated\n", best.simulated->cycles);
  return 0;
}

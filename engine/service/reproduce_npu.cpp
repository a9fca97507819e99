// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "service/reproduce_figures.h"
#include "service/reproduce_tables.h"

namespace gridloom::service {

namespace {

constexpr const char* kNpu = "npu_strix_4x8";
/// What cores take of K at a time, in all rows and in the directives.
constexpr std::int64_t kStep = 32;

/// One way in which mlir-air multiplies matrices.
struct Method {
  std::string_view name;  ///< in bench/reference/npu_gemm
  const char* kernel;
  const char* what;
  const char* mode = "";
  bool casts = false;  ///< in a kernel of its own, behind the product
};

/// Rows of one method, measured and ours.
ReproducedTable npuGemm(CaseRunner& runner, const Method& method) {
  constexpr std::array<FigureColumn, 9> columns{{{"method", false},
                                                 {"M"},
                                                 {"K"},
                                                 {"N"},
                                                 {"tile_m"},
                                                 {"tile_k_l2"},
                                                 {"tile_n"},
                                                 {"gflops"},
                                                 {"apart"}}};
  auto file = FigureFile::openReference("npu_gemm", columns);
  if (!file) return file.takeDiagnostics();
  auto hardware = runner.hardware(kNpu);
  if (!hardware) return hardware.takeDiagnostics();
  const double clock = (*hardware)->topology.clock();

  report::Reproduction out;
  out.title = fmt::format("GEMM of bf16 on the Strix NPU, {}", method.what);
  out.source = "mlir-air, programming_examples/kernel_registry (June 2026); 8 x 4 cores";
  out.remarks = {
      "M x K x N; blocks of M and N per core, and of K in the memory tiles; cores take 32 of K at "
      "a time",
      "rows set aside were not used to choose any figure of the description"};
  for (std::size_t row = 0; row < file->rows(); ++row) {
    if (file->text(row, "method") != method.name) continue;
    const auto size = [&](std::string_view column) { return file->integer(row, column); };
    const std::int64_t m = size("M"), k = size("K"), n = size("N"), chunk = size("tile_k_l2");
    if (chunk <= 0 || k % chunk != 0) {
      return file->errorIn(row, "K has to be a multiple of tile_k_l2");
    }
    CaseRequest product{kNpu,
                        method.kernel,
                        {{"M", m}, {"N", n}, {"Q", k / chunk}, {"K", chunk}},
                        chunk > kStep ? "npu_gemm" : "npu_gemm_steps",
                        method.mode,
                        1};
    product.tileSizes = {{"i", size("tile_m")}, {"j", size("tile_n")}};
    auto result = runner.run(product);
    if (!result) return result.takeDiagnostics();
    Measure predicted = result->predicted, simulated = result->simulated;
    if (method.casts) {
      auto cast = runner.run({kNpu, "npu_cast", {{"N", m * n}}, "npu_cast", "", 1});
      if (!cast) return cast.takeDiagnostics();
      // One dispatch, in which the array gets other programs on the way.
      const double between = (*hardware)->topology.reload() - (*hardware)->topology.launch();
      predicted.cycles += cast->predicted.cycles + between;
      simulated.cycles += cast->simulated.cycles + between;
    }
    const double flop =
        2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
    const auto gflops = [&](const Measure& of) { return flop * clock / of.cycles / 1e9; };
    out.figures.push_back({fmt::format("{} x {} x {}, blocks {} / {} / {}", m, k, n, size("tile_m"),
                                       chunk, size("tile_n")),
                           size("apart") != 0 ? "GFLOP/s, set aside" : "GFLOP/s",
                           file->number(row, "gflops"), gflops(predicted), gflops(simulated),
                           result->mapping});
  }
  return out;
}

}  // namespace

ReproducedTable npuGemmExternal(CaseRunner& runner) {
  return npuGemm(runner, {"external", "npu_gemm_f32", "f32 result"});
}

ReproducedTable npuGemmDrain(CaseRunner& runner) {
  return npuGemm(runner, {"drain", "npu_gemm_drain", "cast to bf16 in the core"});
}

ReproducedTable npuGemmFused(CaseRunner& runner) {
  return npuGemm(runner, {"fused", "npu_gemm_f32", "cast to bf16 by a second kernel", "", true});
}

ReproducedTable npuGemmDirectF32(CaseRunner& runner) {
  return npuGemm(runner,
                 {"direct_f32", "npu_gemm_f32", "code of the compiler, f32 result", "compiled"});
}

ReproducedTable npuGemmDirectBf16(CaseRunner& runner) {
  return npuGemm(runner,
                 {"direct_bf16", "npu_gemm_bf16", "code of the compiler, bf16 result", "compiled"});
}

}  // namespace gridloom::service

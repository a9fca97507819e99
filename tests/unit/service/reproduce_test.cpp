// SPDX-License-Identifier: Apache-2.0

// Studies on data of their own: tables as shipped take minutes.

#include "service/reproduce.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "service/reproduce_figures.h"
#include "service/reproduce_gemm.h"
#include "service/reproduce_tables.h"
#include "support/problem.h"

namespace gridloom::service {
namespace {

namespace fs = std::filesystem;

struct Reproduce : testing::Test {
  fs::path data = fs::path(testing::TempDir()) /
                  ("reproduce_" + std::to_string(getpid()) + "_" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
  base::Progress progress;
  ReproduceOptions options{1, 5, 1};

  Reproduce() { setenv("GRIDLOOM_DATA", data.c_str(), 1); }
  ~Reproduce() override {
    unsetenv("GRIDLOOM_DATA");
    fs::remove_all(data);
  }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((data / path).parent_path());
    std::ofstream(data / path) << text;
  }

  std::vector<report::Reproduction> run(const std::string& study, base::Diagnostics& errors) {
    std::vector<report::Reproduction> tables;
    errors = reproduce(
        study, options, [&](report::Reproduction t) { tables.push_back(std::move(t)); }, progress);
    return tables;
  }
};

TEST_F(Reproduce, UnknownStudiesAreNamed) {
  base::Diagnostics errors;
  EXPECT_TRUE(run("worm hole", errors).empty());
  EXPECT_NE(base::render(errors).find("no study `worm hole`"), std::string::npos);
}

// Eight blocks of rows do not fill 64 cores: the template is then meant for one row of cores.
TEST(ReproduceTemplates, OneDimensionFallsBackToARow) {
  base::Progress progress;
  const ReproduceOptions options{1, 5, 1};
  CaseRunner runner(options, progress);
  auto shapes = openShapes("sweep");
  ASSERT_TRUE(shapes) << base::render(shapes.diagnostics());
  const std::size_t smallest = shapes->rows.front();
  ASSERT_EQ(shapes->file.integer(smallest, "M"), 256);
  const auto whole =
      runner.run(gemmCase("wormhole_8x8", shapes->file, smallest, "tt_1d_a", kProfiled));
  EXPECT_FALSE(whole);
  const auto templates = runTemplates(runner, "wormhole_8x8", shapes->file, smallest);
  ASSERT_TRUE(templates) << base::render(templates.diagnostics());
  EXPECT_GT(templates->oneD.simulated.cycles, 0);
}

TEST_F(Reproduce, ACancelEndsWithoutAnError) {
  progress.cancel();
  base::Diagnostics errors;
  EXPECT_TRUE(run("systolic", errors).empty());
  EXPECT_TRUE(errors.empty()) << base::render(errors);
}

TEST_F(Reproduce, AgreementHoldsModelAgainstSimulator) {
  write("mesh.hw", test::smallMesh(2, 3));
  write("cases/agreement.csv",
        "hardware,kernel,parameters\n" + (data / "mesh.hw").string() + ",gemm,M=48 N=72 K=64\n");
  base::Diagnostics errors;
  const auto tables = run("agreement", errors);
  ASSERT_TRUE(errors.empty()) << base::render(errors);
  ASSERT_EQ(tables.size(), 1U);
  ASSERT_EQ(tables[0].agreements.size(), 2U);
  EXPECT_EQ(tables[0].agreements[0].mappings, 5);
  EXPECT_EQ(tables[0].agreements[1].mappings, 50);
  for (const report::Agreement& agreement : tables[0].agreements) {
    EXPECT_LT(agreement.error, 1) << agreement.subject;
    EXPECT_LE(agreement.tau, 1);
    ASSERT_EQ(agreement.worst.size(), 3U);
    const auto miss = [](const report::ReproducedFigure& f) {
      return std::max(*f.predicted / *f.simulated, *f.simulated / *f.predicted);
    };
    EXPECT_GE(miss(agreement.worst[0]), miss(agreement.worst[2]));
  }
}

TEST_F(Reproduce, AgreementRefusesWrongParameters) {
  write("cases/agreement.csv", "hardware,kernel,parameters\nwormhole_1x8,gemm,M:48\n");
  base::Diagnostics errors;
  EXPECT_TRUE(run("agreement", errors).empty());
  EXPECT_NE(base::render(errors).find("agreement.csv:2:1: error"), std::string::npos)
      << base::render(errors);
}

TEST_F(Reproduce, SpatialReuseIsSetBesideWhatWasPublished) {
  write("reference/tl_table1.csv", "M,N,K,dram_only_tflops,tl_tflops\n512,512,512,5,10\n");
  write("reference/tl_claims.csv", "id,value\nTL-9,0.7\n");
  CaseRunner runner(options, progress);
  const auto table = tlSpatialReuse(runner);
  ASSERT_TRUE(table) << base::render(table.diagnostics());
  ASSERT_EQ(table->figures.size(), 5U);
  const report::ReproducedFigure& without = table->figures[0];
  const report::ReproducedFigure& with = table->figures[1];
  const report::ReproducedFigure& gain = table->figures[2];
  EXPECT_EQ(without.published, 5);
  EXPECT_GT(*with.predicted, *without.predicted) << "reuse cannot lose under an exact search";
  EXPECT_NEAR(*gain.predicted, *with.predicted / *without.predicted, 1e-9);
  EXPECT_NEAR(*gain.simulated, *with.simulated / *without.simulated, 1e-9);
  EXPECT_EQ(*gain.published, 2);
  EXPECT_NE(without.detail.find("A direct"), std::string::npos) << without.detail;
}

TEST_F(Reproduce, AccessesAreThoseThatTimeloopReports) {
  unsetenv("GRIDLOOM_DATA");
  CaseRunner runner(options, progress);
  const auto table = timeloopCounts(runner);
  ASSERT_TRUE(table) << base::render(table.diagnostics());
  ASSERT_EQ(table->claims.size(), 1U);
  EXPECT_EQ(table->claims[0].evidence, "162 of 162 predicted, 162 simulated");
  EXPECT_EQ(table->claims[0].predicted, true);
  EXPECT_EQ(table->claims[0].simulated, true);
}

TEST_F(Reproduce, SystolicCyclesAreThoseOfScaleSim) {
  write("reference/systolic_cycles.csv",
        "hardware,M,N,K,cycles,kind\n"
        "systolic_32x32,256,128,256,10176,golden\nsystolic_32x32_ws,256,128,256,11200,golden\n"
        "systolic_32x32,100,70,50,1344,formula\nsystolic_32x32_ws,100,70,50,1164,formula\n"
        "systolic_32x32_is,100,70,50,1312,formula\nsystolic_32x32_is,1,33,65,381,formula\n");
  CaseRunner runner(options, progress);
  const auto table = systolicCycles(runner);
  ASSERT_TRUE(table) << base::render(table.diagnostics());
  ASSERT_EQ(table->figures.size(), 6U);
  for (const report::ReproducedFigure& figure : table->figures) {
    EXPECT_NEAR(*figure.predicted, *figure.published, 0.01) << figure.subject;
    EXPECT_NEAR(*figure.simulated, *figure.published, 0.01) << figure.subject;
  }
}

TEST_F(Reproduce, WordsOfTheBuffersAreThoseOfScaleSim) {
  unsetenv("GRIDLOOM_DATA");
  CaseRunner runner(options, progress);
  const auto table = systolicWords(runner);
  ASSERT_TRUE(table) << base::render(table.diagnostics());
  ASSERT_EQ(table->figures.size(), 6U);
  for (const report::ReproducedFigure& figure : table->figures) {
    if (figure.subject == "scalesim_os C") continue;  // the trace counts more words than there are
    EXPECT_EQ(figure.predicted, figure.published) << figure.subject;
    EXPECT_EQ(figure.simulated, figure.published) << figure.subject;
  }
}

TEST_F(Reproduce, NpuRowsRunWithTheirBlocks) {
  write("reference/npu_gemm.csv",
        "method,M,K,N,tile_m,tile_k_l2,tile_n,gflops,apart\n"
        "external,512,512,512,32,256,128,1791,0\nfused,512,512,512,32,256,128,482,1\n"
        "drain,512,512,512,32,128,64,1703,0\ndirect_bf16,512,256,512,64,32,64,1750,1\n");
  CaseRunner runner(options, progress);
  const auto only = [&](ReproducedTable (*study)(CaseRunner&)) {
    auto table = study(runner);
    EXPECT_TRUE(table) << base::render(table.diagnostics());
    EXPECT_EQ(table->figures.size(), 1U);
    return table->figures.at(0);
  };
  const report::ReproducedFigure external = only(npuGemmExternal);
  EXPECT_EQ(external.published, 1791);
  EXPECT_EQ(external.quantity, "GFLOP/s");
  EXPECT_NE(external.detail.find("i32 j128 q1 k32"), std::string::npos) << external.detail;
  EXPECT_NE(external.detail.find("via mem_tiles over k"), std::string::npos) << external.detail;
  const report::ReproducedFigure fused = only(npuGemmFused);
  EXPECT_EQ(fused.quantity, "GFLOP/s, set aside");
  EXPECT_LT(*fused.predicted, *external.predicted) << "the cast takes time";
  EXPECT_LT(*fused.simulated, *external.simulated);
  EXPECT_NE(only(npuGemmDrain).detail.find("i32 j64"), std::string::npos);
  // A chunk of one step has nothing to stay for.
  EXPECT_EQ(only(npuGemmDirectBf16).detail.find("over k"), std::string::npos);
}

TEST_F(Reproduce, NpuChunksDivideK) {
  write("reference/npu_gemm.csv",
        "method,M,K,N,tile_m,tile_k_l2,tile_n,gflops,apart\nexternal,512,512,512,32,96,128,1,0\n");
  CaseRunner runner(options, progress);
  const auto table = npuGemmExternal(runner);
  ASSERT_FALSE(table);
  EXPECT_NE(base::render(table.diagnostics()).find("npu_gemm.csv:2:1: error: K has to be"),
            std::string::npos)
      << base::render(table.diagnostics());
}

TEST_F(Reproduce, AMissingReferenceIsAnError) {
  write("reference/other.csv", "a\n1\n");
  EXPECT_TRUE(loadReferenceText("other"));
  const auto missing = loadReferenceText("gone");
  ASSERT_FALSE(missing);
  EXPECT_NE(base::render(missing.diagnostics()).find("is called `gone`"), std::string::npos);
}

TEST(FigureFile, ChecksItsColumnsWhenRead) {
  constexpr FigureColumn columns[] = {{"M"}, {"what", false}, {"gone"}};
  const auto file =
      FigureFile::read(base::makeSource("f.csv", "M,what\n12,ok\ntwelve,ok\n1e999,ok\n"), columns);
  ASSERT_FALSE(file);
  const std::string errors = base::render(file.diagnostics());
  EXPECT_NE(errors.find("no column `gone`"), std::string::npos) << errors;
  EXPECT_NE(errors.find("f.csv:3:1: error: column `M` expects a number, got `twelve`"),
            std::string::npos)
      << errors;
  EXPECT_NE(errors.find("f.csv:4:1"), std::string::npos) << errors;
}

struct Baseline : testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Baseline, IsFoundByNameAndHasAMapping) {
  const auto [name, kernelName] = GetParam();
  base::Progress progress;
  const bool systolic = std::string(name).starts_with("systolic");
  const auto hardware =
      openHardware(*loadHardwareText(systolic ? "systolic_mesh_32x32" : "wormhole_8x8"));
  const KernelOptions size =
      kernelName == std::string("gemm")
          ? KernelOptions{{{"M", systolic ? 32 : 2048}, {"N", systolic ? 32 : 2048}, {"K", 64}},
                          "",
                          ""}
          : KernelOptions{{{"H", 8}, {"SQ", 512}, {"D", 64}}, "", ""};
  const auto kernel = openKernel(*loadKernelText(kernelName), size);
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  const auto text = loadDirectivesText(name);
  ASSERT_TRUE(text) << base::render(text.diagnostics());
  const auto constraints = openDirectives(*text, **kernel, **hardware);
  ASSERT_TRUE(constraints) << base::render(constraints.diagnostics());
  const auto mapping = mappingFromDirectives(*hardware, *kernel, *constraints, "", progress);
  EXPECT_TRUE(mapping) << base::render(mapping.diagnostics());
}

INSTANTIATE_TEST_SUITE_P(Shipped, Baseline,
                         testing::Values(std::pair{"tt_1d_a", "gemm"}, std::pair{"tt_1d_b", "gemm"},
                                         std::pair{"tt_1d_a_row", "gemm"},
                                         std::pair{"tt_1d_b_row", "gemm"},
                                         std::pair{"tt_2d", "gemm"}, std::pair{"dram_only", "gemm"},
                                         std::pair{"no_temporal_reuse", "gemm"},
                                         std::pair{"systolic_os", "gemm"},
                                         std::pair{"systolic_ws", "gemm"},
                                         std::pair{"attention_reload", "flash_attention"},
                                         std::pair{"attention_reload_32", "flash_attention"}),
                         [](const auto& baseline) { return std::string(baseline.param.first); });

}  // namespace
}  // namespace gridloom::service

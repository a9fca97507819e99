// SPDX-License-Identifier: Apache-2.0

// Studies on data of their own: tables as shipped take minutes.

#include "study/study.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "service/workspace.h"
#include "study/study_file.h"
#include "support/problem.h"
#include "texts/presets.h"

namespace gridloom::study {
namespace {

namespace fs = std::filesystem;
using report::Answer;
using report::ReproducedFigure;

struct Studies : testing::Test {
  fs::path folder = fs::path(testing::TempDir()) /
                    ("study_" + std::to_string(getpid()) + "_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name());
  base::Progress progress;
  StudyOptions options{1, 5, 1};
  std::string errors;

  ~Studies() override { fs::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) {
    fs::create_directories(folder);
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }

  std::vector<report::Reproduction> run(const std::string& study) {
    std::vector<report::Reproduction> tables;
    const auto take = [&](report::Reproduction table) { tables.push_back(std::move(table)); };
    errors = base::render(runStudy(study, options, take, progress));
    return tables;
  }
  report::Reproduction only(const std::string& study) {
    auto tables = run(study);
    EXPECT_EQ(errors, "");
    EXPECT_EQ(tables.size(), 1U);
    return tables.empty() ? report::Reproduction() : tables.front();
  }
  void expectError(const std::string& text, const std::string& message) {
    EXPECT_TRUE(run(write("wrong.study", text)).empty());
    EXPECT_NE(errors.find(message), std::string::npos) << errors;
  }
};

TEST_F(Studies, FiguresKnowTheirRowAndWhatItWasToldToRun) {
  std::vector<std::size_t> told;
  options.onRow = [&](std::size_t row, std::size_t rows) {
    told.push_back(row);
    EXPECT_EQ(rows, 2U);
  };
  const auto table = only(write("mine.csv", "hardware,kernel,M,N,K,us\n"
                                            "wormhole_8x8,gemm,512,512,512,30\n"
                                            "wormhole_8x8,gemm,512,512,1024,\n"));
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(table.figures.size(), 2U);
  EXPECT_EQ(table.figures[1].row, 1U);
  ASSERT_EQ(table.settings.size(), 2U);
  EXPECT_EQ(table.settings[1].at("hardware"), "wormhole_8x8");
  EXPECT_EQ(table.settings[1].at("sizes"), "K=1024 M=512 N=512 ");
}

TEST_F(Studies, UnknownOnesAreNamed) {
  EXPECT_TRUE(run("worm hole").empty());
  EXPECT_NE(errors.find("no study is called `worm hole`"), std::string::npos) << errors;
}

// A rehearsal works through every statement with every name, and runs nothing.
TEST_F(Studies, AllBuiltInOnesAreSound) {
  const auto entries = listStudies();
  EXPECT_GT(entries.size(), 30U);
  for (const StudyEntry& entry : entries) {
    EXPECT_NE(entry.title, "") << entry.name;
    EXPECT_EQ(base::render(checkStudy(entry.name)), "") << entry.name;
  }
}

bool hasUsedRows(const StudyFile& study) {
  const Scope columns = study.columns();
  const auto used = columns.texts.find("used");
  return used != columns.texts.end() && std::ranges::count(used->second, "1") > 0;
}

// The word of a preset for which rows its constants were taken from, and the marks in the studies,
// are the same.
TEST_F(Studies, PresetsNameTheStudiesThatTheirConstantsAreFrom) {
  std::set<std::string> marked, named;
  for (const StudyEntry& entry : listStudies()) {
    const auto study = readStudy(*texts::loadStudyText(entry.name));
    ASSERT_TRUE(study) << entry.name;
    if (hasUsedRows(*study)) marked.insert(entry.name);
  }
  std::vector<std::string> hardware{"booksim_8x8"};
  for (const texts::Preset& preset : texts::listHardware()) hardware.push_back(preset.name);
  for (const std::string& name : hardware) {
    const std::string text((*texts::loadHardwareText(name))->text());
    const std::string word = "// Rows used for constants: ";
    const std::size_t at = text.find(word);
    ASSERT_NE(at, std::string::npos) << name;
    const std::string list =
        " " + text.substr(at + word.size(), text.find('.', at) - at - word.size()) + ",";
    for (const StudyEntry& entry : listStudies()) {
      if (list.find(" " + entry.name + ",") != std::string::npos) named.insert(entry.name);
    }
  }
  EXPECT_EQ(marked, named);
}

TEST_F(Studies, MeasurementsNeedRowsOnly) {
  const auto table =
      only(write("mine.csv", "hardware,kernel,M,N,K,directives,us,tflops,group\n"
                             "wormhole_4x8,gemm,256,256,256,,50,0.5,small\n"
                             "wormhole_4x8,gemm,512,256,256,tt_2d,90,0.7,small\n"
                             "wormhole_4x8,gemm,512,512,256,\"tile(k, 64)\",170,0.8,large\n"));
  EXPECT_EQ(table.study, "mine");
  ASSERT_EQ(table.figures.size(), 6U);
  EXPECT_EQ(table.figures[0].subject, "gemm on wormhole_4x8");
  EXPECT_EQ(table.figures[0].quantity, "us, small");
  EXPECT_EQ(table.figures[0].published, 50);
  EXPECT_GT(*table.figures[0].predicted, 0);
  EXPECT_NE(table.figures[1].detail.find("multicast"), std::string::npos)
      << table.figures[1].detail;
  EXPECT_NE(table.figures[2].detail.find("k64"), std::string::npos) << table.figures[2].detail;
  const auto means = report::summarize(table.figures);
  ASSERT_EQ(means.size(), 4U);
  EXPECT_EQ(means[0].figures, 2);
  EXPECT_TRUE(means[0].simulatedError);
  EXPECT_FALSE(means[0].simulatedRanks) << "two rows have no ranking";
}

TEST_F(Studies, RowsUsedForConstantsAreApart) {
  const auto table =
      only(write("used.study", "run ours kernel \"gemm\" hardware \"wormhole_1x8\" top \"1\"\n"
                               "figure \"cycles\" = ours.cycles published cycles\n"
                               "M,cycles,used\n256,40000,1\n512,90000,\n"));
  ASSERT_EQ(table.figures.size(), 2U);
  EXPECT_EQ(table.figures[0].quantity, "cycles, used for constants");
  EXPECT_EQ(table.figures[1].quantity, "cycles");
}

TEST_F(Studies, SpatialReuseIsSetBesideWhatWasPublished) {
  auto text = texts::loadStudyText("tl_spatial_reuse");
  ASSERT_TRUE(text);
  std::string head((*text)->text());
  head.resize(head.find("M,N,K"));
  const auto table =
      only(write("reuse.study", head + "M,N,K,dram_only_tflops,tl_tflops\n512,512,512,5,10\n"));
  ASSERT_EQ(table.figures.size(), 5U);
  const ReproducedFigure& without = table.figures[0];
  const ReproducedFigure& with = table.figures[1];
  const ReproducedFigure& gain = table.figures[2];
  EXPECT_EQ(without.published, 5);
  EXPECT_GT(*with.predicted, *without.predicted) << "reuse cannot lose under an exact search";
  EXPECT_NEAR(*gain.predicted, *with.predicted / *without.predicted, 1e-9);
  EXPECT_NEAR(*gain.simulated, *with.simulated / *without.simulated, 1e-9);
  EXPECT_EQ(*gain.published, 2);
  EXPECT_NE(without.detail.find("A direct"), std::string::npos) << without.detail;
  ASSERT_EQ(table.claims.size(), 1U);
  EXPECT_EQ(table.claims[0].simulated, Answer::Tie) << "one size is neither larger nor smaller";
}

// Eight tiles of rows do not fill 64 cores: the template is then meant for one row of cores.
TEST_F(Studies, OtherDirectivesStandInForInfeasibleOnes) {
  const std::string rows = "M,N,K\n256,256,256\n";
  const std::string run =
      "run ours hardware \"wormhole_8x8\" kernel \"gemm\" directives \"tt_1d_a\"";
  const std::string figure = "\nfigure \"cycles\" = ours.cycles\n";
  expectError(run + figure + rows, "the directives exclude every mapping");
  EXPECT_NE(errors.find("wrong.study:4:1: note: this row cannot run"), std::string::npos) << errors;
  const auto table = only(write("right.study", run + " otherwise \"tt_1d_a_row\"" + figure + rows));
  EXPECT_GT(*table.figures.at(0).simulated, 0);
}

TEST_F(Studies, AccessesAreThoseThatTimeloopReports) {
  const auto table = only("timeloop");
  ASSERT_EQ(table.claims.size(), 1U);
  EXPECT_EQ(table.claims[0].evidence, "162 of 162");
  EXPECT_EQ(table.claims[0].predicted, Answer::Yes);
  EXPECT_EQ(table.claims[0].simulated, Answer::Yes);
}

TEST_F(Studies, SystolicCyclesAreThoseOfScaleSim) {
  const auto table = only(write("systolic.csv", "hardware,kernel,M,N,K,cycles\n"
                                                "systolic_32x32,gemm,256,128,256,10176\n"
                                                "systolic_32x32_ws,gemm,256,128,256,11200\n"
                                                "systolic_32x32,gemm,100,70,50,1344\n"
                                                "systolic_32x32_ws,gemm,100,70,50,1164\n"
                                                "systolic_32x32_is,gemm,100,70,50,1312\n"
                                                "systolic_32x32_is,gemm,1,33,65,381\n"));
  ASSERT_EQ(table.figures.size(), 6U);
  for (const ReproducedFigure& figure : table.figures) {
    EXPECT_NEAR(*figure.predicted, *figure.published, 0.01) << figure.subject;
    EXPECT_NEAR(*figure.simulated, *figure.published, 0.01) << figure.subject;
  }
}

TEST_F(Studies, WordsOfTheBuffersAreThoseOfScaleSim) {
  const auto table = only("systolic_words");
  ASSERT_EQ(table.figures.size(), 6U);
  for (const ReproducedFigure& figure : table.figures) {
    if (figure.subject == "scalesim_os C") continue;  // the trace counts more words than there are
    EXPECT_EQ(figure.predicted, figure.published) << figure.subject;
    EXPECT_EQ(figure.simulated, figure.published) << figure.subject;
  }
}

TEST_F(Studies, TileSizesOfARowAreItsOwn) {
  const std::string head =
      "run ours hardware \"npu_strix_4x8\" kernel \"npu_gemm_f32\" directives \"npu_gemm\"\n"
      "  sizes \"M=512 N=512 Q={K / chunk} K={chunk}\" tiles \"i=32 j={j}\" top \"1\"\n"
      "figure \"cycles\" = ours.cycles detail \"{ours.mapping}\"\nK,chunk,j\n";
  const auto table = only(write("npu.study", head + "512,256,128\n"));
  const std::string& mapping = table.figures.at(0).detail;
  EXPECT_NE(mapping.find("i32 j128 q1 k32"), std::string::npos) << mapping;
  EXPECT_NE(mapping.find("in mem_tiles over k"), std::string::npos) << mapping;
  expectError(head + "512,96,128\n", "`Q` has to be a whole number");
}

TEST_F(Studies, VariedHardwareIsWhatItSays) {
  const std::string head =
      "run ours hardware \"wormhole_8x8\" kernel \"gemm\" sizes \"M=512 N=512 K=512\" top \"1\"\n"
      "figure \"cycles\" = ours.cycles\nvary\n";
  const auto table = only(write("vary.study", head + "launch=0\nlaunch=5000\nlocal*0.125\n"));
  EXPECT_NEAR(*table.figures[1].simulated - *table.figures[0].simulated, 5000, 1);
  EXPECT_GE(*table.figures[2].predicted, *table.figures[0].predicted);
  expectError(head + "height=4\n", "nothing of the hardware can be varied as `height`");
}

TEST_F(Studies, NetworksAloneAreSimulated) {
  const auto table =
      only(write("noc.study", "kind unicast\nrun ours hardware \"wormhole_n150\"\n"
                              "figure \"cycles\" = ours.cycles published cycles\n"
                              "direction,memory,transactions,same_axis,bytes,cycles\n"
                              "read,L1,1,0,64,293\nread,L1,1,1,64,205\nread,DRAM,1,0,64,381\n"));
  ASSERT_EQ(table.figures.size(), 3U);
  for (const ReproducedFigure& figure : table.figures) {
    EXPECT_FALSE(figure.predicted);
    EXPECT_NEAR(*figure.simulated, *figure.published, 0.1 * *figure.published);
  }
  expectError("kind load\nrun ours hardware \"booksim_8x8\"\nfigure \"cycles\" = ours.latency\n"
              "traffic,rate\nuniform,1.5\n",
              "at a rate between 0 and 1");
}

TEST_F(Studies, AgreementHoldsModelAgainstSimulator) {
  const std::string mesh = write("mesh.hw", test::smallMesh(2, 3));
  const auto table =
      only(write("agreement.study", "kind agreement\nrun ours\nhardware,kernel,sizes\n" + mesh +
                                        ",gemm,M=48 N=72 K=64\n"));
  ASSERT_EQ(table.agreements.size(), 2U);
  EXPECT_EQ(table.agreements[0].mappings, 5);
  EXPECT_EQ(table.agreements[1].mappings, 50);
  for (const report::Agreement& agreement : table.agreements) {
    EXPECT_LT(agreement.error, 1) << agreement.subject;
    EXPECT_LE(agreement.tau, 1);
    ASSERT_EQ(agreement.worst.size(), 3U);
    const auto miss = [](const ReproducedFigure& f) {
      return std::max(*f.predicted / *f.simulated, *f.simulated / *f.predicted);
    };
    EXPECT_GE(miss(agreement.worst[0]), miss(agreement.worst[2]));
  }
}

TEST_F(Studies, AblationsTellWhatEachTermIsWorth) {
  const std::string mesh = write("mesh.hw", test::smallMesh(2, 3));
  const std::string study = write("agreement.study", "kind agreement\nrun ours\n"
                                                     "hardware,kernel,sizes\n" +
                                                         mesh + ",trsm,N=64 R=32\n");
  EXPECT_TRUE(only(study).agreements[0].ablations.empty());
  options.ablate = true;
  options.samples = 20;  // of a few, none may wait for a tile
  const auto table = only(study);
  double dependence = 0;
  for (const report::Agreement& agreement : table.agreements) {
    EXPECT_GT(agreement.ablations.size(), 10U);
    for (const report::Ablation& without : agreement.ablations) {
      if (without.term == "dependence")
        dependence = std::max(dependence, without.error - agreement.error);
    }
  }
  EXPECT_GT(dependence, 0.01) << "a triangular solve waits for its own tiles";
  EXPECT_NE(report::reproductionText(table).find("rankings changed"), std::string::npos);
  EXPECT_TRUE(canAblate(study));
  EXPECT_FALSE(canAblate("ranking"));
}

TEST_F(Studies, RankingsAreHeldAgainstTheFastest) {
  const auto table = only(write("ranking.study",
                                "kind ranking\nrun ours kernel \"gemm\" hardware \"wormhole_1x8\"\n"
                                "figure \"x\" = ours.first detail \"{ours.mapping}\"\nM\n256\n"));
  ASSERT_EQ(table.figures.size(), 1U);
  EXPECT_GE(*table.figures[0].simulated, 1);
  EXPECT_FALSE(table.figures[0].predicted);
  EXPECT_NE(table.figures[0].detail.find(" of 5: "), std::string::npos);
}

TEST_F(Studies, ListsRunTheirMembers) {
  const std::string member = write("one.csv", "hardware,kernel,M\nwormhole_1x8,gemm,256\n");
  EXPECT_EQ(run(write("all.study", "kind list\nstudy\n" + member + "\n" + member + "\n")).size(),
            2U);
  EXPECT_EQ(errors, "");
  expectError("kind list\nstudy\n" + (folder / "wrong.study").string() + "\n", "a list of lists");
}

TEST_F(Studies, ACancelEndsWithoutAnError) {
  progress.cancel();
  EXPECT_TRUE(run("systolic").empty());
  EXPECT_EQ(errors, "");
}

TEST_F(Studies, FaultsAreFoundBeforeAnythingRuns) {
  const std::string rows = "hardware,kernel,M\nno_such_machine,gemm,256\n";
  expectError("titl My own\n" + rows, "wrong.study:1:1: error: no statement begins with `titl`");
  EXPECT_NE(errors.find("did you mean `title`?"), std::string::npos) << errors;
  expectError("kind casses\n" + rows, "wrong.study:1:6: error: there is no such kind of study");
  expectError("run ours speed \"9\"\n" + rows, "runs of this kind have no setting `speed`");
  expectError("run ours\nfigure \"x\" = ours.cycels\n" + rows,
              "wrong.study:2:14: error: there is no quantity `ours.cycels`");
  EXPECT_NE(errors.find("did you mean `ours.cycles`?"), std::string::npos) << errors;
  expectError("run ours\nfigure x = ours.cycles\n" + rows, "wrong.study:2:8: error: expected");
  expectError("run ours\nclaim \"c\" \"it is\" = ours.cycles > 1\n" + rows,
              "expected `margin` and a number");
  expectError("run ours\nfigure \"x\" = ours.cycles publishd M\n" + rows,
              "expected published, of, detail or when");
  expectError("hardware,kernel,M\n", "the study has no rows");
  expectError("hardware,kernel,M\na,b\n", "wrong.study:2:1: error: expected 3 fields, got 2");
}

}  // namespace
}  // namespace gridloom::study

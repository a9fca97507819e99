// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "service/mapping_input.h"
#include "service/workspace.h"
#include "support/problem.h"
#include "texts/presets.h"

namespace gridloom::service {
namespace {

struct Texts : testing::Test {
  std::string write(const std::string& name, const std::string& content) {
    const std::string path = testing::TempDir() + "gridloom-service-" + name;
    std::ofstream(path, std::ios::binary) << content;
    m_written.push_back(path);
    return path;
  }
  ~Texts() override {
    for (const std::string& path : m_written) std::filesystem::remove(path);
  }
  std::vector<std::string> m_written;
};

std::string errorOf(const base::Result<base::SourceRef>& result) {
  return result ? "" : base::render(result.diagnostics());
}

TEST_F(Texts, ReadUtf8) {
  const auto text = texts::loadText(write("a.rec", "// \u00b5, \u20ac, \U0001F9F5\n"));
  ASSERT_TRUE(text) << errorOf(text);
  EXPECT_EQ((*text)->text(), "// \u00b5, \u20ac, \U0001F9F5\n");
}

TEST_F(Texts, LocateTheFirstByteThatIsNotUtf8) {
  for (const char* bad :
       {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"}) {
    const std::string path = write("b.rec", std::string("ok\n\u00b5 ") + bad);
    EXPECT_TRUE(
        errorOf(texts::loadText(path)).starts_with(path + ":2:4: error: this byte is not UTF-8"))
        << errorOf(texts::loadText(path));
  }
}

TEST_F(Texts, RefuseWhatIsNoFile) {
  EXPECT_NE(errorOf(texts::loadText("/dev/null")).find("not a regular file"), std::string::npos);
  EXPECT_NE(errorOf(texts::loadText("/")).find("a directory"), std::string::npos);
  EXPECT_NE(errorOf(texts::loadText("/nonexistent/a")).find("no such file"), std::string::npos);
  EXPECT_NE(errorOf(texts::loadText("")).find("empty"), std::string::npos);
  EXPECT_NE(errorOf(texts::loadText(write("c.rec", ""))).find("it is empty"), std::string::npos);
}

TEST(Presets, AreListedWithASummaryAndOpen) {
  const auto hardware = texts::listHardware();
  const auto kernels = texts::listKernels();
  ASSERT_FALSE(hardware.empty());
  ASSERT_FALSE(kernels.empty());
  for (const texts::Preset& preset : hardware) {
    EXPECT_FALSE(preset.summary.empty()) << preset.name;
    const auto text = texts::loadHardwareText(preset.name);
    ASSERT_TRUE(text) << preset.name;
    EXPECT_TRUE(checkText(*text).empty() || !base::hasError(checkText(*text))) << preset.name;
  }
  for (const texts::Preset& preset : kernels) {
    EXPECT_FALSE(preset.summary.empty()) << preset.name;
    EXPECT_FALSE(base::hasError(checkText(*texts::loadKernelText(preset.name)))) << preset.name;
  }
}

// Without a reader of MLIR the kernel is refused as a kernel; as hardware it would be empty.
TEST(Inputs, ACommentThatNamesHardwareDeclaresNone) {
  const auto findings = checkText(
      base::makeSource("k.mlir", "// as in df.spatial_dim 8\nfunc.func @k() {\n  return\n}\n"));
  for (const base::Diagnostic& each : findings) {
    EXPECT_EQ(each.message.find("description"), std::string::npos) << each.message;
  }
  const auto hardware = checkText(base::makeSource("h.mlir", "// a mesh\n%x = df.spatial_dim 0\n"));
  ASSERT_FALSE(hardware.empty());
  EXPECT_NE(base::render(hardware).find("df.spatial_dim"), std::string::npos);
}

TEST(Presets, ADataFolderOfOnesOwnAddsToWhatIsShipped) {
  namespace fs = std::filesystem;
  const fs::path data = fs::path(testing::TempDir()) / "gridloom-own-data";
  fs::create_directories(data / "hwpresets");
  const std::string shipped((*texts::loadHardwareText("spyre_ring"))->text());
  std::ofstream(data / "hwpresets" / "mine.hw") << shipped;
  std::ofstream(data / "hwpresets" / "wormhole_8x8.hw") << shipped;
  const std::size_t before = texts::listHardware().size();
  setenv("GRIDLOOM_DATA", data.c_str(), 1);
  EXPECT_EQ(texts::listHardware().size(), before + 1);
  EXPECT_EQ((*texts::loadHardwareText("mine"))->text(), shipped);
  EXPECT_EQ((*texts::loadHardwareText("wormhole_8x8"))->text(), shipped) << "one's own goes first";
  EXPECT_TRUE(texts::loadHardwareText("wormhole_4x8"));
  EXPECT_FALSE(texts::listKernels().empty()) << "the folder has no kernels";
  unsetenv("GRIDLOOM_DATA");
  fs::remove_all(data);
}

TEST(Presets, AnUnknownNameGetsTheNearestOne) {
  const std::string error = errorOf(texts::loadHardwareText("wormhole8x8"));
  EXPECT_NE(error.find("did you mean `wormhole_8x8`?"), std::string::npos) << error;
  EXPECT_NE(error.find("gridloom list hardware"), std::string::npos) << error;
}

/// The fenced blocks of README.md that contain `marker`.
std::vector<std::string> readmeBlocks(const std::string& marker) {
  std::ifstream in(std::string(GRIDLOOM_SOURCE_DIR) + "/README.md");
  std::vector<std::string> tileSizes;
  std::string tileSize;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      if (inside && tileSize.find(marker) != std::string::npos) tileSizes.push_back(tileSize);
      inside = !inside;
      tileSize.clear();
    } else if (inside) {
      tileSize += line + "\n";
    }
  }
  return tileSizes;
}

TEST(Readme, ItsDescriptionsAreRightAndFitTogether) {
  const auto hardwareTexts = readmeBlocks("df.core");
  const auto kernelTexts = readmeBlocks("tensor ");
  ASSERT_EQ(hardwareTexts.size(), 1U);
  ASSERT_EQ(kernelTexts.size(), 1U);
  const auto hardware = openHardware(base::makeSource("readme.hw", hardwareTexts[0]));
  ASSERT_TRUE(hardware) << base::render(hardware.diagnostics());
  EXPECT_TRUE((*hardware)->remarks.empty()) << base::render((*hardware)->remarks);
  const auto kernel = openKernel(base::makeSource("readme.rec", kernelTexts[0]), {});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  EXPECT_TRUE((*kernel)->nest);
}

TEST(OpenKernel, SetsParametersAndDType) {
  const auto kernel = openKernel(*texts::loadKernelText("gemm"), {{{"M", 7}}, "f32", ""});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  EXPECT_EQ((*kernel)->kernel.tensors[0].shape[0], 7);
  EXPECT_EQ((*kernel)->kernel.tensors[0].dtype, kernel::DType::F32);
  EXPECT_FALSE(openKernel(*texts::loadKernelText("gemm"), {{{"Q", 7}}, "", ""}));
  EXPECT_FALSE(openKernel(*texts::loadKernelText("gemm"), {{}, "f99", ""}));
  EXPECT_FALSE(openKernel(*texts::loadKernelText("gemm"), {{}, "", "other"}));
}

TEST(OpenKernel, ADTypeLeavesIndicesWhole) {
  const auto kernel = openKernel(*texts::loadKernelText("embedding"), {{{"T", 7}}, "f32", ""});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  for (const kernel::Tensor& tensor : (*kernel)->kernel.tensors) {
    EXPECT_EQ(tensor.dtype, tensor.name == "token" ? kernel::DType::I32 : kernel::DType::F32);
  }
}

struct Gathers : testing::Test {
  KernelRef kernel =
      *openKernel(*texts::loadKernelText("embedding"), {{{"T", 7}, {"D", 40}}, "", ""});

  static HardwareRef hardwareWith(const std::string& attribute) {
    std::string text = test::smallMesh(2, 3);
    text.insert(text.find("interleave"), attribute);
    return *openHardware(base::makeSource("mesh.hw", text));
  }
  std::int64_t requestBytesOn(const HardwareRef& hardware) const {
    const auto inputs = fitted(kernel, *hardware)->nest->inputs;
    return std::ranges::find(inputs, "W", &kernel::Operand::name)->gather->requestBytes;
  }
};

TEST_F(Gathers, TakeTheRequestsOfTheMemory) {
  EXPECT_EQ(requestBytesOn(hardwareWith("")), 64);
  EXPECT_EQ(requestBytesOn(hardwareWith("random_access = 256 B, ")), 256);
}

TEST_F(Gathers, SayWhatIsAssumed) {
  const auto noteOf = [&](const std::string& attribute) {
    return fitted(kernel, *hardwareWith(attribute))->remarks.front().message;
  };
  EXPECT_EQ(noteOf(""), "rows read through indices are requests of 64 bytes each, or multiples of "
                        "it (assumed)");
  EXPECT_EQ(noteOf("random_access = 32 B, "),
            "rows read through indices are requests of 32 bytes each, or multiples of it");
}

TEST_F(Gathers, FitOnceAndLeaveOtherKernelsAlone) {
  const HardwareRef hardware = hardwareWith("");
  const KernelRef once = fitted(kernel, *hardware);
  EXPECT_NE(once, kernel);
  EXPECT_EQ(fitted(once, *hardware), once);
  const KernelRef gemm = *openKernel(*texts::loadKernelText("gemm"), {});
  EXPECT_EQ(fitted(gemm, *hardware), gemm);
}

TEST_F(Gathers, AreLaidOutByPage) {
  const HardwareRef hardware = hardwareWith("");
  const auto refused =
      openDirectives(base::makeSource("a.sched", "layout(W, tile)"), *kernel, *hardware);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.diagnostics().front().message,
            "rows of `W` are read through an index, in no order of tiles");
  EXPECT_TRUE(openDirectives(base::makeSource("a.sched", "layout(W, page)"), *kernel, *hardware));
}

TEST(OpenKernel, AKernelWithoutAMappingOpensAndSaysWhy) {
  const auto kernel = openKernel(
      base::makeSource("backward.rec", "kernel backward(N = 8) {\n  tensor A[N]: f32\n"
                                       "  tensor X[N]: f32\n  X[i] = A[i]  where i >= N - 1\n"
                                       "  X[i] = X[i + 1] + A[i]  where i < N - 1\n}\n"),
      {});
  ASSERT_TRUE(kernel) << base::render(kernel.diagnostics());
  EXPECT_FALSE((*kernel)->nest);
  ASSERT_FALSE((*kernel)->notMapped.empty());
  EXPECT_TRUE((*kernel)->notMapped.front().source);
}

TEST(Presets, MayBeNamedWithTheirFolder) {
  EXPECT_EQ(texts::kernelFile("polybench/syr2k"), texts::kernelFile("syr2k"));
  EXPECT_TRUE(texts::loadKernelText("llm/rope"));
  for (const char* other : {"llm/syr2k", "polybench/none", "/gemm", "./gemm"}) {
    EXPECT_EQ(texts::kernelFile(other), other);
    EXPECT_FALSE(texts::loadKernelText(other)) << other;
  }
}

}  // namespace
}  // namespace gridloom::service

// SPDX-License-Identifier: Apache-2.0

// Where the numbers of a hardware text stand, and how it disables cores.

#include <gtest/gtest.h>

#include "language/language.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::language {
namespace {

base::SourceRef wormhole() { return *texts::loadHardwareText("wormhole_8x8"); }

std::string with(const base::SourceRef& source, base::Span span, const std::string& words) {
  std::string text(source->text());
  return text.replace(span.begin, span.end - span.begin, words);
}

const HardwareField* find(const std::vector<HardwareField>& fields, const std::string& component,
                          const std::string& attribute) {
  for (const HardwareField& field : fields) {
    if (field.component == component && field.attribute == attribute) return &field;
  }
  return nullptr;
}

std::string at(const base::SourceRef& text, const HardwareField& field) {
  return std::string(text->text().substr(field.value.begin, field.value.end - field.value.begin));
}

TEST(HardwareFields, AreWhereTheNumbersStand) {
  const auto text = wormhole();
  const auto fields = hardwareFields(text);
  EXPECT_EQ(at(text, *find(fields, "noc_h", "bandwidth")), "28 B/cycle");
  EXPECT_EQ(at(text, *find(fields, "FPU", "throughput hifi4")), "1024 flop/cycle");
  EXPECT_EQ(at(text, *find(fields, "drams", "size")), "3 GiB");
  EXPECT_EQ(find(fields, "noc_h", "bandwidth")->number, 28);
  EXPECT_EQ(find(fields, "noc_h", "bandwidth")->unit, "B/cycle");
  EXPECT_FALSE(find(fields, "noc_h", "bandwidth")->help.empty());
}

TEST(HardwareFields, OfAParameterAreItsDefinition) {
  const auto text = wormhole();
  const auto fields = hardwareFields(text);
  const HardwareField* cols = find(fields, "cols", "");
  ASSERT_NE(cols, nullptr);
  EXPECT_TRUE(cols->whole);
  EXPECT_EQ(at(text, *cols), "8");
  const HardwareField* x = find(fields, "x", "size");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->parameter, "cols");
  EXPECT_EQ(x->value.begin, cols->value.begin);
  EXPECT_EQ(x->value.end, cols->value.end);
}

TEST(HardwareFields, OfExpressionsAreLeftOut) {
  const auto text = base::makeSource(
      "a.hw", "param n = 4\nparam m = 2 * n\n%x = df.spatial_dim m\n%y = df.spatial_dim 3\n");
  const auto fields = hardwareFields(text);
  EXPECT_NE(find(fields, "n", ""), nullptr);
  EXPECT_EQ(find(fields, "m", ""), nullptr);
  EXPECT_EQ(find(fields, "x", "size"), nullptr);
  EXPECT_NE(find(fields, "y", "size"), nullptr);
}

TEST(HardwareFields, OfTextsWithErrorsAreAsFarAsTheyGo) {
  const auto text = base::makeSource(
      "a.hw", "%x = df.spatial_dim 8\n%l1 = df.memory { size = }\n%y = df.spatial_dim 4\n");
  const auto fields = hardwareFields(text);
  EXPECT_NE(find(fields, "x", "size"), nullptr);
  EXPECT_NE(find(fields, "y", "size"), nullptr);
  EXPECT_TRUE(hardwareFields(base::makeSource("a.hw", "{{{")).empty());
  EXPECT_TRUE(hardwareFields(base::makeSource("a.hw", "")).empty());
}

/// Every number of every preset can be replaced by itself, and by another one.
TEST(HardwareFields, OfPresetsReplaceWhatTheySay) {
  for (const texts::Preset& preset : texts::listHardware()) {
    const auto text = *texts::loadHardwareText(preset.name);
    const auto fields = hardwareFields(text);
    EXPECT_FALSE(fields.empty()) << preset.name;
    for (const HardwareField& field : fields) {
      const std::string written = at(text, field);
      EXPECT_EQ(with(text, field.value, written), text->text());
      EXPECT_EQ(std::stod(written), field.number) << preset.name << ' ' << field.attribute;
    }
  }
}

TEST(Signature, IsOfTheOpenParenthesesOrAttribute) {
  const auto at = [](const char* name, std::string words) {
    const auto offset = static_cast<std::uint32_t>(words.find('|'));
    words.erase(offset, 1);
    return signatureAt(base::makeSource(name, words), offset).substr(0, 9);
  };
  EXPECT_EQ(at("a.rec", "C[i] = select(a, |b)"), "select: `");
  EXPECT_EQ(at("a.rec", "C[i] = select(max(a, b), |b)"), "select: `");
  EXPECT_EQ(at("a.rec", "C[i] = sum(k) |A[k]"), "");
  EXPECT_EQ(at("a.sched", "space(i->|x)"), "space: `s");
  EXPECT_EQ(at("a.sched", "space(i->x)|"), "");
  EXPECT_EQ(at("a.hw", "%m = df.memory { interleave = | }"), "interleav");
  EXPECT_EQ(at("a.hw", "%m = df.memory { interleave = 2 KiB, | }"), "");
  EXPECT_EQ(at("a.txt", "sum(|"), "");
  EXPECT_EQ(at("a.hw", "|"), "");
}

TEST(DisabledCores, ComeAndGo) {
  const auto text = wormhole();
  EXPECT_TRUE(disabledCores(text).empty());
  EXPECT_FALSE(disableCore(text, {3, 2}, false));
  const auto one = disableCore(text, {3, 2}, true);
  ASSERT_TRUE(one);
  const auto first = base::makeSource("a.hw", with(text, one->span, one->text));
  EXPECT_EQ(disabledCores(first), (std::vector<std::vector<std::int64_t>>{{3, 2}}));
  EXPECT_TRUE(service::openHardware(first).ok());
  const auto two = disableCore(first, {5, 7}, true);
  ASSERT_TRUE(two);
  const auto both = base::makeSource("a.hw", with(first, two->span, two->text));
  EXPECT_EQ(disabledCores(both).size(), 2U);
  EXPECT_TRUE(service::openHardware(both).ok());
  const auto back = disableCore(both, {5, 7}, false);
  ASSERT_TRUE(back);
  EXPECT_EQ(with(both, back->span, back->text), first->text());
  const auto none = disableCore(first, {3, 2}, false);
  ASSERT_TRUE(none);
  EXPECT_EQ(with(first, none->span, none->text), text->text());
}

}  // namespace
}  // namespace gridloom::language

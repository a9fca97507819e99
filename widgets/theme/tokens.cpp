// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/tokens.h"

#include <QString>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "report/peak_waterfall.h"

namespace gridloom::widgets {

namespace {

/// Colours of words in the editors.
void addWordsLight(Tokens& t) {
  t.keyword = 0x7a3fb0;
  t.type = 0x1f7a86;
  t.number = 0xa1551a;
  t.string = 0x2b7a3c;
  t.comment = 0x7d8896;
  t.name = 0x2459b0;
}

Tokens makeLight() {
  Tokens t;
  t.window = 0xf7f8fa;
  t.panel = 0xffffff;
  t.raised = 0xeceef2;
  t.border = 0xdde2e9;
  t.edge = 0xbcc5d1;
  t.text = 0x161c26;
  t.muted = 0x465061;
  t.faint = 0x5f6b7c;
  t.accent = 0x4b4fd9;
  t.selection = 0xeaebfb;
  t.error = 0xb42318;
  t.warning = 0x9a5b00;
  t.good = 0x1e7b4a;
  t.cell = 0xe3e9f1;
  t.cellIdle = 0xf0f2f5;
  t.link = 0xcdd5df;
  t.compute = 0x17808f;
  t.unitRate = 0x6fb1ba;
  t.issue = 0xa6d0d5;
  t.load = 0x99a5b8;
  t.network = 0xb58410;
  t.memory = 0xb0316f;
  t.sync = 0x6b7a90;
  t.store = 0xd988b2;
  t.overhead = 0x8793a3;
  t.idle = 0xc9d0d9;
  t.more = 0xa6550a;
  t.less = 0x5b3a9e;
  addWordsLight(t);
  t.linkRamp = {QColor(0xf1e6c6), QColor(0xd9b24c), QColor(0xa87407), QColor(0x6a4300)};
  t.operands = {QColor(0x2574c9), QColor(0xd2500f), QColor(0x2f8538),
                QColor(0x8452bd), QColor(0x6b6a00), QColor(0x9c4a2f)};
  return t;
}

void addWordsDark(Tokens& t) {
  t.keyword = 0xc79bf2;
  t.type = 0x6cc7d0;
  t.number = 0xe5a36a;
  t.string = 0x8ccf97;
  t.comment = 0x7a8696;
  t.name = 0x86b4f7;
}

Tokens makeDark() {
  Tokens t;
  t.dark = true;
  t.window = 0x171c24;
  t.panel = 0x11151c;
  t.raised = 0x1c222c;
  t.border = 0x2a323e;
  t.edge = 0x465264;
  t.text = 0xe8ecf2;
  t.muted = 0xb4becc;
  t.faint = 0x8c99ab;
  t.accent = 0x9296ff;
  t.selection = 0x272a4d;
  t.error = 0xff8a80;
  t.warning = 0xf0b54a;
  t.good = 0x62c98f;
  t.cell = 0x2a323e;
  t.cellIdle = 0x1f242c;
  t.link = 0x3a4452;
  t.compute = 0x3fb2bf;
  t.unitRate = 0x2c7f8a;
  t.issue = 0x1f5b64;
  t.load = 0x6e7b8f;
  t.network = 0xe3b23c;
  t.memory = 0xe5679f;
  t.sync = 0x93a1b5;
  t.store = 0xa3507a;
  t.overhead = 0x8592a3;
  t.idle = 0x3a4454;
  t.more = 0xf0a04b;
  t.less = 0xa98bea;
  addWordsDark(t);
  t.linkRamp = {QColor(0x3a3320), QColor(0x7d6424), QColor(0xc59a30), QColor(0xffe08a)};
  t.operands = {QColor(0x63a9f2), QColor(0xff8a4c), QColor(0x6cc36b),
                QColor(0xb48be8), QColor(0xc9c24a), QColor(0xe0a08a)};
  return t;
}

Tokens makeLightContrast() {
  Tokens t = makeLight();
  t.window = Qt::white;
  t.panel = Qt::white;
  t.raised = 0xe2e6ec;
  t.border = Qt::black;
  t.edge = Qt::black;
  t.text = Qt::black;
  t.muted = Qt::black;
  t.faint = 0x2b3340;
  t.accent = 0x1a1ea8;
  t.selection = 0xcfd2ff;
  t.error = 0x8a0f08;
  t.warning = 0x633800;
  t.good = 0x0b4f2c;
  t.cell = 0xd5dce6;
  t.link = 0x6b7686;
  t.compute = 0x0b6472;
  t.unitRate = 0x2a7783;
  t.issue = 0x46808a;
  t.load = 0x5566a8;
  t.network = 0x805a00;
  t.memory = 0x8f1650;
  t.sync = 0x2f3560;
  t.store = 0xb03a80;
  t.overhead = 0x55637a;
  t.idle = 0x878e98;
  t.keyword = 0x5a1f92;
  t.type = 0x0d5560;
  t.number = 0x7a3a08;
  t.string = 0x14552a;
  t.comment = 0x3c4654;
  t.name = 0x143f8a;
  t.linkRamp = {QColor(0x8f6a12), QColor(0x6f4f08), QColor(0x4d3500), QColor(0x261900)};
  t.operands = {QColor(0x0d4f9c), QColor(0xa33a06), QColor(0x16601f),
                QColor(0x5a2f94), QColor(0x4a4900), QColor(0x74331d)};
  return t;
}

Tokens makeDarkContrast() {
  Tokens t = makeDark();
  t.window = Qt::black;
  t.panel = Qt::black;
  t.raised = 0x262b33;
  t.border = Qt::white;
  t.edge = Qt::white;
  t.text = Qt::white;
  t.muted = Qt::white;
  t.faint = 0xd5dbe4;
  t.accent = 0xb4b7ff;
  t.selection = 0x34386e;
  t.error = 0xffb3ac;
  t.warning = 0xffd27a;
  t.good = 0x8ff0b8;
  t.cell = 0x323b48;
  t.link = 0x8792a3;
  t.compute = 0x5fd6e3;
  t.unitRate = 0x3f9daa;
  t.issue = 0x36838f;
  t.load = 0x8fa2e8;
  t.network = 0xffcf5a;
  t.memory = 0xff8cba;
  t.sync = 0xb7c3d4;
  t.store = 0xd06aa3;
  t.overhead = 0xa9b5c6;
  t.idle = 0x78869b;
  t.keyword = 0xdcbcff;
  t.type = 0x8fe3ec;
  t.number = 0xffc08a;
  t.string = 0xaef0ba;
  t.comment = 0xc3ccd8;
  t.name = 0xa9ccff;
  t.linkRamp = {QColor(0x94772b), QColor(0xbd9632), QColor(0xe6bb4f), QColor(0xfff0b8)};
  return t;
}

}  // namespace

QColor mixed(const QColor& from, const QColor& to, double part) {
  const auto share = static_cast<float>(std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 0.0);
  const auto mix = [share](float a, float b) { return a + (b - a) * share; };
  return QColor::fromRgbF(mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()),
                          mix(from.blueF(), to.blueF()));
}

QColor linkColour(const Tokens& tokens, double part) {
  const auto& stops = tokens.linkRamp;
  const double inside = std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 0.0;
  const double at = inside * static_cast<double>(stops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  return mixed(stops[low], stops[low + 1], at - static_cast<double>(low));
}

const QColor& Tokens::operand(int index) const {
  return operands[static_cast<std::size_t>(index < 0 ? 0 : index) % operands.size()];
}

const Tokens& lightTokens() {
  static const Tokens tokens = makeLight();
  return tokens;
}

const Tokens& darkTokens() {
  static const Tokens tokens = makeDark();
  return tokens;
}

const Tokens& lightContrastTokens() {
  static const Tokens tokens = makeLightContrast();
  return tokens;
}

const Tokens& darkContrastTokens() {
  static const Tokens tokens = makeDarkContrast();
  return tokens;
}

const Tokens& tokensFor(const QPalette& palette) {
  const bool dark = palette.color(QPalette::Window).lightness() < 128;
  const Tokens& strong = dark ? darkContrastTokens() : lightContrastTokens();
  // The style sheet changes other colours of the palettes of single widgets.
  if (palette.color(QPalette::Link) == strong.accent) return strong;
  return dark ? darkTokens() : lightTokens();
}

QColor causeColour(const Tokens& t, const QString& cause) {
  const QString name = cause.toLower();
  const auto has = [&](const char* part) { return name.contains(QLatin1String(part)); };
  const auto hasAny = [&](std::initializer_list<const char*> parts) {
    return std::ranges::any_of(parts, has);
  };
  if (has("vector")) return t.compute.lighter(t.dark ? 75 : 130);
  if (has("matrix") || has("compute")) return t.compute;
  if (has("dram") || has("memory")) return t.memory;
  if (hasAny({"noc", "link", "network", "hop"})) return t.network;
  if (has("sync")) return t.sync;
  if (hasAny({"store", "drain", "write"})) return t.store;
  if (has("idle")) return t.idle;
  if (has("fill")) return t.load;
  if (hasAny({"load", "transfer", "port", "l1"})) return t.load;
  return t.overhead;
}

QColor lossColour(const Tokens& t, report::PeakLoss loss) {
  using report::PeakLoss;
  switch (loss) {
  case PeakLoss::UnitRate:
    return t.unitRate;
  case PeakLoss::Issue:
  case PeakLoss::UnitFill:
  case PeakLoss::Padding:
  case PeakLoss::ExtraWork:
  case PeakLoss::PartialSums:
    return t.issue;
  case PeakLoss::FillDram:
  case PeakLoss::WaitDram:
    return t.memory;
  case PeakLoss::FillLink:
  case PeakLoss::WaitLink:
    return t.network;
  case PeakLoss::WaitStore:
    return t.store;
  case PeakLoss::Launch:
  case PeakLoss::FillSync:
  case PeakLoss::WaitSync:
    return t.sync;
  case PeakLoss::UnevenCores:
  case PeakLoss::Drain:
  case PeakLoss::IdleCores:
    break;
  }
  return t.idle;
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/tokens.h"

#include <QString>

namespace gridloom::widgets {

namespace {

Tokens makeLight() {
  Tokens t;
  t.window = 0xf3f5f8;
  t.panel = 0xffffff;
  t.raised = 0xebeef2;
  t.border = 0xd9dee6;
  t.text = 0x1b2430;
  t.muted = 0x566273;
  t.faint = 0x7d8896;
  t.accent = 0x2563c9;
  t.selection = 0xd8e5fb;
  t.error = 0xc22f2b;
  t.warning = 0x9a6700;
  t.good = 0x24804f;
  t.cell = 0xe3e9f1;
  t.cellIdle = 0xf0f2f5;
  t.link = 0xcdd5df;
  t.compute = 0x2f8f83;
  t.load = 0xd9a441;
  t.network = 0xcf7a3c;
  t.memory = 0xc25450;
  t.sync = 0x8a63b8;
  t.store = 0x4a7fc4;
  t.overhead = 0x8793a3;
  t.idle = 0xc9d0d9;
  t.keyword = 0x7a3fb0;
  t.type = 0x1f7a86;
  t.number = 0xa1551a;
  t.string = 0x2b7a3c;
  t.comment = 0x7d8896;
  t.name = 0x2459b0;
  t.operands = {QColor(0x2b66c9), QColor(0xcf6a1c), QColor(0x2a8a58),
                QColor(0x8452bd), QColor(0x168c98), QColor(0xbb4680)};
  return t;
}

Tokens makeDark() {
  Tokens t;
  t.dark = true;
  t.window = 0x13161b;
  t.panel = 0x1a1e25;
  t.raised = 0x252b35;
  t.border = 0x2f3743;
  t.text = 0xe3e8ef;
  t.muted = 0xa3aebd;
  t.faint = 0x7a8696;
  t.accent = 0x6ba1f5;
  t.selection = 0x27426e;
  t.error = 0xff7b72;
  t.warning = 0xe3b04f;
  t.good = 0x63c893;
  t.cell = 0x2a323e;
  t.cellIdle = 0x1f242c;
  t.link = 0x3a4452;
  t.compute = 0x4fb8a8;
  t.load = 0xe0b45c;
  t.network = 0xe0925a;
  t.memory = 0xdf716c;
  t.sync = 0xab88d8;
  t.store = 0x6f9fe0;
  t.overhead = 0x8592a3;
  t.idle = 0x414b59;
  t.keyword = 0xc79bf2;
  t.type = 0x6cc7d0;
  t.number = 0xe5a36a;
  t.string = 0x8ccf97;
  t.comment = 0x7a8696;
  t.name = 0x86b4f7;
  t.operands = {QColor(0x6ea5f8), QColor(0xf0944d), QColor(0x62c492),
                QColor(0xb48be8), QColor(0x55c3cd), QColor(0xe67fb2)};
  return t;
}

}  // namespace

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

const Tokens& tokensFor(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < 128 ? darkTokens() : lightTokens();
}

QColor causeColour(const Tokens& t, const QString& cause) {
  const QString name = cause.toLower();
  const auto has = [&](const char* part) { return name.contains(QLatin1String(part)); };
  if (has("vector")) return t.compute.lighter(t.dark ? 75 : 130);
  if (has("matrix") || has("compute")) return t.compute;
  if (has("dram") || has("memory")) return t.memory;
  if (has("noc") || has("link") || has("network") || has("hop")) return t.network;
  if (has("sync")) return t.sync;
  if (has("store") || has("drain") || has("write")) return t.store;
  if (has("idle")) return t.idle;
  if (has("fill")) return t.load.lighter(t.dark ? 70 : 135);
  if (has("load") || has("transfer") || has("port") || has("l1")) return t.load;
  return t.overhead;
}

}  // namespace gridloom::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/quantity_text.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace gridloom::widgets {

namespace {

const QString kUnknown = QStringLiteral("–");

QString grouped(double value) {
  QString digits = QString::number(std::abs(value), 'f', 0);
  for (qsizetype at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, QLatin1Char(','));
  return value < 0 ? QStringLiteral("−") + digits : digits;
}

QString scaled(double value, double step, std::initializer_list<const char*> units) {
  auto unit = units.begin();
  while (std::abs(value) >= step && unit + 1 != units.end()) {
    value /= step;
    ++unit;
  }
  const int digits = std::abs(value) >= 100 || value == std::floor(value) ? 0
                     : std::abs(value) >= 10                              ? 1
                                                                          : 2;
  return QStringLiteral("%1 %2").arg(value, 0, 'f', digits).arg(QString::fromUtf8(*unit)).trimmed();
}

struct Cause {
  const char* name;
  const char* title;
  const char* meaning;
};

// Terms of cost::Estimate and states of simulate::Simulation.
constexpr Cause kCauses[] = {
    {"matrix", "Matrix unit", "Cycles in which the matrix unit works on tiles"},
    {"vector", "Vector unit", "Cycles in which the vector unit works on tiles"},
    {"dram", "DRAM", "Cycles in which work waits for the bandwidth of the DRAM channels"},
    {"read port", "Read ports",
     "Cycles in which work waits for the links from DRAM into the network"},
    {"write port", "Write ports",
     "Cycles in which work waits for the links from the network to DRAM"},
    {"l1", "Local memory port", "Cycles in which work waits for the port of a core's local memory"},
    {"transfer", "Transfer", "Set-up and latency of transfers that nothing hides"},
    {"dma channels", "DMA channels",
     "Cycles in which tiles wait for a DMA channel of their memory"},
    {"launch", "Launch", "Fixed cycles before the kernel starts"},
    {"fill", "Fill", "Cycles until the first tiles have arrived"},
    {"drain", "Drain", "Cycles from the last computation to the last byte written"},
    {"compute", "Computing", "The compute process works on a tile"},
    {"wait-load", "Waiting for a load",
     "An input tile is missing; its transfer is being set up or under way"},
    {"wait-link", "Waiting for links",
     "An input tile is missing; it waits for or crosses network links"},
    {"wait-dram", "Waiting for DRAM", "An input tile is missing; it waits in or at a DRAM channel"},
    {"wait-sync", "Waiting for a handshake",
     "An input tile is missing; its sender waits for receivers"},
    {"wait-store", "Waiting for a store",
     "No output buffer is free; an older tile is still being written"},
    {"idle", "Idle", "Before the launch, after the core's last work, or on a core without work"},
};

const Cause* causeNamed(const QString& name) {
  QString plain = name.toLower();
  plain.replace(QLatin1Char('_'), QLatin1Char('-'));
  if (plain.startsWith(QLatin1String("wait ")) || plain.startsWith(QLatin1String("wait"))) {
    QString rest = plain.mid(4);
    while (rest.startsWith(QLatin1Char('-')) || rest.startsWith(QLatin1Char(' ')))
      rest.remove(0, 1);
    plain = QStringLiteral("wait-") + rest;
  }
  for (const Cause& cause : kCauses) {
    if (plain == QLatin1String(cause.name)) return &cause;
  }
  return nullptr;
}

}  // namespace

QString text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString countText(double count) { return std::isfinite(count) ? grouped(count) : kUnknown; }

QString cyclesText(double cycles) {
  return std::isfinite(cycles) ? grouped(std::round(cycles)) : kUnknown;
}

QString lostText(const QString& number) {
  const bool isSeen = std::ranges::any_of(number, [](QChar c) { return c > u'0' && c <= u'9'; });
  return isSeen ? QStringLiteral("−") + number : QStringLiteral("≈ 0");
}

QString percentText(double share, int digits) {
  return std::isfinite(share) ? QStringLiteral("%1%").arg(share * 100.0, 0, 'f', digits) : kUnknown;
}

QString signedPercentText(double share) {
  if (!std::isfinite(share)) return kUnknown;
  const QString size = percentText(std::abs(share));
  if (size == percentText(0)) return size;
  return (share < 0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
}

QString bytesText(double bytes) {
  return std::isfinite(bytes) ? scaled(bytes, 1024.0, {"B", "KiB", "MiB", "GiB", "TiB"}) : kUnknown;
}

QString secondsText(double seconds) {
  if (!std::isfinite(seconds) || seconds <= 0) return kUnknown;
  return scaled(seconds * 1e9, 1000.0, {"ns", "µs", "ms", "s"});
}

QString rateText(double tflops) {
  if (!std::isfinite(tflops) || tflops <= 0) return kUnknown;
  if (tflops >= 1000) return grouped(tflops);
  return QString::number(tflops, 'f', tflops >= 100 ? 0 : tflops >= 10 ? 1 : 2);
}

QString shownText(std::string_view words) {
  if (words == "-") return kUnknown;
  static const QRegularExpression minus(QStringLiteral("(^| )-(?=[0-9 ])"));
  return text(words)
      .replace(QStringLiteral("->"), QStringLiteral("→"))
      .replace(minus, QStringLiteral("\\1−"));
}

QString resourceTitle(std::string_view resource) {
  QString title = text(resource);
  title.replace(QStringLiteral("dram "), QStringLiteral("DRAM "));
  return title.left(1).toUpper() + title.mid(1);
}

QString causeTitle(const QString& cause) {
  if (const Cause* known = causeNamed(cause)) return QString::fromUtf8(known->title);
  // The name of a network stays as the description has it.
  const bool isName = cause.contains(QLatin1Char('_'));
  return cause.isEmpty() || isName ? cause : cause.left(1).toUpper() + cause.mid(1);
}

QString causeMeaning(const QString& cause) {
  if (const Cause* known = causeNamed(cause)) return QString::fromUtf8(known->meaning);
  return QStringLiteral("Cycles in which work waits for %1").arg(cause);
}

}  // namespace gridloom::widgets

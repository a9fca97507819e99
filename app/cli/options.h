// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridloom::cli {

/// The options as typed. The table in option_table.cpp assigns options to verbs.
struct Options {
  std::string verb;
  std::string hardware;
  std::string kernel;
  std::string entry;             ///< a kernel of a file with several
  std::vector<std::string> set;  ///< "M=1024"
  std::string dtype;
  std::string mode;
  std::string directives;
  std::string mapping;
  std::string schedule;
  bool showSchedule = false;
  std::string pass;  ///< "ping-pong,merge=2"
  std::string nest;
  int top = 5;
  int threads = 0;
  int rerank = -1;  ///< -1: as many as take a moment
  bool simulate = false;
  bool full = false;
  int workLimit = -1;  ///< of a search; -1: the default
  std::string timeLimit;
  std::string margin;
  int eventLimit = 0;
  int memoryLimit = 0;  ///< MiB
  bool space = false;
  bool values = false;
  std::vector<std::string> in, out;  ///< "A=a.npy"
  bool noTiming = false;
  bool noColor = false;
  std::string json;
  std::string junit;
  std::string sarif;
  std::string html;
  std::string trace;
  std::string traceWindow;
  std::string at;  ///< a cycle
  std::string baseline;
  std::string tolerance;
  std::string format;
  std::string table;
  std::string output;
  std::string csv;
  std::string chart;
  std::vector<std::string> vary;  ///< "cols=4..16"
  int samples = 100;
  bool ablate = false;
  std::string issue = "paced";
  int limit = 256;
  /// files of compare and check, the name of show, the category of list
  std::vector<std::string> names;

  /// Whether `export` writes what follows from a mapping without a simulation.
  bool writesMappingAlone() const {
    return format == "mapping" || format == "sched" || format == "loop-nest" || format == "mlir" ||
           format == "hls" || writesSchedule();
  }
  bool writesSchedule() const {
    return format == "prog" || format == "air" || format == "cpp" || format == "programs" ||
           format == "tokens";
  }
  /// Whether `export` writes a ranking instead of one mapping.
  bool exportsRanking() const {
    return format == "json" || (format == "csv" && (table.empty() || table == "ranked"));
  }
  bool exportsExplanation() const {
    return format == "csv" && (table == "peak" || table == "changes");
  }
};

}  // namespace gridloom::cli

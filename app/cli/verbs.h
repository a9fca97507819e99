// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "terminal.h"

namespace gridloom::cli {

/// One function per verb of the option table.
Exit explore(const Options& options);
Exit simulate(const Options& options);
Exit explain(const Options& options);
Exit sweep(const Options& options);
Exit count(const Options& options);
Exit compare(const Options& options);
Exit exportResult(const Options& options);
Exit check(const Options& options);
Exit list(const Options& options);
Exit show(const Options& options);
Exit study(const Options& options);
Exit interpret(const Options& options);
Exit replay(const Options& options);
Exit importKernel(const Options& options);
Exit completion(const Options& options);
Exit lsp(const Options& options);

/// `export chart`, whose options are those of gridloom-render.
bool asksForChart(int argc, char** argv);
/// Becomes that program; returns where it cannot be started.
Exit drawChart(int argc, char** argv);
/// Whether it can draw into a file of this name; else it says so.
Exit checkChartFile(const std::string& file);
/// Draws a sweep, given as JSON.
Exit drawSweep(const std::string& file, const std::string& json);

}  // namespace gridloom::cli

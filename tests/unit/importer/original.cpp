// SPDX-License-Identifier: Apache-2.0
#include "original.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "importer/mlir_module.h"

namespace gridloom::test {

namespace {

constexpr const char* kOpt = "/usr/lib/llvm-19/bin/mlir-opt";
constexpr const char* kRunner = "/usr/lib/llvm-19/bin/mlir-cpu-runner";
constexpr const char* kLibraries =
    "/usr/lib/llvm-19/lib/libmlir_runner_utils.so,/usr/lib/llvm-19/lib/libmlir_c_runner_utils.so";
constexpr const char* kPasses =
    "--convert-elementwise-to-linalg --one-shot-bufferize='bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops=1' "
    "--scf-forall-to-for --linalg-generalize-named-ops "
    "--convert-linalg-to-loops --convert-vector-to-scf --lower-vector-multi-reduction "
    "--expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-scf-to-cf "
    "--arith-expand --convert-math-to-llvm --convert-math-to-libm --convert-arith-to-llvm "
    "--finalize-memref-to-llvm "
    "--convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts";

std::string memrefOf(const std::vector<std::int64_t>& shape, const std::string& element = "f32") {
  return fmt::format("memref<{}{}{}>", fmt::join(shape, "x"), shape.empty() ? "" : "x", element);
}

std::string typeOf(const Argument& argument) {
  if (argument.type == "memref") return memrefOf(argument.shape, argument.element);
  if (argument.type == "unranked") return fmt::format("memref<*x{}>", argument.element);
  if (argument.type == "tensor")
    return fmt::format("tensor<{}{}{}>", fmt::join(argument.shape, "x"),
                       argument.shape.empty() ? "" : "x", argument.element);
  return argument.type;
}

bool isInteger(const Argument& argument) { return argument.element[0] == 'i'; }

// Memory with the sample values of an argument.
std::string filled(const Argument& argument, std::size_t number) {
  const std::string& name = argument.name;
  std::string text = fmt::format("  %{0}_m = memref.alloc() : {1}\n", name,
                                 memrefOf(argument.shape, argument.element));
  std::string linear, index, open, close;
  for (std::size_t d = 0; d < argument.shape.size(); ++d) {
    text += fmt::format("  %{0}_n{1} = arith.constant {2} : index\n", name, d, argument.shape[d]);
    open += fmt::format("  scf.for %{0}_i{1} = %c0 to %{0}_n{1} step %c1 {{\n", name, d);
    index += fmt::format("{}%{}_i{}", d == 0 ? "" : ", ", name, d);
    linear += d == 0 ? fmt::format("    %{0}_l0 = arith.addi %{0}_i0, %c0 : index\n", name)
                     : fmt::format("    %{0}_p{1} = arith.muli %{0}_l{2}, %{0}_n{1} : index\n"
                                   "    %{0}_l{1} = arith.addi %{0}_p{1}, %{0}_i{1} : index\n",
                                   name, d, d - 1);
    close += "  }\n";
  }
  text += open + linear;
  text += fmt::format("    %{0}_s = arith.constant {1} : index\n"
                      "    %{0}_a = arith.muli %{0}_l{2}, %c7 : index\n"
                      "    %{0}_b = arith.addi %{0}_a, %{0}_s : index\n"
                      "    %{0}_w = arith.constant {3} : index\n"
                      "    %{0}_c = arith.remui %{0}_b, %{0}_w : index\n"
                      "    %{0}_d = arith.index_cast %{0}_c : index to {4}\n",
                      name, number * 5, argument.shape.size() - 1,
                      argument.below > 0 ? argument.below : 13,
                      isInteger(argument) ? argument.element : "i32");
  if (!isInteger(argument)) {
    text += fmt::format("    %{0}_e = arith.sitofp %{0}_d : i32 to f32\n"
                        "    %{0}_f = arith.subf %{0}_e, %six : f32\n"
                        "    %{0}_g = arith.mulf %{0}_f, %quarter : f32\n",
                        name);
  }
  text += fmt::format("    memref.store %{0}_{1}, %{0}_m[{2}] : {3}\n", name,
                      isInteger(argument) ? 'd' : 'g', index,
                      memrefOf(argument.shape, argument.element));
  text += close;
  if (argument.type == "memref") return text;
  if (argument.type == "unranked")
    return text + fmt::format("  %{0} = memref.cast %{0}_m : {1} to {2}\n", name,
                              memrefOf(argument.shape, argument.element), typeOf(argument));
  return text + fmt::format("  %{0} = bufferization.to_tensor %{0}_m restrict writable : {1}\n",
                            name, memrefOf(argument.shape, argument.element));
}

std::string mainOf(const Call& call) {
  const bool integers = call.resultElement != "f32";
  const std::string shown = integers ? "i64" : "f32", print = integers ? "I64" : "F32";
  std::string text = fmt::format(
      "func.func private @printMemref{}(memref<*x{}>) attributes {{llvm.emit_c_interface}}\n",
      print, shown);
  text += "func.func @main() {\n"
          "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
          "  %c7 = arith.constant 7 : index\n  %c13 = arith.constant 13 : index\n"
          "  %six = arith.constant 6.0 : f32\n  %quarter = arith.constant 0.25 : f32\n";
  std::vector<std::string> names, types;
  for (std::size_t n = 0; n < call.arguments.size(); ++n) {
    const Argument& argument = call.arguments[n];
    const bool memory = !argument.shape.empty();
    if (memory) {
      text += filled(argument, n);
    } else {
      const bool isFloat = argument.type[0] == 'f';
      text += fmt::format("  %{} = arith.constant {}{} : {}\n", argument.name, argument.value,
                          isFloat ? ".0" : "", argument.type);
    }
    names.push_back("%" + argument.name + (argument.type == "memref" ? "_m" : ""));
    types.push_back(typeOf(argument));
  }
  std::string close;
  if (!call.grid.empty()) {
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t programs = d < call.grid.size() ? call.grid[d] : 1;
      text += fmt::format("  %grid{0} = arith.constant {1} : index\n"
                          "  %grid{0}_i = arith.index_cast %grid{0} : index to i32\n",
                          d, programs);
      names.push_back(fmt::format("%grid{}_i", d));
    }
    for (std::size_t d = 0; d < 3; ++d) {
      text += fmt::format("  scf.for %pid{0}_n = %c0 to %grid{0} step %c1 {{\n"
                          "  %pid{0} = arith.index_cast %pid{0}_n : index to i32\n",
                          d);
      names.push_back(fmt::format("%pid{}", d));
      close += "  }\n";
    }
    types.insert(types.end(), 6, "i32");
  }
  const std::string result =
      call.result.empty() ? typeOf({"", "tensor", call.resultShape, 0, call.resultElement}) : "()";
  text +=
      fmt::format("  {}func.call @{}({}) : ({}) -> {}\n{}", call.result.empty() ? "%result = " : "",
                  call.function, fmt::join(names, ", "), fmt::join(types, ", "), result, close);
  const std::string memory = memrefOf(call.resultShape, call.resultElement);
  std::string printed = "%" + call.result + "_m";
  if (call.result.empty()) {
    text += fmt::format("  %result_m = bufferization.to_memref %result : {}\n", memory);
    printed = "%result_m";
  }
  // The runner prints integers of 64 bits.
  const std::string wide = memrefOf(call.resultShape, shown);
  if (integers && call.resultElement != shown) {
    text += fmt::format("  %wide = memref.alloc() : {0}\n"
                        "  linalg.map {{ arith.extsi }} ins({1} : {2}) outs(%wide : {0})\n",
                        wide, printed, memory);
    printed = "%wide";
  }
  return text + fmt::format("  %shown = memref.cast {} : {} to memref<*x{}>\n"
                            "  func.call @printMemref{}(%shown) : (memref<*x{}>) -> ()\n"
                            "  return\n}}\n",
                            printed, wide, shown, print, shown);
}

}  // namespace

double sampleValue(std::int64_t linear, std::size_t number) {
  return (static_cast<double>((linear * 7 + static_cast<std::int64_t>(number) * 5) % 13) - 6) / 4;
}

std::string caseText(const std::string& file) {
  std::ifstream in(std::string(GRIDLOOM_TEST_DATA_DIR "/unit/importer/cases/") + file);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

namespace {

// The runner has no functions for f16: all is f32, and nothing is rounded.
std::string inSingle(const std::string& text) {
  std::string single = std::regex_replace(text, std::regex("b?f16"), "f32");
  // Memory spaces, of which the runner has one.
  single = std::regex_replace(single, std::regex(R"((memref<[^()\n]*?), [12]>)"), "$1>");
  // The program that calls the function stands beside it.
  if (const auto module = single.find("\nmodule {"); module != std::string::npos) {
    single.erase(single.rfind('}'));
    single.erase(module, 9);
  }
  return std::regex_replace(single,
                            std::regex(R"(arith\.(?:truncf|extf) (%[\w#]+) : (\S+) to \S+)"),
                            "arith.minimumf $1, $1 : $2");
}

// Operations that no pass lowers, only the transform dialect does.
std::string transformOf(const std::string& text) {
  std::string steps;
  const auto match = [&](const char* op, const char* type) {
    const bool isThere = text.find(op) != std::string::npos;
    if (isThere)
      steps += fmt::format("    %{2} = transform.structured.match ops{{[\"{0}\"]}} in %m : "
                           "(!transform.any_op) -> {1}\n",
                           op, type, op + std::string_view(op).find('.') + 1);
    return isThere;
  };
  if (match("tensor.pack", "!transform.op<\"tensor.pack\">"))
    steps += "    transform.structured.lower_pack %pack : (!transform.op<\"tensor.pack\">) -> "
             "(!transform.op<\"tensor.pad\">, !transform.op<\"tensor.expand_shape\">, "
             "!transform.op<\"linalg.transpose\">)\n";
  if (match("tensor.unpack", "!transform.op<\"tensor.unpack\">"))
    steps +=
        "    transform.structured.lower_unpack %unpack : (!transform.op<\"tensor.unpack\">) -> "
        "(!transform.op<\"tensor.empty\">, !transform.op<\"linalg.transpose\">, "
        "!transform.op<\"tensor.collapse_shape\">, "
        "!transform.op<\"tensor.extract_slice\">)\n";
  if (match("linalg.softmax", "!transform.any_op"))
    steps += "    %s = transform.structured.decompose_interface %softmax : (!transform.any_op) -> "
             "!transform.any_op\n";
  if (text.find("tensor.concat") != std::string::npos)
    steps += "    %f = transform.structured.match ops{[\"func.func\"]} in %m : "
             "(!transform.any_op) -> !transform.any_op\n"
             "    transform.apply_patterns to %f {\n"
             "      transform.apply_patterns.tensor.decompose_concat\n"
             "    } : !transform.any_op\n";
  if (steps.empty()) return {};
  return "module attributes {transform.with_named_sequence} {\n"
         "  transform.named_sequence @__transform_main(%m: !transform.any_op "
         "{transform.readonly}) {\n" +
         steps + "    transform.yield\n  }\n}\n";
}

}  // namespace

std::optional<std::vector<double>> runOriginal(const Call& call) {
  namespace fs = std::filesystem;
  if (!fs::exists(kOpt) || !fs::exists(kRunner)) return std::nullopt;
  const fs::path file = fs::temp_directory_path() /
                        fmt::format("gridloom_{}_{}_{}", getpid(), call.function, call.file);
  const std::string text =
      importer::olderSpelling(call.text.empty() ? caseText(call.file) : call.text);
  std::ofstream(file) << inSingle(text) << mainOf(call);
  const std::string transform = transformOf(text), library = file.string() + ".transform";
  std::string before;
  if (!transform.empty()) {
    std::ofstream(library) << transform;
    before = fmt::format("--transform-preload-library='transform-library-paths={}' "
                         "--transform-interpreter ",
                         library);
  }
  const std::string command =
      fmt::format("{} {}{} '{}' | {} -e main -entry-point-result=void -shared-libs={} 2>&1", kOpt,
                  before, kPasses, file.string(), kRunner, kLibraries);
  std::string output;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    char block[4096];
    for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, pipe)) > 0;)
      output.append(block, n);
    pclose(pipe);
  }
  fs::remove(file);
  fs::remove(library);
  std::vector<double> values;
  const auto data = output.find("data =");
  if (data == std::string::npos) {
    std::fprintf(stderr, "%s\n", output.c_str());
    return values;
  }
  std::string numbers = output.substr(data + 6);
  for (char& c : numbers)
    if (c == '[' || c == ']' || c == ',') c = ' ';
  std::istringstream in(numbers);
  for (double value = 0; in >> value;) values.push_back(value);
  return values;
}

}  // namespace gridloom::test

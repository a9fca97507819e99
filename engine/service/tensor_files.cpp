// SPDX-License-Identifier: Apache-2.0
#include "service/tensor_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_file.h"
#include "exchange/npy.h"
#include "kernel/rounding.h"
#include "syntax/spelling.h"

namespace gridloom::service {

namespace {

constexpr std::uint64_t kSampleSeed = 1;
/// Larger than the largest values that are computed, with 8 bytes each.
constexpr std::int64_t kMostMebibytes = 64;

const kernel::Tensor* tensorNamed(const Kernel& kernel, const std::string& name,
                                  kernel::TensorRole role) {
  const auto& tensors = kernel.kernel.asWritten().tensors;  // a form may store locals
  const auto found = std::ranges::find_if(
      tensors, [&](const kernel::Tensor& t) { return t.name == name && t.role == role; });
  return found == tensors.end() ? nullptr : &*found;
}

base::Diagnostic unknownTensor(const Kernel& kernel, const std::string& name,
                               kernel::TensorRole role, const std::string& option) {
  std::vector<std::string_view> known;
  for (const kernel::Tensor& tensor : kernel.kernel.asWritten().tensors) {
    if (tensor.role == role) known.push_back(tensor.name);
  }
  return base::plainError(fmt::format("{}: kernel `{}` has no {} `{}`", option, kernel.kernel.name,
                                      role == kernel::TensorRole::Output ? "output" : "input",
                                      name),
                          syntax::spellingHint(name, known));
}

}  // namespace

base::Result<std::vector<TensorFile>> tensorFilesOf(const Kernel& kernel,
                                                    std::span<const std::string> texts,
                                                    bool outputs, const std::string& option) {
  const kernel::TensorRole role = outputs ? kernel::TensorRole::Output : kernel::TensorRole::Input;
  std::vector<TensorFile> files;
  base::Diagnostics errors;
  for (const std::string& text : texts) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0 || equal + 1 == text.size()) {
      errors.push_back(
          base::plainError(fmt::format("{} {}: expected a tensor and a file", option, text),
                           fmt::format("write {} A=a.npy", option)));
      continue;
    }
    TensorFile file{text.substr(0, equal), text.substr(equal + 1)};
    if (tensorNamed(kernel, file.first, role) == nullptr) {
      errors.push_back(unknownTensor(kernel, file.first, role, option));
    } else if (std::ranges::find(files, file.first, &TensorFile::first) != files.end()) {
      errors.push_back(base::plainError(fmt::format("{}: `{}` has two files", option, file.first),
                                        "name one of them"));
    } else {
      files.push_back(std::move(file));
    }
  }
  if (!errors.empty()) return errors;
  return files;
}

base::Result<kernel::TensorValues> inputsFrom(const Kernel& kernel,
                                              std::span<const TensorFile> files) {
  if (auto errors = checkValuesPossible(kernel); !errors.empty()) return errors;
  kernel::TensorValues inputs = kernel::sampleInputs(kernel.kernel, kSampleSeed);
  base::Diagnostics errors;
  for (const auto& [name, path] : files) {
    auto bytes = base::loadBytes(path, kMostMebibytes);
    auto value = bytes ? exchange::readNpy(*bytes, inputs.at(name).shape, path)
                       : base::Result<kernel::TensorValue>(bytes.takeDiagnostics());
    if (value) {
      inputs[name] = *std::move(value);
    } else {
      for (base::Diagnostic& error : value.takeDiagnostics()) errors.push_back(std::move(error));
    }
  }
  if (!errors.empty()) return errors;
  kernel::roundToTypes(kernel.kernel, inputs);
  return inputs;
}

base::Result<kernel::TensorValues> interpretKernel(const Kernel& kernel,
                                                   const kernel::TensorValues& inputs) {
  if (auto errors = checkValuesPossible(kernel); !errors.empty()) return errors;
  auto values = kernel::interpret(kernel.kernel, inputs);
  if (!values) return values.takeDiagnostics();
  for (const kernel::Tensor& tensor : kernel.kernel.asWritten().tensors) {
    if (tensor.role == kernel::TensorRole::Local) values->erase(tensor.name);
  }
  kernel::roundToTypes(kernel.kernel, *values);
  return values;
}

std::string npyOf(const Kernel& kernel, const kernel::TensorValues& outputs,
                  const std::string& tensor) {
  const kernel::Tensor* declared = tensorNamed(kernel, tensor, kernel::TensorRole::Output);
  return exchange::npyOf(outputs.at(tensor), declared->dtype);
}

}  // namespace gridloom::service

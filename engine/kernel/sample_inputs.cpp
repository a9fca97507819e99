// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernel/interpreter.h"

namespace gridloom::kernel {

namespace {

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every platform, unlike <random>'s
// distributions.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

double sampleAt(std::uint64_t stream, std::uint64_t index) {
  return static_cast<double>(mix(stream + index) >> 11) * 0x1.0p-52 - 1;
}

std::uint64_t streamOf(std::uint64_t seed, const std::string& name) {
  std::uint64_t stream = mix(seed);
  for (const char c : name) stream = mix(stream ^ static_cast<unsigned char>(c));
  return stream;
}

bool isDiagonal(const Access& access) {
  const std::size_t rank = access.indices.size();
  return rank >= 2 && access.indices[rank - 1] == access.indices[rank - 2];
}

class FormFinder {
 public:
  explicit FormFinder(const Kernel& kernel) : m_found(kernel.tensors.size()) {
    for (const Statement& statement : kernel.statements) {
      const auto root = static_cast<std::int32_t>(statement.expr.size()) - 1;
      visit(statement, root, false, false);
    }
  }
  std::vector<SampleForm> take() { return std::move(m_found); }

 private:
  void visit(const Statement& statement, std::int32_t n, bool divides, bool rooted) {
    if (n < 0) return;
    const ExprNode& node = statement.expr[static_cast<std::size_t>(n)];
    if (node.op == ExprOp::Read) {
      note(statement.reads[static_cast<std::size_t>(node.read)], divides, rooted);
      return;
    }
    const bool root = node.op == ExprOp::Sqrt || node.op == ExprOp::Rsqrt ||
                      node.op == ExprOp::Log || node.op == ExprOp::Pow;
    const bool quotient =
        node.op == ExprOp::Div || node.op == ExprOp::FloorDiv || node.op == ExprOp::Mod;
    visit(statement, node.lhs, divides, rooted || root);
    visit(statement, node.rhs, divides || quotient, rooted);
    visit(statement, node.other, divides, rooted);
  }

  void note(const Access& access, bool divides, bool rooted) {
    SampleForm& found = m_found[access.tensor.index()];
    if (!divides && !rooted) return;
    if (isDiagonal(access)) {
      found.diagonal = true;
      found.symmetric = found.symmetric || rooted;
    } else {
      found.positive = true;
    }
  }

  std::vector<SampleForm> m_found;
};

void addToDiagonal(TensorValue& value) {
  const std::int64_t columns = value.shape.back();
  const std::int64_t rows = value.shape[value.shape.size() - 2];
  for (std::int64_t e = 0; e < std::ssize(value.data); ++e) {
    if (e / columns % rows == e % columns) {
      value.data[static_cast<std::size_t>(e)] += static_cast<double>(columns);
    }
  }
}

void mirror(TensorValue& value) {
  const std::int64_t n = value.shape.back();
  if (value.shape[value.shape.size() - 2] != n) return;
  for (std::int64_t e = 0; e < std::ssize(value.data); ++e) {
    const std::int64_t row = e / n % n;
    const std::int64_t column = e % n;
    if (row < column) {
      value.data[static_cast<std::size_t>(e + (column - row) * n - (column - row))] =
          value.data[static_cast<std::size_t>(e)];
    }
  }
}

TensorValue sampleTensor(const Tensor& tensor, const SampleForm& form, std::uint64_t seed) {
  TensorValue value{tensor.shape,
                    std::vector<double>(static_cast<std::size_t>(elementCount(tensor)))};
  const std::uint64_t stream = streamOf(seed, tensor.name);
  for (std::size_t e = 0; e < value.data.size(); ++e) {
    const double sample = sampleAt(stream, e);
    value.data[e] = form.positive ? 0.5 + std::abs(sample) / 2 : sample;
  }
  if (form.symmetric) mirror(value);
  if (form.diagonal) addToDiagonal(value);
  return value;
}

void makeIndices(TensorValue& value, std::int64_t range) {
  const auto last = static_cast<double>(range - 1);
  for (double& v : value.data) {
    v = std::min(last, std::floor((v + 1) / 2 * static_cast<double>(range)));
  }
}

}  // namespace

std::vector<SampleForm> sampleForms(const Kernel& kernel) {
  std::vector<SampleForm> forms = FormFinder(kernel).take();
  for (const Statement& statement : kernel.statements) {
    for (const Access& read : statement.reads) {
      for (const IndexRead& gather : read.gathers) {
        std::int64_t& indices = forms[gather.access.tensor.index()].indices;
        const std::int64_t size = kernel.tensor(read.tensor).shape[gather.dim];
        indices = indices == 0 ? size : std::min(indices, size);
      }
    }
  }
  return forms;
}

TensorValues sampleInputs(const Kernel& kernel, std::uint64_t seed) {
  const std::vector<SampleForm> forms = sampleForms(kernel);
  TensorValues values;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    if (kernel.tensors[t].role == TensorRole::Input) {
      TensorValue& value = values[kernel.tensors[t].name];
      value = sampleTensor(kernel.tensors[t], forms[t], seed);
      if (forms[t].indices > 0) makeIndices(value, forms[t].indices);
    }
  }
  return values;
}

}  // namespace gridloom::kernel

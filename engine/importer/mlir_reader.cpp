// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "importer/forms.h"

namespace gridloom::importer {

namespace {

constexpr std::size_t kGridArguments = 6;

// triton-shared appends the numbers of programs and the program's place, three each, as i32.
bool endsInGrid(mlir::func::FuncOp function) {
  const auto types = function.getArgumentTypes();
  return types.size() > kGridArguments &&
         std::all_of(types.end() - kGridArguments, types.end(),
                     [](mlir::Type type) { return type.isInteger(32); });
}

std::string cleaned(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  static const std::set<std::string> words{"sum", "max",    "min", "exp",   "where", "and",
                                           "in",  "tensor", "inf", "local", "input", "output",
                                           "let", "kernel", "log", "abs",   "prod",  "select"};
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "arg" + name;
  return words.contains(name) ? name + "_" : name;
}

}  // namespace

bool isAddressed(mlir::Value memory) {
  for (mlir::Operation* user : memory.getUsers()) {
    if (llvm::isa<mlir::memref::ReinterpretCastOp>(user)) return true;
    if (llvm::isa<mlir::memref::CastOp>(user) && isAddressed(user->getResult(0))) return true;
  }
  return false;
}

std::string argumentName(const ArgumentNames& names, mlir::BlockArgument argument,
                         std::size_t number) {
  const auto at = names.find(argument.getAsOpaquePointer());
  return cleaned(at == names.end() ? fmt::format("arg{}", number) : at->second);
}

Program Reader::read() {
  m_program.name = cleaned(m_function.getName().str());
  m_program.place = placeOf(m_function);
  readArguments();
  readBlock(m_function.getBody().front());
  m_hasRead = true;
  if (m_flow) finishFlow();
  finish();
  mergeLoops(m_program);
  clipLoops(m_program);
  widenTargets();
  giveShapes(m_program);
  if (!m_flow) keepTheRest(m_program);
  nameBuffers();
  return std::move(m_program);
}

std::optional<std::int64_t> Reader::given(const std::string& name) const {
  const auto at = m_settings.find(name);
  if (at == m_settings.end()) return std::nullopt;
  m_taken.insert(name);
  return at->second;
}

std::int64_t Reader::setting(const std::string& name) const {
  if (const auto value = given(name)) return *value;
  refuseMissing(name);
}

void Reader::readArguments() {
  const auto arguments = m_function.getArguments();
  const bool grid = endsInGrid(m_function);
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const std::size_t left = arguments.size() - n;
    if (!grid || left > kGridArguments) {
      readArgument(arguments[n], argumentName(m_names, arguments[n], n));
      continue;
    }
    const char axis = "zyx"[(left - 1) % 3];
    const std::string name = fmt::format("grid_{}", axis);
    if (arguments[n].use_empty()) {
      static_cast<void>(given(name));
      continue;
    }
    m_at = m_function;
    const std::int64_t programs = setting(name);
    if (left > 3) {
      set(arguments[n], Integer(Linear::of(programs)));
    } else {
      m_scope.push_back(m_program.loops.add(programs));
      set(arguments[n], Integer(Linear::loop(m_scope.back())));
    }
  }
}

void Reader::readArgument(mlir::BlockArgument argument, const std::string& name) {
  const mlir::Type type = argument.getType();
  if (type.isIntOrIndex()) {
    if (const auto value = given(name)) set(argument, Integer(Linear::of(*value)));
    return;
  }
  if (type.isIntOrFloat()) {
    if (const auto value = given(name)) {
      set(argument, number(static_cast<double>(*value)));
    } else {
      const int scalar = static_cast<int>(m_program.buffers.size());
      m_program.buffers.push_back({name, dtypeOf(type), {1}, false, true});
      set(argument, load(scalar, {Linear::of(0)}));
    }
    return;
  }
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  if (!shaped) return;
  auto memory = std::make_shared<Memory>();
  memory->isArgument = true;
  memory->isWritten = !m_flow || m_flow->written.contains(argument.getAsOpaquePointer());
  memory->dtype = dtypeOf(shaped.getElementType());
  memory->isFlat = !shaped.hasRank() || isAddressed(argument);
  Buffer buffer{name, memory->dtype, {}, memory->isFlat, true};
  buffer.place = placeOf(argument.getLoc());
  if (shaped.hasRank() && !(memory->isFlat && !shaped.hasStaticShape())) {
    for (std::int64_t d = 0; d < shaped.getRank(); ++d) {
      m_at = m_function;
      memory->shape.push_back(shaped.isDynamicDim(static_cast<unsigned>(d))
                                  ? setting(fmt::format("{}_{}", name, d))
                                  : shaped.getDimSize(static_cast<unsigned>(d)));
    }
    buffer.shape = memory->shape;
    if (buffer.shape.empty()) buffer.shape = {1};  // a scalar in memory
  }
  if (memory->isFlat) buffer.outer = given(name + "_0");
  memory->before = static_cast<int>(m_program.buffers.size());
  m_program.buffers.push_back(std::move(buffer));
  m_arguments.push_back(memory);
  if (llvm::isa<mlir::TensorType>(type)) {
    set(argument, contents(wholeView(memory)));
  } else {
    set(argument, wholeView(memory));
  }
}

void Reader::readBlock(mlir::Block& block) {
  for (mlir::Operation& op : block) readOp(op);
}

void Reader::readOp(mlir::Operation& op) {
  mlir::Operation* const outer = m_at;
  m_at = &op;
  try {
    readKnownOp(op);
  } catch (Refusal& refusal) {  // of what knows no places
    if (refusal.line > 0) throw;
    const Place place = placeOf(m_at);
    refusal.line = place.line;
    refusal.column = place.column;
    throw;
  }
  m_at = outer;
}

void Reader::readKnownOp(mlir::Operation& op) {
  refuseEdgeTiles(op);
  if (op.getName().getStringRef() == "func.return") {
    readReturn(op);
  } else if (op.getName().getStringRef() != "cf.assert" && !readInteger(op) &&
             !readElementwise(op) && !readTensor(op) && !readSlice(op) && !readVector(op) &&
             !readLinalg(op) && !readMemory(op) && !readLoop(op) && !readAir(op) &&
             !readTmTensor(op)) {
    refuse(&op, fmt::format("`{}` is not imported", op.getName().getStringRef().str()),
           "known are func, affine, scf, linalg, tensor, vector, memref, bufferization, arith and "
           "math");
  }
}

// Tensors and numbers that are returned, and memory that the function allocated.
void Reader::readReturn(mlir::Operation& op) {
  for (const mlir::Value operand : op.getOperands()) {
    const mlir::Type type = operand.getType();
    if (llvm::isa<mlir::MemRefType>(type) && view(operand).memory->isArgument) continue;
    const bool isShaped = llvm::isa<mlir::TensorType, mlir::MemRefType>(type);
    if (type.isIntOrIndex())
      refuse(&op, "an integer is returned, and a kernel's results are tensors of data",
             "leave it out, or store it in a memref argument");
    if (!isShaped && !llvm::isa<mlir::FloatType>(type)) continue;
    const Tile result = tile(operand);
    Buffer buffer{m_results == 0 ? "out" : fmt::format("out{}", m_results), {}, {}, false, true};
    ++m_results;
    buffer.dtype = dtypeOf(mlir::getElementTypeOrSelf(type));
    for (const Loop var : result.vars) buffer.shape.push_back(m_program.loops.extent(var));
    if (buffer.shape.empty()) buffer.shape = {1};
    const int target = static_cast<int>(m_program.buffers.size());
    m_program.buffers.push_back(std::move(buffer));
    std::vector<Linear> index = formsOf(result.vars);
    if (index.empty()) index = {Linear::loop(m_program.loops.add(1))};
    mlir::Operation* const of = operand.getDefiningOp();
    addStatement({target, std::move(index), result.body, {}}, of != nullptr ? of : m_at);
  }
}

// Statements that a later one replaced go.
void Reader::finish() {
  for (const MemoryRef& memory : m_arguments) {
    if (memory->content && memory->after < 0) {
      const Tile content = *memory->content;
      memory->content.reset();
      const int target = bufferFor(memory);
      addStatement({target, formsOf(content.vars), content.body, {}},
                   memory->stored != nullptr ? memory->stored : m_function);
    }
  }
  const auto refuseReplaced = [&] {
    refuse(m_function, "a value that is read in a loop is used behind the store that replaces it",
           "load it again behind the store, or write to a tensor of its own");
  };
  for (std::size_t s = 0; s < m_program.statements.size(); ++s) {
    forLoads(*m_program.statements[s].value, [&](const Expr& load) {
      const auto stale = m_stale.find(load.buffer);
      if (stale != m_stale.end() && s >= stale->second) refuseReplaced();
    });
  }
  std::erase_if(m_program.statements, [](const Statement& s) { return s.target < 0; });
  // A value is defined in front of the statements that continue it.
  for (auto s = m_program.statements.begin(); s != m_program.statements.end(); ++s) {
    if (!s->isStart) continue;
    const auto first = std::find_if(m_program.statements.begin(), s,
                                    [&](const Statement& t) { return t.target == s->target; });
    std::rotate(first, s, s + 1);
  }
  // Stand-ins of loops and operations, which are all replaced by now.
  for (const Statement& statement : m_program.statements) {
    forLoads(*statement.value, [&](const Expr& load) {
      if (m_replaced.contains(load.buffer)) refuseReplaced();
      if (load.buffer < 0)
        refuse(m_function, "a value that a loop carries is used in a way that is not imported",
               "write the recurrence in a .rec file");
    });
  }
  const bool anyOutput = std::ranges::any_of(m_program.statements, [&](const Statement& s) {
    return m_program.buffers[static_cast<std::size_t>(s.target)].isArgument;
  });
  if (!anyOutput)
    refuse(m_function, "the function returns nothing and writes no memory of its caller",
           "return a tensor, a number or memory, or write to a memref argument");
}

// Elements of a part of an argument are those of the whole within bounds.
void Reader::widenTargets() {
  for (Statement& statement : m_program.statements) {
    const Buffer& buffer = m_program.buffers[static_cast<std::size_t>(statement.target)];
    if (!buffer.isArgument || buffer.flat) continue;
    for (std::size_t d = 0; d < statement.index.size(); ++d) {
      const Linear form = statement.index[d];
      if (form.terms.size() != 1 || form.terms.begin()->second != 1) continue;
      const Loop part = form.terms.begin()->first;
      const std::int64_t end = form.constant + m_program.loops.extent(part);
      if (form.constant == 0 && end == buffer.shape[d]) continue;
      const Loop whole = m_program.loops.add(buffer.shape[d]);
      const Linear at = Linear::loop(whole) - Linear::of(form.constant);
      changeForms(statement, [&](const Linear& f) {
        Linear changed = f;
        changed.terms.erase(part);
        return changed + at * f.coefficient(part);
      });
      if (form.constant > 0) statement.where.push_back(at);
      if (end < buffer.shape[d])
        statement.where.push_back(Linear::of(end - 1) - Linear::loop(whole));
    }
  }
}

// What an argument held before and what it holds then have names of their own.
void Reader::nameBuffers() {
  std::set<int> read;
  for (const Statement& statement : m_program.statements)
    forLoads(*statement.value, [&](const Expr& load) { read.insert(load.buffer); });
  for (const MemoryRef& memory : m_arguments) {
    if (memory->after >= 0 && read.contains(memory->before))
      m_program.buffers[static_cast<std::size_t>(memory->before)].name += "_in";
  }
  std::map<std::string, int> uses;
  for (std::size_t b = 0; b < m_program.buffers.size(); ++b) {
    Buffer& buffer = m_program.buffers[b];
    if (m_replaced.contains(static_cast<int>(b))) continue;
    const bool isOld = std::ranges::any_of(m_arguments, [&](const MemoryRef& m) {
      return m->after >= 0 && !read.contains(m->before) &&
             &m_program.buffers[static_cast<std::size_t>(m->before)] == &buffer;
    });
    if (!isOld && uses[buffer.name]++ > 0) buffer.name += fmt::format("_{}", uses[buffer.name]);
  }
}

}  // namespace gridloom::importer

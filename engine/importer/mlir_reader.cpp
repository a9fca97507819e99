// SPDX-License-Identifier: Apache-2.0
#include "importer/mlir_reader.h"

#include <fmt/format.h>

#include <algorithm>

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

// A block's type may stand for the whole tensor's, as in TileLoom's programs.
bool isAddressed(mlir::Value memory) {
  for (mlir::Operation* user : memory.getUsers()) {
    if (llvm::isa<mlir::memref::ReinterpretCastOp>(user)) return true;
    if (llvm::isa<mlir::memref::CastOp>(user) && isAddressed(user->getResult(0))) return true;
  }
  return false;
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

Program Reader::read() {
  m_program.name = cleaned(m_function.getName().str());
  readArguments();
  readBlock(m_function.getBody().front());
  finish();
  mergeLoops(m_program);
  clipLoops(m_program);
  keepTheRest();
  nameBuffers();
  giveShapes(m_program);
  return std::move(m_program);
}

std::string Reader::nameOf(mlir::BlockArgument argument, std::size_t number) const {
  const auto at = m_names.find(argument.getAsOpaquePointer());
  return cleaned(at == m_names.end() ? fmt::format("arg{}", number) : at->second);
}

std::optional<std::int64_t> Reader::given(const std::string& name) const {
  const auto at = m_settings.find(name);
  if (at == m_settings.end()) return std::nullopt;
  m_taken.insert(name);
  return at->second;
}

std::int64_t Reader::setting(const std::string& name) const {
  if (const auto value = given(name)) return *value;
  refuse(m_at, fmt::format("`{}` has no value", name),
         fmt::format("give it one: `--set {}=128`", name));
}

void Reader::readArguments() {
  const auto arguments = m_function.getArguments();
  const bool grid = endsInGrid(m_function);
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const std::size_t left = arguments.size() - n;
    if (!grid || left > kGridArguments) {
      readArgument(arguments[n], nameOf(arguments[n], n));
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
    if (const auto value = given(name)) set(argument, number(static_cast<double>(*value)));
    return;
  }
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  if (!shaped) return;
  auto memory = std::make_shared<Memory>();
  memory->isArgument = true;
  memory->dtype = dtypeOf(shaped.getElementType());
  memory->isFlat = !shaped.hasRank() || isAddressed(argument);
  Buffer buffer{name, memory->dtype, {}, memory->isFlat, true};
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
  if (op.getName().getStringRef() == "func.return") {
    readReturn(op);
  } else if (!readInteger(op) && !readElementwise(op) && !readTensor(op) && !readLinalg(op) &&
             !readMemory(op) && !readLoop(op)) {
    refuse(&op, fmt::format("`{}` is not imported", op.getName().getStringRef().str()),
           "known are func, affine, scf, linalg, tensor, memref, bufferization, arith and math");
  }
  m_at = outer;
}

void Reader::readReturn(mlir::Operation& op) {
  for (const mlir::Value operand : op.getOperands()) {
    if (!llvm::isa<mlir::ShapedType>(operand.getType())) continue;
    if (!llvm::isa<mlir::TensorType>(operand.getType())) continue;
    const Tile result = tile(operand);
    const auto type = llvm::cast<mlir::ShapedType>(operand.getType());
    Buffer buffer{m_results == 0 ? "out" : fmt::format("out{}", m_results), {}, {}, false, true};
    ++m_results;
    buffer.dtype = dtypeOf(type.getElementType());
    for (const Loop var : result.vars) buffer.shape.push_back(m_program.loops.extent(var));
    if (buffer.shape.empty()) buffer.shape = {1};
    const int target = static_cast<int>(m_program.buffers.size());
    m_program.buffers.push_back(std::move(buffer));
    std::vector<Linear> index = formsOf(result.vars);
    if (index.empty()) index = {Linear::loop(m_program.loops.add(1))};
    m_program.statements.push_back({target, std::move(index), result.body, {}});
  }
}

// Statements that a later one replaced go.
void Reader::finish() {
  for (const MemoryRef& memory : m_arguments) {
    if (memory->content && memory->after < 0) {
      const Tile content = *memory->content;
      memory->content.reset();
      const int target = bufferFor(memory);
      m_program.statements.push_back({target, formsOf(content.vars), content.body, {}});
    }
  }
  std::erase_if(m_program.statements, [](const Statement& s) { return s.target < 0; });
  if (m_program.statements.empty())
    refuse(m_function, "the function writes no memory and returns no tensor",
           "return a tensor, or write to a memref argument");
}

// Elements that no statement writes keep what was there.
void Reader::keepTheRest() {
  std::vector<Statement> rest;
  for (const Statement& statement : m_program.statements) {
    const auto memory = std::ranges::find_if(
        m_arguments, [&](const MemoryRef& m) { return m->after == statement.target; });
    if (statement.where.empty() || memory == m_arguments.end()) continue;
    std::vector<Linear> where;
    for (const Linear& form : statement.where) {
      Statement kept{statement.target, statement.index, load((*memory)->before, statement.index),
                     where};
      kept.where.push_back(form * -1 - Linear::of(1));
      rest.push_back(std::move(kept));
      where.push_back(form);
    }
  }
  std::ranges::move(rest, std::back_inserter(m_program.statements));
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
  for (Buffer& buffer : m_program.buffers) {
    const bool isOld = std::ranges::any_of(m_arguments, [&](const MemoryRef& m) {
      return m->after >= 0 && !read.contains(m->before) &&
             &m_program.buffers[static_cast<std::size_t>(m->before)] == &buffer;
    });
    if (!isOld && uses[buffer.name]++ > 0) buffer.name += fmt::format("_{}", uses[buffer.name]);
  }
}

const Value& Reader::get(mlir::Value value) const {
  const auto at = m_values.find(value.getAsOpaquePointer());
  if (at != m_values.end()) return at->second;
  if (const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    const std::string name = nameOf(argument, argument.getArgNumber());
    refuse(m_at, fmt::format("`{}` has no value", name),
           fmt::format("give it one: `--set {}=128`", name));
  }
  refuse(m_at, "it uses a value that was not imported");
}

Integer Reader::integer(mlir::Value value) const {
  const Value& known = get(value);
  if (const auto* form = std::get_if<Integer>(&known)) return *form;
  if (const auto* expr = std::get_if<ExprRef>(&known); expr != nullptr && isNumber(*expr))
    return Linear::of(static_cast<std::int64_t>((*expr)->number));
  refuse(m_at, "an index or a size follows from data, and not from loops and arguments",
         "the language reads tensors at affine indices");
}

Linear Reader::exact(mlir::Value value) const {
  const Integer known = integer(value);
  if (!known.isExact())
    refuse(m_at, "an index is the least or the greatest of several, and not affine",
           "choose sizes that the blocks divide");
  return known.forms.front();
}

std::int64_t Reader::constant(mlir::Value value) const {
  const Linear form = m_program.loops.normal(exact(value));
  if (!form.isConstant())
    refuse(m_at, "a size depends on a loop", "tiles have one size; choose sizes that they divide");
  return form.constant;
}

ExprRef Reader::scalar(mlir::Value value) const {
  const Value& known = get(value);
  if (const auto* expr = std::get_if<ExprRef>(&known)) return *expr;
  if (const auto* form = std::get_if<Integer>(&known); form != nullptr && form->isExact())
    return indexValue(form->forms.front());
  refuse(m_at, "a number is wanted here that was not imported");
}

Tile Reader::tile(mlir::Value value) {
  const Value& known = get(value);
  const auto* elements = std::get_if<Tile>(&known);
  if (elements != nullptr && elements->body) return *elements;
  if (const auto* memory = std::get_if<View>(&known)) return contents(*memory);
  if (elements != nullptr)
    refuse(m_at, "it reads a tensor before anything was written to it",
           "fill it first (`linalg.fill`)");
  return {{}, scalar(value)};
}

View Reader::view(mlir::Value value) const {
  if (const auto* memory = std::get_if<View>(&get(value))) return *memory;
  refuse(m_at, "it uses memory that was not imported");
}

ExprRef Reader::applied(const Tile& tile, const std::vector<Linear>& index) const {
  std::map<Loop, Linear> by;
  for (std::size_t d = 0; d < tile.vars.size(); ++d) by[tile.vars[d]] = index[d];
  return substitute(tile.body, by);
}

Tile Reader::stored(const Tile& tile, const std::string& dtype) {
  std::set<Loop> free;
  for (const Loop loop : freeLoops(*tile.body)) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms)
      free.insert(part);
  }
  std::vector<Loop> loops;
  for (const Loop loop : m_scope) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms) {
      if (free.contains(part)) loops.push_back(part);
    }
  }
  loops.insert(loops.end(), tile.vars.begin(), tile.vars.end());
  Buffer buffer{fmt::format("t{}", m_locals++), dtype, {}, false, false};
  for (const Loop loop : loops) buffer.shape.push_back(m_program.loops.extent(loop));
  if (loops.empty()) {
    loops.push_back(m_program.loops.add(1));
    buffer.shape = {1};
  }
  const int target = static_cast<int>(m_program.buffers.size());
  m_program.buffers.push_back(std::move(buffer));
  m_program.statements.push_back({target, formsOf(loops), tile.body, m_where});
  std::vector<Linear> index = formsOf(loops);
  if (tile.vars.empty() && loops.size() == 1 && m_program.loops.extent(loops[0]) == 1)
    index = {Linear::of(0)};
  // Fresh loops: those of the statement are its own.
  std::map<Loop, Linear> by;
  Tile result;
  for (const Loop var : tile.vars) {
    result.vars.push_back(m_program.loops.add(m_program.loops.extent(var)));
    by[var] = Linear::loop(result.vars.back());
  }
  result.body = substitute(load(target, std::move(index)), by);
  return result;
}

// What several read is computed once, and so is a reduction that another one reads, or that every
// element of a tensor of more dimensions reads.
void Reader::keepIfShared(mlir::Value value, bool inReduction, std::size_t dims) {
  const auto at = m_values.find(value.getAsOpaquePointer());
  if (at == m_values.end()) return;
  auto* elements = std::get_if<Tile>(&at->second);
  if (elements == nullptr || !elements->body) return;
  if (isPlain(*elements->body)) return;
  const bool nested =
      hasReduction(*elements->body) && (inReduction || elements->vars.size() < dims);
  if (!nested && value.hasOneUse()) return;
  const mlir::Type type = value.getType();
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  *elements = stored(*elements, dtypeOf(shaped ? shaped.getElementType() : type));
}

std::string Reader::dtypeOf(mlir::Type type) {
  if (type.isF64()) return "f64";
  if (type.isF32()) return "f32";
  if (type.isF16()) return "f16";
  if (type.isBF16()) return "bf16";
  if (type.isInteger(32)) return "i32";
  if (type.isInteger(16)) return "i16";
  if (type.isInteger(8)) return "i8";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  throw Refusal{fmt::format("elements of type `{}` have no data type here", text),
                "f64, f32, f16, bf16, i32, i16 and i8 have one"};
}

std::vector<std::int64_t> Reader::sizesOf(mlir::ShapedType type, mlir::ValueRange dynamic) const {
  std::vector<std::int64_t> sizes;
  auto next = dynamic.begin();
  for (const std::int64_t size : type.getShape())
    sizes.push_back(mlir::ShapedType::isDynamic(size) ? constant(*next++) : size);
  return sizes;
}

std::vector<Loop> Reader::newVars(llvm::ArrayRef<std::int64_t> shape) {
  std::vector<Loop> vars;
  for (const std::int64_t size : shape) vars.push_back(m_program.loops.add(size));
  return vars;
}

std::vector<Linear> Reader::formsOf(const std::vector<Loop>& vars) const {
  std::vector<Linear> forms;
  for (const Loop var : vars) forms.push_back(Linear::loop(var));
  return forms;
}

void Reader::refuse(mlir::Operation* op, std::string message, std::string hint) {
  Refusal refusal{std::move(message), std::move(hint)};
  if (op != nullptr) {
    if (const auto loc = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>()) {
      refusal.line = static_cast<int>(loc.getLine());
      refusal.column = static_cast<int>(loc.getColumn());
    }
  }
  throw refusal;
}

}  // namespace gridloom::importer

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

const Value& Reader::get(mlir::Value value) const {
  const auto at = m_values.find(value.getAsOpaquePointer());
  if (at != m_values.end()) return at->second;
  if (const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    const std::string name = argumentName(m_names, argument, argument.getArgNumber());
    refuseMissing(name);
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
  const std::set<Loop> free = freeLoops(*tile.body);
  for (std::size_t d = 0; d < tile.vars.size(); ++d) {
    by[tile.vars[d]] = index[d];
    // A view of another shape divides loops: the body names their parts.
    const Linear parts = m_program.loops.normal(Linear::loop(tile.vars[d]));
    if (std::ranges::none_of(parts.terms, [&](const auto& p) { return free.contains(p.first); }))
      continue;
    std::vector<std::pair<std::int64_t, Loop>> ordered;
    for (const auto& [part, coefficient] : parts.terms) ordered.emplace_back(coefficient, part);
    std::ranges::sort(ordered, std::greater{});
    Linear rest = index[d];
    for (const auto& [coefficient, part] : ordered)
      std::tie(by[part], rest) =
          coefficient == 1 ? std::pair{rest, Linear{}} : divided(rest, coefficient);
  }
  return substitute(tile.body, by);
}

// The loops around an operation, or their parts.
std::vector<Loop> Reader::loopsAround() const {
  std::vector<Loop> loops;
  for (const Loop loop : m_scope) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms)
      loops.push_back(part);
  }
  return loops;
}

Tile Reader::stored(const Tile& tile, const std::string& dtype) {
  std::set<Loop> free;
  for (const Loop loop : freeLoops(*tile.body)) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms)
      free.insert(part);
  }
  std::vector<Loop> loops = loopsAround();
  std::erase_if(loops, [&](Loop loop) { return !free.contains(loop); });
  loops.insert(loops.end(), tile.vars.begin(), tile.vars.end());
  Buffer buffer{fmt::format("t{}", m_locals++), dtype, {}, false, false};
  for (const Loop loop : loops) buffer.shape.push_back(m_program.loops.extent(loop));
  if (loops.empty()) {
    loops.push_back(m_program.loops.add(1));
    buffer.shape = {1};
  }
  const int target = static_cast<int>(m_program.buffers.size());
  m_program.buffers.push_back(std::move(buffer));
  checkRunning(*tile.body, [](const Expr&) { return false; });
  addStatement({target, formsOf(loops), tile.body, m_where}, m_at);
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

namespace {

// What an operation takes for its shape alone is not read.
bool isRead(mlir::OpOperand& use) {
  auto structured = llvm::dyn_cast<mlir::linalg::LinalgOp>(use.getOwner());
  return !structured || !structured.getMatchingBlockArgument(&use).use_empty();
}

}  // namespace

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
  if (!nested && llvm::count_if(value.getUses(), isRead) == 1) return;
  const mlir::Type type = value.getType();
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  *elements = stored(*elements, dtypeOf(shaped ? shaped.getElementType() : type));
}

std::string Reader::dtypeOf(mlir::Type type) {
  if (type.isF64()) return "f64";
  if (type.isF32()) return "f32";
  if (type.isF16()) return "f16";
  if (type.isBF16()) return "bf16";
  if (type.isFloat8E4M3FN()) return "f8e4m3";
  if (type.isFloat8E5M2()) return "f8e5m2";
  if (type.isInteger(64) || type.isIndex()) return "i64";
  if (type.isInteger(32)) return "i32";
  if (type.isInteger(16)) return "i16";
  if (type.isInteger(8) || type.isInteger(1)) return "i8";  // masks take a byte each
  if (type.isInteger(4)) return "i4";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  throw Refusal{fmt::format("elements of type `{}` have no data type here", text),
                "f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8, i4 and i1 have one"};
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

std::vector<std::int64_t> Reader::extentsOf(const Tile& tile) const {
  std::vector<std::int64_t> extents;
  for (const Loop var : tile.vars) extents.push_back(m_program.loops.extent(var));
  return extents;
}

std::vector<Linear> Reader::unflattened(const Linear& flat,
                                        const std::vector<std::int64_t>& shape) const {
  std::vector<Linear> index;
  std::int64_t inner = 1;
  for (const std::int64_t size : shape) inner *= size;
  Linear rest = flat;
  for (const std::int64_t size : shape) {
    if (size == 1) {
      index.emplace_back();
      continue;
    }
    inner /= size;
    const auto parts = divided(rest, inner);
    index.push_back(parts.first);
    rest = parts.second;
  }
  return index;
}

void Reader::refuseMissing(const std::string& name) const {
  try {
    refuse(m_at, fmt::format("`{}` has no value", name),
           fmt::format("give it one: `--set {}=128`", name));
  } catch (Refusal& refusal) {
    refusal.needs = name;
    throw;
  }
}

Place placeOf(mlir::Location location) {
  const auto loc = location->findInstanceOf<mlir::FileLineColLoc>();
  if (!loc) return {};
  return {static_cast<int>(loc.getLine()), static_cast<int>(loc.getColumn())};
}

// The body of a named operation has no place of its own.
Place placeOf(mlir::Operation* op) {
  Place place;
  for (; op != nullptr && place.line == 0; op = op->getParentOp()) place = placeOf(op->getLoc());
  return place;
}

void Reader::addStatement(Statement statement, mlir::Operation* of) {
  statement.place = placeOf(of);
  statement.scope = m_scope;
  m_program.statements.push_back(std::move(statement));
}

void Reader::refuse(mlir::Operation* op, std::string message, std::string hint) {
  const Place place = placeOf(op);
  throw Refusal{std::move(message), std::move(hint), place.line, place.column};
}

}  // namespace gridloom::importer

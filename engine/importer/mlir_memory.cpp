// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

std::vector<std::int64_t> rowMajor(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// In `View::where`, the loop that stands for a dimension of the view.
Loop placeholder(std::size_t dim) { return -1 - static_cast<Loop>(dim); }

// Element x of the view is element x of the memory.
bool startsAtZero(const View& view) {
  if (view.flat || view.sizes.size() != view.memory->shape.size()) return false;
  for (std::size_t d = 0; d < view.step.size(); ++d) {
    if (!(view.offset[d] == Linear{})) return false;
    for (std::size_t m = 0; m < view.step[d].size(); ++m)
      if (view.step[d][m] != (m == d ? 1 : 0)) return false;
  }
  return true;
}

bool coversAll(const View& view) {
  return startsAtZero(view) && view.where.empty() && view.sizes == view.memory->shape;
}

}  // namespace

bool Reader::readMemory(mlir::Operation& op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "memref.alloc" || name == "memref.alloca") {
    const auto type = llvm::cast<mlir::MemRefType>(op.getResult(0).getType());
    auto memory = std::make_shared<Memory>();
    memory->dtype = dtypeOf(type.getElementType());
    memory->shape = sizesOf(type, op.getOperands());
    memory->scope = m_scope;
    set(op.getResult(0), wholeView(memory));
    return true;
  }
  if (name == "memref.dealloc" || name == "memref.assume_alignment") return true;
  if (name == "memref.cast" || name == "bufferization.to_memref") {
    if (!llvm::isa<mlir::MemRefType, mlir::UnrankedMemRefType>(op.getOperand(0).getType()))
      return false;
    set(op.getResult(0), view(op.getOperand(0)));
    return true;
  }
  if (auto cast = llvm::dyn_cast<mlir::memref::ReinterpretCastOp>(op)) {
    set(op.getResult(0), reinterpreted(view(cast.getSource()), cast));
    return true;
  }
  if (auto part = llvm::dyn_cast<mlir::memref::SubViewOp>(op)) {
    const auto dropped = part.getDroppedDims();
    View whole = subview(view(part.getSource()), part, part.getType());
    View kept = whole;
    kept.step.clear();
    kept.sizes.clear();
    std::vector<Linear> where;
    for (std::size_t d = 0, to = 0; d < whole.sizes.size(); ++d) {
      if (dropped.test(static_cast<unsigned>(d))) continue;
      kept.step.push_back(whole.step[d]);
      kept.sizes.push_back(whole.sizes[d]);
      for (Linear& form : kept.where) {
        if (d == to || !form.terms.contains(placeholder(d))) continue;
        form.terms[placeholder(to)] = form.terms[placeholder(d)];
        form.terms.erase(placeholder(d));
      }
      ++to;
    }
    set(op.getResult(0), std::move(kept));
    return true;
  }
  if (name == "memref.copy" || name == "linalg.copy") {
    write(view(op.getOperand(1)), tile(op.getOperand(0)));
    return true;
  }
  const auto indices = [&](mlir::ValueRange values) {
    std::vector<Linear> index;
    for (const mlir::Value at : values) index.push_back(exact(at));
    return index;
  };
  const auto mapped = [&](mlir::AffineMap map, mlir::ValueRange operands) {
    std::vector<Linear> index;
    for (const mlir::AffineExpr expr : map.getResults())
      index.push_back(ofExpr(expr, map, operands));
    return index;
  };
  if (auto load = llvm::dyn_cast<mlir::memref::LoadOp>(op)) {
    set(op.getResult(0), loaded(view(load.getMemRef()), indices(load.getIndices())));
  } else if (auto store_ = llvm::dyn_cast<mlir::memref::StoreOp>(op)) {
    store(view(store_.getMemRef()), indices(store_.getIndices()), scalar(store_.getValueToStore()));
  } else if (auto affineLoad = llvm::dyn_cast<mlir::affine::AffineLoadOp>(op)) {
    set(op.getResult(0), loaded(view(affineLoad.getMemRef()),
                                mapped(affineLoad.getAffineMap(), affineLoad.getMapOperands())));
  } else if (auto affineStore = llvm::dyn_cast<mlir::affine::AffineStoreOp>(op)) {
    store(view(affineStore.getMemRef()),
          mapped(affineStore.getAffineMap(), affineStore.getMapOperands()),
          scalar(affineStore.getValueToStore()));
  } else {
    return false;
  }
  return true;
}

View Reader::wholeView(const MemoryRef& memory) const {
  View view{memory, memory->isFlat, {}, {}, memory->shape, {}};
  if (memory->isFlat) {
    view.offset = {Linear{}};
    for (const std::int64_t stride : rowMajor(memory->shape)) view.step.push_back({stride});
    return view;
  }
  view.offset.assign(memory->shape.size(), {});
  for (std::size_t d = 0; d < memory->shape.size(); ++d) {
    view.step.emplace_back(memory->shape.size(), 0);
    view.step.back()[d] = 1;
  }
  return view;
}

View Reader::subview(const View& from, mlir::OffsetSizeAndStrideOpInterface op, mlir::ShapedType) {
  View part = from;
  const auto value = [&](mlir::OpFoldResult of) -> Integer {
    if (const auto known = mlir::getConstantIntValue(of)) return Linear::of(*known);
    return integer(llvm::cast<mlir::Value>(of));
  };
  for (std::size_t d = 0; d < from.step.size(); ++d) {
    const Integer offset = value(op.getMixedOffsets()[d]);
    const Integer size = simplified(value(op.getMixedSizes()[d]));
    const Integer stride = value(op.getMixedStrides()[d]);
    if (!offset.isExact() || !stride.isExact() || !stride.forms[0].isConstant())
      refuse(m_at, "a view starts or strides where no affine form says", "use affine offsets");
    for (std::size_t m = 0; m < part.offset.size(); ++m) {
      part.offset[m] = part.offset[m] + offset.forms[0] * from.step[d][m];
      part.step[d][m] = from.step[d][m] * stride.forms[0].constant;
    }
    if (size.isExact() && size.forms[0].isConstant()) {
      part.sizes[d] = size.forms[0].constant;
      continue;
    }
    if (size.kind == Integer::Kind::Max)
      refuse(m_at, "a view has a size that is the greatest of several", "choose sizes that divide");
    // A mask: the elements below each of these.
    std::int64_t greatest = part.sizes[d];
    for (const Linear& form : size.forms) {
      greatest = std::min(greatest, m_program.loops.range(form).second);
      if (!form.isConstant())
        part.where.push_back(form - Linear::of(1) - Linear::loop(placeholder(d)));
    }
    part.sizes[d] = greatest;
  }
  return part;
}

View Reader::reinterpreted(const View& from, mlir::memref::ReinterpretCastOp op) {
  View to{from.memory, true, {}, {}, {}, {}};
  if (!from.memory->isFlat)
    refuse(op, "memory that the function allocated is addressed by numbers",
           "use memref.subview, or a reinterpret_cast of an argument");
  const auto value = [&](mlir::OpFoldResult of) -> Linear {
    if (const auto known = mlir::getConstantIntValue(of)) return Linear::of(*known);
    return m_program.loops.normal(exact(llvm::cast<mlir::Value>(of)));
  };
  to.offset = {value(op.getMixedOffsets()[0])};
  for (const mlir::OpFoldResult size : op.getMixedSizes()) {
    const Linear known = value(size);
    if (!known.isConstant()) refuse(op, "a block's size depends on a loop", "blocks have one size");
    to.sizes.push_back(known.constant);
  }
  for (const mlir::OpFoldResult stride : op.getMixedStrides()) {
    const Linear known = value(stride);
    if (!known.isConstant()) refuse(op, "a stride depends on a loop", "strides are constants");
    to.step.push_back({known.constant});
  }
  return to;
}

std::vector<Linear> Reader::place(const View& view, const std::vector<Linear>& index) const {
  std::vector<Linear> at = view.offset;
  for (std::size_t d = 0; d < index.size(); ++d) {
    for (std::size_t m = 0; m < at.size(); ++m) at[m] = at[m] + index[d] * view.step[d][m];
  }
  if (at.empty()) at = {Linear{}};  // a scalar in memory is a tensor of one element
  return at;
}

Tile Reader::contents(const View& view) {
  Tile tile;
  tile.vars = newVars(view.sizes);
  tile.body = loaded(view, formsOf(tile.vars));
  return tile;
}

ExprRef Reader::loaded(const View& view, const std::vector<Linear>& index) {
  const MemoryRef& memory = view.memory;
  std::vector<Linear> at = place(view, index);
  if (memory->content) return applied(*memory->content, at);
  if (memory->after >= 0) {
    std::vector<Linear> all = formsOf(memory->scope);
    if (memory->isArgument) all.clear();
    if (!std::ranges::all_of(
            memory->isArgument ? std::vector<Loop>{} : memory->scope,
            [&](Loop loop) { return std::ranges::find(m_scope, loop) != m_scope.end(); }))
      refuse(m_at, "it reads what the last iteration of a loop left",
             "give the memory a dimension for the loop, or read it inside");
    all.insert(all.end(), at.begin(), at.end());
    return load(memory->after, std::move(all));
  }
  if (!memory->isArgument)
    refuse(m_at, "it reads memory before anything was written to it", "fill it first");
  return load(memory->before, std::move(at));
}

void Reader::write(const View& view, const Tile& value) {
  const MemoryRef& memory = view.memory;
  if (coversAll(view) && (!memory->isArgument || m_scope.empty()) && memory->after < 0 &&
      !memory->shape.empty()) {
    // What stands there until the next store.
    memory->content = value;
    return;
  }
  if (!memory->isArgument && memory->content && startsAtZero(view)) {
    memory->content = overlaid(*memory->content, view, value);
    return;
  }
  store(view, formsOf(value.vars), value.body);
}

// The old elements where the view, which starts with them, has none.
Tile Reader::overlaid(const Tile& old, const View& view, const Tile& value) {
  Tile tile;
  tile.vars = newVars(view.memory->shape);
  const std::vector<Linear> index = formsOf(tile.vars);
  tile.body = applied(value, index);
  const ExprRef before = applied(old, index);
  std::vector<Linear> where = masksAt(view, index);
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (view.sizes[d] < view.memory->shape[d])
      where.push_back(Linear::of(view.sizes[d] - 1) - index[d]);
  }
  for (const Linear& form : where)
    tile.body = call("select", {call(">=", {indexValue(form), number(0)}), tile.body, before});
  return tile;
}

std::vector<Linear> Reader::masksAt(const View& view, const std::vector<Linear>& index) const {
  std::vector<Linear> masks;
  for (const Linear& mask : view.where) {
    Linear form = Linear::of(mask.constant);
    for (const auto& [loop, coefficient] : mask.terms) {
      const Linear at = loop < 0 ? index[static_cast<std::size_t>(-1 - loop)] : Linear::loop(loop);
      form = form + at * coefficient;
    }
    masks.push_back(form);
  }
  return masks;
}

void Reader::store(const View& view, const std::vector<Linear>& index, ExprRef value) {
  std::vector<Linear> where = masksAt(view, index);
  where.insert(where.end(), m_where.begin(), m_where.end());
  storeElement(view.memory, place(view, index), std::move(value), std::move(where));
}

// Loops around the store that the element does not depend on.
std::vector<Loop> Reader::otherLoops(const std::vector<Linear>& index) const {
  std::set<Loop> named;
  for (const Linear& form : index) {
    for (const auto& [loop, coefficient] : m_program.loops.normal(form).terms) named.insert(loop);
  }
  std::vector<Loop> others;
  for (const Loop loop : m_scope) {
    for (const auto& [part, coefficient] : m_program.loops.normal(Linear::loop(loop)).terms) {
      if (!named.contains(part)) others.push_back(part);
    }
  }
  return others;
}

bool Reader::isReadBy(int buffer) const {
  return std::ranges::any_of(m_program.statements, [&](const Statement& statement) {
    bool reads = false;
    forLoads(*statement.value, [&](const Expr& load) { reads = reads || load.buffer == buffer; });
    return statement.target >= 0 && reads;
  });
}

// The value that an element has before it is written again; the statement that gave it goes.
ExprRef Reader::former(const MemoryRef& memory, const std::vector<Linear>& index) {
  const std::size_t fixed = memory->isArgument ? 0 : memory->scope.size();
  if (memory->content) {
    const Tile content = *memory->content;
    memory->content.reset();
    return applied(content, {index.begin() + static_cast<std::ptrdiff_t>(fixed), index.end()});
  }
  if (!memory->statement) {
    if (!memory->isArgument)
      refuse(m_at, "it adds to memory before anything was written to it", "fill it with 0 first");
    return load(memory->before, index);
  }
  Statement& old = m_program.statements[*memory->statement];
  std::map<Loop, Linear> by;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const auto loop = m_program.loops.normal(old.index[d]).asLoop();
    if (!loop && !(old.index[d] == index[d]))
      refuse(m_at, "it adds to elements that were written as a part of a tensor",
             "write the whole tensor first");
    if (loop) by[*loop] = index[d];
  }
  if (isReadBy(old.target))
    refuse(m_at, "it writes a tensor again that was read in between",
           "write to a tensor of its own, or split the function");
  old.target = -1;
  memory->statement.reset();
  return substitute(old.value, by);
}

int Reader::bufferFor(const MemoryRef& memory) {
  if (memory->after >= 0) return memory->after;
  memory->after = static_cast<int>(m_program.buffers.size());
  Buffer buffer{"", memory->dtype, memory->shape, memory->isFlat, memory->isArgument};
  if (memory->isArgument) {
    buffer.name = m_program.buffers[static_cast<std::size_t>(memory->before)].name;
  } else {
    buffer.name = fmt::format("t{}", m_locals++);
    std::vector<std::int64_t> shape;
    for (const Loop loop : memory->scope) shape.push_back(m_program.loops.extent(loop));
    buffer.shape.insert(buffer.shape.begin(), shape.begin(), shape.end());
  }
  if (memory->shape.empty() && !memory->isFlat) buffer.shape.push_back(1);
  m_program.buffers.push_back(std::move(buffer));
  return memory->after;
}

void Reader::storeElement(const MemoryRef& memory, const std::vector<Linear>& at, ExprRef value,
                          std::vector<Linear> where) {
  std::vector<Linear> index;
  const auto place = [&] {
    index = memory->isArgument ? std::vector<Linear>{} : formsOf(memory->scope);
    index.insert(index.end(), at.begin(), at.end());
  };
  place();
  const auto isOwn = [&](const Expr& load) {
    return (load.buffer == memory->before && memory->before >= 0) ||
           (load.buffer == memory->after && memory->after >= 0);
  };
  bool readsItself = false;
  forLoads(*value, [&](const Expr& load) {
    if (!isOwn(load)) return;
    readsItself = true;
    if (load.index != index)
      refuse(m_at, "it reads other elements of the tensor that it writes",
             "write the recurrence in a .rec file");
  });
  std::vector<Loop> others = otherLoops(index);
  if (!readsItself && !others.empty()) {
    if (memory->isArgument)
      refuse(m_at, "an element is written again in every iteration of a loop",
             "index it by every loop around it");
    // Every iteration begins with a value of its own.
    memory->scope.insert(memory->scope.end(), others.begin(), others.end());
    memory->after = -1;
    memory->statement.reset();
    memory->content.reset();
    place();
    others.clear();
  }
  if (readsItself) {
    const auto old = [&] { return former(memory, index); };
    if (others.empty()) {
      const ExprRef before = old();
      value = withLoads(value, [&](const Expr& load) { return isOwn(load) ? before : nullptr; });
    } else {
      value = accumulation(value, others, isOwn, old);
    }
  } else if (memory->statement) {
    if (isReadBy(memory->after))
      refuse(m_at, "it writes a tensor again that was read in between",
             "write to a tensor of its own, or split the function");
    Statement& old = m_program.statements[*memory->statement];
    if (old.index != index &&
        !std::ranges::all_of(index, [](const Linear& f) { return f.asLoop().has_value(); }))
      refuse(m_at, "several statements write parts of one tensor",
             "write each part to a tensor of its own");
    old.target = -1;
  }
  memory->content.reset();
  const int target = bufferFor(memory);
  memory->statement = m_program.statements.size();
  m_program.statements.push_back({target, std::move(index), std::move(value), std::move(where)});
}

}  // namespace gridloom::importer

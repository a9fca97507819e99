// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "importer/carried.h"
#include "importer/flow.h"
#include "importer/mlir_module.h"
#include "importer/mlir_names.h"
#include "importer/values.h"

namespace gridloom::importer {

/// Values that the user gives to arguments, by name.
using Settings = std::map<std::string, std::int64_t>;

/// Functions of a file, by name.
using Functions = std::map<std::string, mlir::func::FuncOp>;

/// Reads one function: every SSA value becomes what it stands for, every store a recurrence.
/// Throws Refusal at the operation that cannot be one.
class Reader {
 public:
  /// `functions`: those of the file, which it may call.
  Reader(mlir::func::FuncOp function, const Functions& functions, const Settings& settings,
         const ArgumentNames& names);
  ~Reader();
  Program read();
  /// The same by exact dataflow analysis, for functions that write and read memory in ways that
  /// `read` refuses.
  Program readByFlow(bool dividesLoops = false);
  /// Whether all operations were read.
  bool hasRead() const { return m_hasRead; }
  /// Names of the settings that it took.
  const std::set<std::string>& taken() const { return m_taken; }

 private:
  // mlir_reader.cpp
  void readArguments();
  void readArgument(mlir::BlockArgument argument, const std::string& name);
  std::int64_t setting(const std::string& name) const;
  std::optional<std::int64_t> given(const std::string& name) const;

  void readBlock(mlir::Block& block);
  void readOp(mlir::Operation& op);
  void readKnownOp(mlir::Operation& op);
  void readReturn(mlir::Operation& op);
  void finish();
  void widenTargets();
  void nameBuffers();

  // Values.
  void set(mlir::Value value, Value to) { m_values[value.getAsOpaquePointer()] = std::move(to); }
  const Value& get(mlir::Value value) const;
  Integer integer(mlir::Value value) const;
  Linear exact(mlir::Value value) const;
  std::int64_t constant(mlir::Value value) const;
  ExprRef scalar(mlir::Value value) const;
  Tile tile(mlir::Value value);
  View view(mlir::Value value) const;
  ExprRef applied(const Tile& tile, const std::vector<Linear>& index) const;
  /// The tile as elements of a buffer of the program, which a statement of its own fills.
  std::vector<Loop> loopsAround() const;
  Tile stored(const Tile& tile, const std::string& dtype);
  void keepIfShared(mlir::Value value, bool inReduction, std::size_t dims);
  static std::string dtypeOf(mlir::Type type);
  std::vector<std::int64_t> sizesOf(mlir::ShapedType type, mlir::ValueRange dynamic) const;
  std::vector<std::int64_t> sizesOfValue(mlir::Value value, mlir::ShapedType type) const;
  std::vector<Loop> newVars(llvm::ArrayRef<std::int64_t> shape);
  std::vector<Linear> formsOf(const std::vector<Loop>& vars) const;
  std::vector<std::int64_t> extentsOf(const Tile& tile) const;
  /// The indices of the element that is number `flat` in row-major order.
  std::vector<Linear> unflattened(const Linear& flat, const std::vector<std::int64_t>& shape) const;

  // mlir_integers.cpp
  bool readInteger(mlir::Operation& op);
  std::optional<Integer> integerOf(mlir::Operation& op) const;
  std::optional<Integer> affineInteger(mlir::Operation& op) const;
  std::optional<Integer> ofTwo(llvm::StringRef name, const Integer& a, const Integer& b) const;
  Integer greatestOf(const Integer& a, const Integer& b) const;
  std::optional<Integer> quotientOf(llvm::StringRef name, const Linear& a, std::int64_t by) const;
  std::optional<Integer> invariant(mlir::Value value) const;
  Integer ofMap(mlir::AffineMap map, mlir::ValueRange operands, bool least) const;
  Linear ofExpr(mlir::AffineExpr expr, mlir::AffineMap map, mlir::ValueRange operands) const;
  std::vector<Linear> indicesOf(mlir::ValueRange values) const;
  std::vector<Linear> mappedIndices(mlir::AffineMap map, mlir::ValueRange operands) const;
  Integer simplified(Integer value) const;
  std::pair<Linear, Linear> divided(const Linear& form, std::int64_t by) const;
  // mlir_elements.cpp
  bool readElementwise(mlir::Operation& op);
  bool readConstant(mlir::arith::ConstantOp op);
  ExprRef element(mlir::Operation& op, const std::vector<ExprRef>& args) const;
  ExprRef composedElement(mlir::Operation& op, const std::vector<ExprRef>& args) const;
  enum class Rounding { Down, Up, ToZero };
  ExprRef indexQuotient(const ExprRef& a, std::int64_t by, Rounding rounding, bool isRest) const;
  // mlir_widths.cpp
  std::pair<double, double> rangeOf(const Expr& value) const;
  std::pair<double, double> rangeOfElement(const Expr& load) const;
  bool isInWidth(mlir::Operation& op, const std::vector<Integer>& args) const;
  void checkWidth(mlir::Operation& op, const std::vector<ExprRef>& args) const;
  ExprRef withBits(mlir::Operation& op, const ExprRef& value) const;
  ExprRef quotient(llvm::StringRef of, const std::vector<ExprRef>& args) const;
  ExprRef remainder(const ExprRef& a, const ExprRef& b) const;
  ExprRef rounded(const ExprRef& value, bool down) const;

  // mlir_tables.cpp
  Tile constantTile(mlir::Attribute value, mlir::Operation* op);
  bool readGlobal(mlir::memref::GetGlobalOp op);
  void readBuffer(mlir::Operation& op);

  // mlir_tensors.cpp
  bool readTensor(mlir::Operation& op);
  bool readTensorShape(mlir::Operation& op);
  bool readTensorElements(mlir::Operation& op);
  bool readTensorReshape(mlir::Operation& op);
  void readExtract(mlir::tensor::ExtractOp extract);
  void readInsert(mlir::tensor::InsertOp insert);
  void readGenerate(mlir::tensor::GenerateOp generate);
  void readCollapse(mlir::tensor::CollapseShapeOp reshape);
  void readExpand(mlir::tensor::ExpandShapeOp reshape);
  void readConcat(mlir::tensor::ConcatOp concat);
  std::int64_t greatestSize(mlir::OpFoldResult size) const;
  bool readLinalg(mlir::Operation& op);
  class Structured;  // mlir_structured.h
  ExprRef region(mlir::Block& block, unsigned result, const std::map<void*, ExprRef>& args,
                 const std::vector<Linear>& index);
  // mlir_extremes.cpp
  static std::optional<std::pair<ExprRef, bool>> extremeOf(const ExprRef& extreme,
                                                           const std::vector<int>& olds);
  static std::optional<std::pair<ExprRef, ExprRef>> placeOfExtreme(const ExprRef& extreme,
                                                                   const ExprRef& place,
                                                                   const std::vector<int>& olds,
                                                                   Loop reduced);
  ExprRef accumulation(const ExprRef& value, const std::vector<Loop>& loops,
                       const std::function<bool(const Expr&)>& isOld,
                       const std::function<ExprRef()>& old,
                       const std::vector<Linear>& bounds = {}) const;
  void readSoftmax(mlir::linalg::SoftmaxOp op);
  void writeOut(mlir::Value out, mlir::Operation& op, unsigned result, Tile value);

  // mlir_memory.cpp
  bool readMemory(mlir::Operation& op);
  MemoryRef memoryHere(std::string dtype, std::vector<std::int64_t> shape) const;
  bool readAllocation(mlir::Operation& op);
  bool readView(mlir::Operation& op);
  bool readAccess(mlir::Operation& op);
  void readLoad(mlir::memref::LoadOp op);
  std::vector<Linear> inside(const View& of, const std::vector<Linear>& index) const;
  static View withoutDims(const View& whole, const llvm::SmallBitVector& dropped);
  View wholeView(const MemoryRef& memory) const;
  View reshaped(const View& from, mlir::Operation& op) const;
  View subview(const View& from, mlir::OffsetSizeAndStrideOpInterface op, mlir::ShapedType type);
  View reinterpreted(const View& from, mlir::memref::ReinterpretCastOp op);
  std::vector<Linear> place(const View& view, const std::vector<Linear>& index) const;
  Tile contents(const View& view);
  Tile overlaid(const Tile& old, const View& view, const Tile& value);
  std::vector<Linear> masksAt(const View& view, const std::vector<Linear>& index) const;
  ExprRef loaded(const View& view, const std::vector<Linear>& index);
  void write(const View& view, const Tile& value);
  void store(const View& view, const std::vector<Linear>& index, const ExprRef& value);
  void storeAt(const View& view, const std::vector<Linear>& index, ExprRef value);
  void storeElement(const MemoryRef& memory, const std::vector<Linear>& at, ExprRef value,
                    std::vector<Linear> where);
  enum class Time { Same, Earlier, Later, Unknown };
  Time timeOf(const std::vector<Linear>& read, const std::vector<Linear>& written,
              const std::vector<Linear>& where) const;
  bool isPositive(const Linear& form, const std::vector<Linear>& where) const;
  bool readsFirst(const Statement& statement, const std::vector<Linear>& read,
                  const std::vector<Linear>& written) const;
  ExprRef withFinal(const MemoryRef& memory, const std::vector<Linear>& index, const ExprRef& value,
                    const std::vector<Linear>& where);
  ExprRef chosenByOrder(const std::vector<Linear>& read, const std::vector<Linear>& written,
                        const ExprRef& before, const ExprRef& after) const;
  bool isUnwritten(const Memory& memory, const std::vector<Linear>& index,
                   const std::vector<Linear>& where) const;
  [[noreturn]] void refuseOrder() const;
  /// The first statement whose iterations run between those of the statements that follow. A loop
  /// that carries memory keeps the iterations apart, for that memory.
  std::size_t nestOf(const Memory& memory) const { return memory.base ? m_nest : m_outerNest; }
  // mlir_running.cpp
  std::set<Loop> openLoops() const;
  bool isSameIteration(const std::vector<Linear>& read, const std::vector<Linear>& written) const;
  bool isBeforeStores(const Memory& memory, const std::vector<Linear>& index) const;
  std::set<std::string> runningReductions(const Expr& value) const;
  void checkRunning(const Expr& value, const std::function<bool(const Expr&)>& isOwn) const;
  void checkOneReduction(const Expr& value, std::set<std::string> names, bool isElementwise) const;
  void checkLeft(const Memory& memory) const;
  void refuseConstant(const Memory& memory) const;
  [[noreturn]] void refuseScatter() const;
  std::vector<Loop> otherLoops(const std::vector<Linear>& index) const;
  ExprRef former(const MemoryRef& memory, const std::vector<Linear>& index,
                 std::vector<Linear>& where, bool accumulates);
  std::map<Loop, Linear> ownLoops(const std::set<Loop>& shared, const std::vector<Linear>& before,
                                  const std::vector<Linear>& now);
  Statement toldApart(Statement old, const std::vector<Linear>& index,
                      const std::vector<Linear>& where);
  bool leavesSome(const Statement& old, const std::vector<Linear>& index,
                  const std::vector<Linear>& where) const;
  std::map<Loop, Linear> sameElements(const Memory& memory, const Statement& old,
                                      const std::vector<Linear>& index) const;
  void addBounds(const Statement& old, const ExprRef& value, const std::map<Loop, Linear>& by,
                 std::vector<Linear>& where) const;
  std::vector<Linear> withScope(const Memory& memory, const std::vector<Linear>& at) const;
  void keepWritten(const MemoryRef& memory);
  void widenMemory(const MemoryRef& memory, const std::vector<Loop>& loops);
  ExprRef updated(const MemoryRef& memory, const std::vector<Linear>& index, ExprRef value,
                  std::vector<Linear>& where, const std::function<bool(const Expr&)>& isOwn);
  void replaceFormer(const MemoryRef& memory, const std::vector<Linear>& index,
                     std::vector<Linear>& where);
  void checkFormerReads(const Memory& memory, const std::vector<Linear>& index) const;
  void checkKept(const ExprRef& value, const std::vector<Linear>& where) const;
  void checkEarlierReads(const MemoryRef& memory, const std::vector<Linear>& index) const;
  bool spans(const Linear& form, std::int64_t size) const;
  bool fits(const Linear& form, std::int64_t size) const;
  bool sharesLoops(const std::vector<Linear>& index) const;
  void checkSpans(const Memory& memory, const std::vector<Linear>& at,
                  const std::vector<Linear>& where) const;
  int bufferFor(const MemoryRef& memory);

  // mlir_flow.cpp
  bool isNoted(const Memory& memory) const;
  MemoryAccess accessAt(const MemoryRef& memory, const std::vector<Linear>& at);
  ExprRef notedLoad(const MemoryRef& memory, const std::vector<Linear>& at, bool mayBeUnwritten);
  ExprRef notedAgain(const MemoryRef& memory, const std::vector<Linear>& at, const ExprRef& value);
  void noteStore(const MemoryRef& memory, const std::vector<Linear>& at, ExprRef value,
                 std::vector<Linear> where);
  bool wasStored(const Memory& memory) const;
  void normaliseFlow();
  void divideLoops();
  bool roundUp(Loop loop, std::int64_t size);
  void widenLoops();
  bool isInStatement(Loop loop) const;
  void dropUnusedLoads();
  void loadFinals();
  std::optional<std::size_t> onlyUser(int buffer, const std::vector<Loop>& loops) const;
  bool foldStore(Dataflow& dataflow, std::size_t number);
  bool inlineStore(const Dataflow& dataflow, std::size_t number);
  void checkParallel(const Dataflow& dataflow) const;
  void finishFlow();

  // mlir_flow_statements.cpp
  ExprRef choice(const Dataflow& dataflow, const Flow::Load& load,
                 const std::vector<Source>& sources, const std::vector<Linear>& where);
  ExprRef storedElement(const Dataflow& dataflow, std::size_t number,
                        const std::vector<Linear>& at);
  ExprRef sourceElement(const Dataflow& dataflow, const Flow::Load& of, const Source& source);
  ExprRef withSources(const Dataflow& dataflow, const ExprRef& value,
                      const std::vector<Linear>& where, const std::vector<Linear>& bounds);
  ExprRef elementRead(const Dataflow& dataflow, std::size_t which, const Expr& old,
                      const std::vector<Linear>& where);
  void stateOther(const Dataflow& dataflow, Statement& statement);
  std::vector<Source> sourcesOf(const Dataflow& dataflow, std::size_t load) const;
  Loop onceLoop();
  ExprRef readOnce(const ExprRef& value);
  void stateStore(const Dataflow& dataflow, std::size_t number, std::vector<Statement>& to);
  bool isDirect(const Dataflow& dataflow, std::size_t final) const;
  bool isKept(const Dataflow& dataflow, std::size_t store) const;
  bool choosesByMemory(const Expr& value) const;
  void inlineCopies(const Dataflow& dataflow);
  bool leadsTo(const Dataflow& dataflow, std::size_t from, std::size_t to, int depth) const;
  void stateFinal(const Dataflow& dataflow, std::size_t final, std::vector<Statement>& to);
  std::optional<std::size_t> returnedBy(const Dataflow& dataflow, const Statement& statement);
  void returnDirectly(const Dataflow& dataflow);
  void stateFlow(const Dataflow& dataflow);
  void keepTogether();

  // mlir_gathers.cpp
  /// An element at indices that may be read from data, each an ExprRef.
  ExprRef elementAt(const Tile& source, const std::vector<ExprRef>& index,
                    const std::string& dtype);
  ExprRef asTensor(const ExprRef& value, const std::string& dtype);
  ExprRef indexOf(mlir::Value value) const;
  bool isFromData(mlir::Value value) const;

  // mlir_vectors.cpp
  bool readVector(mlir::Operation& op);
  bool readVectorMemory(mlir::Operation& op);
  void readTransferWrite(mlir::vector::TransferWriteOp op, const std::vector<Linear>& index,
                         const std::vector<int>& dims);
  View vectorBox(const View& from, const std::vector<Linear>& index, const std::vector<int>& dims,
                 mlir::VectorType type) const;
  std::vector<Linear> insideOf(const std::vector<std::int64_t>& sizes,
                               const std::vector<Linear>& index, const std::vector<int>& dims,
                               const Tile& tile) const;
  std::vector<Linear> insideOf(const View& from, const std::vector<Linear>& index,
                               const std::vector<int>& dims, const Tile& tile) const;
  Tile readBox(mlir::Value source, const std::vector<Linear>& index, const std::vector<int>& dims,
               mlir::VectorType type, const ExprRef& padding);
  void writeBox(mlir::Value target, const std::vector<Linear>& index, const std::vector<int>& dims,
                mlir::VectorType type, const Tile& value, mlir::Value mask);
  bool asBounds(const ExprRef& condition, std::vector<Linear>& holds) const;

  // mlir_vector_ops.cpp
  bool readVectorReduction(mlir::Operation& op);
  void readContract(mlir::vector::ContractionOp op);
  bool readVectorShape(mlir::Operation& op);
  bool readVectorPart(mlir::Operation& op);

  // mlir_addresses.cpp
  std::optional<Linear> addressOf(const ExprRef& value, std::map<Loop, ExprRef>& data) const;
  Linear offsetOf(mlir::OpFoldResult of, std::map<Loop, ExprRef>& data) const;
  ExprRef loadAt(const View& view, int buffer, std::vector<Linear> at) const;

  // mlir_air.cpp
  bool readAir(mlir::Operation& op);
  void readHerd(mlir::Operation& op);
  View dmaSide(mlir::Value memory, llvm::ArrayRef<mlir::Value> offsets,
               llvm::ArrayRef<mlir::Value> sizes, llvm::ArrayRef<mlir::Value> strides) const;
  void readDma(mlir::Operation& op);

  // mlir_scan.cpp
  bool readTmTensor(mlir::Operation& op);
  void readScan(mlir::Operation& op);
  void readCumulativeSum(mlir::Operation& op);
  /// The element of a scan at a place, of the one before it and of the input's.
  using ScanStep = std::function<ExprRef(const ExprRef& before, const ExprRef& own,
                                         const std::vector<Linear>& at)>;
  void scanned(mlir::Operation& op, std::int64_t dimension, mlir::Value start,
               const ScanStep& step);

  // mlir_slices.cpp
  bool readSlice(mlir::Operation& op);
  Linear exactOf(mlir::OpFoldResult of) const;
  void readExtractSlice(mlir::tensor::ExtractSliceOp slice);
  void readInsertSlice(mlir::Value source, mlir::Value into,
                       mlir::OffsetSizeAndStrideOpInterface op, mlir::Value result);
  Tile boxOf(const Tile& from, const std::vector<std::int64_t>& sizes);
  void insertBox(const Tile& box, mlir::Value into, std::vector<Linear> offset,
                 const std::vector<std::int64_t>& sizes, mlir::Value result);
  void readPad(mlir::tensor::PadOp pad);
  void readPack(mlir::tensor::PackOp pack);
  void readUnpack(mlir::tensor::UnPackOp unpack);
  std::int64_t insertedSize(mlir::OpFoldResult of, const Linear& rest, bool& isEdge) const;
  void insertStrided(const Tile& box, mlir::Value into, const std::vector<Linear>& offset,
                     const std::vector<std::int64_t>& strides, mlir::Value result);
  /// Whether a dimension of a tensor has fewer elements in some iterations than were imported.
  bool hasEdge(mlir::Value value, std::size_t dim) const;
  bool hasEdgeByOperands(mlir::Value value) const;
  bool isVarying(mlir::Value size) const;
  void keepEdges(mlir::Value from, mlir::Value to);
  void refuseEdgeTiles(mlir::Operation& op) const;
  /// The patch after all iterations of a loop that moves it on: a larger one.
  Patch widened(const Patch& patch, Loop loop);
  Value whole(const Patch& patch);

  // mlir_branches.cpp
  void readIf(mlir::scf::IfOp op);
  void chooseYielded(mlir::Operation& op, const ExprRef& condition);
  bool onlyFills(mlir::scf::IfOp op) const;
  void readGuarded(mlir::Block& block, const ExprRef& condition, bool holds);
  void readAffineIf(mlir::affine::AffineIfOp op);
  void readRegion(mlir::Operation& op);
  void readCall(mlir::func::CallOp op);
  ExprRef condition(const std::vector<Linear>& atLeastZero) const;

  // mlir_parts.cpp
  bool areApart(const std::vector<Linear>& a, const std::vector<Linear>& b) const;
  bool isApart(const Memory& memory, const std::vector<Linear>& index) const;
  ExprRef guarded(const View& view, const std::vector<Linear>& index, const ExprRef& value);

  // mlir_domains.cpp
  /// Whether no values of the loops hold all of the forms at 0 or above.
  bool isEmpty(const std::vector<Linear>& atLeastZero) const;
  bool holdsNowhere(const std::vector<Linear>& atLeastZero) const;
  bool holdsEverywhere(const std::vector<Linear>& atLeastZero) const;
  std::optional<unsigned> chosenBranch(const std::vector<Linear>& holds) const;
  void readTaken(mlir::Operation& op, unsigned branch);

  // mlir_settle.cpp
  void settle(mlir::Block& body, std::size_t bounds);
  void leaveContents(const std::vector<Loop>& loops);
  void retire(const MemoryRef& memory, const std::vector<Linear>& index,
              const std::vector<Linear>& where, bool accumulates);

  // mlir_conditions.cpp
  static void refuseWrites(mlir::Block& block);
  void readWhere(mlir::Block& block, const std::vector<Linear>& holds);
  std::vector<Linear> conditionsOn(const Memory& memory) const;
  std::vector<Linear> boundsOn(const Memory& memory) const;
  bool joinBranches(const View& view, const std::vector<Linear>& index, ExprRef& value,
                    std::vector<Linear>& where) const;
  void keepBefore(const View& view, const std::vector<Linear>& index, ExprRef& value,
                  std::vector<Linear>& where);
  static bool reads(const Expr& value, const Memory& memory);

  // mlir_loops.cpp
  bool readLoop(mlir::Operation& op);
  Linear parallelIndex(const Integer& from, const Integer& to, std::int64_t step,
                       std::vector<Loop>& loops);
  void readParallel(mlir::affine::AffineParallelOp op);
  void readFor(mlir::Operation& op, mlir::Value index, const Integer& from, const Integer& to,
               std::int64_t step, mlir::ValueRange inits, mlir::Block& body);
  void readScfParallel(mlir::scf::ParallelOp op);
  void readReduction(mlir::scf::ParallelOp op, const std::vector<Loop>& loops);
  void readForall(mlir::scf::ForallOp op);
  Linear counted(const Integer& from, const Integer& to, std::int64_t step, Loop& loop,
                 std::vector<Linear>& where);
  std::optional<Linear> cutTile(const std::vector<Linear>& low, const std::vector<Linear>& high,
                                std::int64_t most, Loop& loop, std::vector<Linear>& where);
  void enterLoops(mlir::Block& body, std::size_t bounds);
  void leaveLoops(std::size_t scope, std::size_t where);
  bool neverRuns(mlir::Operation* op, const std::vector<Loop>& loops) const;

  // mlir_carried.cpp
  void carryIntegers(std::vector<Carried>& carried, Loop loop);
  [[noreturn]] void refuseCarriedInteger() const;
  void carryViews(std::vector<Carried>& carried, Loop loop);
  void carryData(CarryingLoop& of);
  const Value& yielded(const Carried& c) const { return c.last ? *c.last : get(c.yielded); }
  std::vector<Linear> stateIndex(const CarryingLoop& of, const std::vector<Linear>& element) const;
  Tile lastTile(const Carried& carried);
  bool isAccumulated(const CarryingLoop& of, const Carried& carried);
  Value afterLoop(const CarryingLoop& of, const Carried& carried);

  // mlir_sweeps.cpp
  bool isWhole(mlir::Value memory) const;
  void carryMemories(CarryingLoop& of, mlir::Block& body);
  void carryMemory(CarryingLoop& of, const MemoryRef& memory);
  void leaveMemories(CarryingLoop& of);
  ExprRef writtenOr(const MemoryRef& memory, const std::vector<Linear>& written,
                    const std::vector<Linear>& where, const std::vector<Linear>& at,
                    const ExprRef& before);
  ExprRef carriedElement(const MemoryRef& memory, const std::vector<Linear>& at);
  std::vector<Linear> elementOf(const MemoryRef& memory, const Expr& load) const;

  // mlir_states.cpp
  void makeStates(CarryingLoop& of);
  History historyOf(const CarryingLoop& of, const Carried& c, int together);
  History historyInBody(const CarryingLoop& of, const Carried& c, const Tile& last, int together);
  void startAtOne(Statement& step, Loop loop);
  bool isFilledIn(const CarryingLoop& of, const Tile& last) const;
  std::map<const Expr*, ExprRef> newNumbers(const CarryingLoop& of,
                                            const std::map<int, History>& histories) const;
  void addStep(const CarryingLoop& of, const Carried& c, const std::map<int, History>& histories,
               std::map<const Expr*, ExprRef> numbers, int together);
  Value lastOf(const CarryingLoop& of, const Carried& c, const History& history);

  /// Adds a statement that an operation of the file computes.
  void addStatement(Statement statement, mlir::Operation* of);
  [[noreturn]] void refuseMissing(const std::string& name) const;
  [[noreturn]] static void refuse(mlir::Operation* op, std::string message, std::string hint = {});

  mlir::func::FuncOp m_function;
  const Functions& m_functions;
  const Settings& m_settings;
  const ArgumentNames& m_names;
  mutable Program m_program;     // reading an integer may divide a loop
  std::unique_ptr<Flow> m_flow;  ///< none: statements follow from loads and stores at once
  std::map<void*, Value> m_values;
  std::size_t m_sweep = 0;  ///< loops around the nest: those that carry memory
  /// First statement of the loop nest that is read: of the outermost one, and of the one in a loop
  /// that carries memory.
  std::size_t m_outerNest = 0, m_nest = 0;
  std::vector<Loop> m_scope;         ///< loops around what is read
  std::vector<Linear> m_where;       ///< their bounds, each at least 0
  std::vector<Linear> m_conditions;  ///< those of m_where that are conditions of branches
  /// Conditions from data of the branches around what is read, and whether they hold there.
  std::vector<std::pair<ExprRef, bool>> m_guards;
  std::vector<MemoryRef> m_arguments;  ///< in their order
  std::vector<MemoryRef> m_allocated;  ///< in their order
  std::set<int> m_replaced;            ///< buffers that later ones stand for
  /// Buffers with what memory held in front of a loop, and the first statement that may not read
  /// them: the memory holds something else by then.
  std::map<int, std::size_t> m_stale;
  mlir::Operation* m_at = nullptr;  ///< what is read, for messages
  mutable std::set<std::string> m_taken;
  int m_locals = 0, m_results = 0, m_states = 0, m_carrying = 0;
  bool m_hasRead = false;
  int m_choosing = 0;                       ///< branches around what is read that yield values
  int m_calls = 0;                          ///< that are open
  int m_called = 0;                         ///< all that were read
  std::map<const void*, Tile> m_constants;  ///< tables, by attribute: many operations name one
  /// Of results of calls: which dimensions have an edge tile.
  std::map<void*, std::vector<bool>> m_edges;
};

}  // namespace gridloom::importer

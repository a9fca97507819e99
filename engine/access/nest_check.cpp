// SPDX-License-Identifier: Apache-2.0
#include "access/nest_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/message_limit.h"
#include "base/units.h"

namespace gridloom::access {

namespace {

std::int64_t product(const std::vector<std::int64_t>& factors) {
  std::int64_t out = 1;
  for (const std::int64_t factor : factors) out = base::saturatingMul(out, factor);
  return out;
}

class NestChecker {
 public:
  NestChecker(const MemoryNest& nest, const kernel::Kernel& kernel,
              const hardware::HardwareSpec& hardware, const NestPlaces& places)
      : m_nest(nest), m_kernel(kernel), m_hardware(hardware), m_places(places) {}

  base::Diagnostics run() {
    checkKept();
    if (m_errors.empty()) checkHardware();
    return std::move(m_errors);
  }

 private:
  /// A memory that bypasses a tensor needs a memory outside it that stores the tensor, or one
  /// inside that holds all of it.
  void checkKept() {
    for (const kernel::Access* access : nestAccesses(m_kernel)) {
      std::size_t outermost = 0;
      while (outermost < m_nest.levels.size() && !m_nest.levels[outermost].keeps(access->tensor))
        ++outermost;
      const kernel::Tensor& tensor = m_kernel.tensor(access->tensor);
      if (outermost == m_nest.levels.size()) {
        fail(m_places.levels.back(), fmt::format("no memory stores `{}`", tensor.name),
             "take it out of one `bypass`");
      } else if (tileBox(outermost, *access) != tileBox(0, *access)) {
        fail(m_places.levels[outermost],
             fmt::format(
                 "`{}` is the outermost memory that stores `{}`, and holds only a part of it",
                 m_nest.levels[outermost].memory, tensor.name),
             "let the memory outside it keep the tensor, or move all its loops inside");
      }
    }
  }

  std::vector<std::int64_t> tileBox(std::size_t level, const kernel::Access& access) const {
    return boxOf(access, tileExtents(m_kernel, m_nest, level));
  }

  void checkHardware() {
    std::int64_t instances = 1;
    for (std::size_t i = 0; i < m_nest.levels.size(); ++i) {
      const auto memory =
          std::ranges::find(m_hardware.memories, m_nest.levels[i].memory, &hardware::Memory::name);
      const std::int64_t there = instancesOf(memory->scaleout);
      if (instances > there) {
        fail(m_places.levels[i],
             fmt::format("the nest uses {} instances of `{}`, the hardware has {}", instances,
                         memory->name, there));
      }
      if (i > 0) checkInside(i, *memory);
      checkFits(i, *memory);
      for (const SpatialLoop& spatial : m_nest.levels[i].spatialLoops) {
        instances = base::saturatingMul(instances, spatial.unroll);
      }
    }
    const std::int64_t units = multipliers();
    if (instances <= units) return;
    fail(m_places.levels.back(),
         fmt::format("the nest computes {} points at once, the hardware has {} multipliers",
                     instances, units));
  }

  /// Tiles come from the memory outside, so its tile must contain this one's.
  void checkInside(std::size_t level, const hardware::Memory& memory) {
    const std::string& outside = m_nest.levels[level - 1].memory;
    const auto outer = std::ranges::find(m_hardware.memories, outside, &hardware::Memory::name);
    if (outer->size.value >= memory.size.value && !memory.global) return;
    fail(m_places.levels[level],
         fmt::format("`{}` stands inside `{}`, which is the smaller one", memory.name, outside),
         "the outermost memory comes first");
  }

  std::int64_t multipliers() const {
    std::int64_t inCore = 1;
    for (const hardware::UnitCount& unit : m_hardware.cores.front().scalein) {
      const auto mat =
          std::ranges::find(m_hardware.matrixUnits, unit.unit, &hardware::MatrixUnit::name);
      if (mat == m_hardware.matrixUnits.end()) continue;
      inCore = std::max(inCore, base::saturatingMul(unit.count, product(mat->shape)));
    }
    return base::saturatingMul(inCore, instancesOf(m_hardware.cores.front().scaleout));
  }

  std::int64_t instancesOf(const std::vector<hardware::SpatialDimId>& scaleout) const {
    std::vector<std::int64_t> sizes;
    for (const hardware::SpatialDimId dim : scaleout) {
      sizes.push_back(m_hardware.dims[dim.index()].size);
    }
    return product(sizes);
  }

  void checkFits(std::size_t level, const hardware::Memory& memory) {
    std::int64_t bytes = 0;
    for (const kernel::Access* access : nestAccesses(m_kernel)) {
      if (!m_nest.levels[level].keeps(access->tensor)) continue;
      const std::int64_t elements = product(tileBox(level, *access));
      bytes = base::saturatingAdd(bytes,
                                  kernel::bytesOf(m_kernel.tensor(access->tensor).dtype, elements));
    }
    if (static_cast<double>(bytes) <= memory.size.value) return;
    fail(m_places.levels[level],
         fmt::format("the tiles in `{}` take {} bytes, it has {:.0f}", memory.name, bytes,
                     memory.size.value),
         "move a loop to a memory outside it, or bypass a tensor");
  }

  void fail(base::Span span, std::string message, std::string hint = {}) {
    base::report(m_errors,
                 base::errorAt(m_places.source, span, std::move(message), std::move(hint)));
  }

  const MemoryNest& m_nest;
  const kernel::Kernel& m_kernel;
  const hardware::HardwareSpec& m_hardware;
  const NestPlaces& m_places;
  base::Diagnostics m_errors;
};

}  // namespace

base::Diagnostics checkNest(const MemoryNest& nest, const kernel::Kernel& kernel,
                            const hardware::HardwareSpec& hardware, const NestPlaces& places) {
  return NestChecker(nest, kernel, hardware, places).run();
}

}  // namespace gridloom::access

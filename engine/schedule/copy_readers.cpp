// SPDX-License-Identifier: Apache-2.0
#include "schedule/copy_readers.h"

#include <bit>

#include "schedule/shared_copies.h"

namespace gridloom::schedule {

CopyReaders::CopyReaders(const Schedule& schedule, std::size_t cores)
    : m_buffers(schedule.buffers.size()) {
  std::int32_t rows = 0;
  for (std::size_t b = 0; b < m_buffers.size(); ++b) {
    const PortId channel = sharingChannel(schedule, BufferId::of(b));
    if (channel.valid()) m_buffers[b] = {channel.value(), rows++, schedule.buffers[b].slots};
  }
  m_copies = Table<Copy>(index(rows), cores);
}

std::int32_t CopyReaders::occupant(std::int32_t buffer,
                                   std::span<const std::int32_t> readers) const {
  const std::uint32_t oldest = std::uint32_t{1} << (m_buffers[index(buffer)].slots - 1);
  for (const std::int32_t reader : readers) {
    if ((at(buffer, reader).reads & oldest) != 0) return reader;
  }
  return -1;
}

void CopyReaders::claim(std::int32_t buffer, std::int32_t owner,
                        std::span<const std::int32_t> readers) {
  for (const std::int32_t reader : readers) at(buffer, reader).reads <<= 1;
  at(buffer, owner).claimed = true;
}

bool CopyReaders::fill(std::int32_t buffer, std::int32_t owner) {
  Copy& copy = at(buffer, owner);
  const bool isFirst = copy.fills < m_buffers[index(buffer)].slots;
  if (isFirst) ++copy.fills;
  return isFirst || copy.claimed;
}

bool CopyReaders::release(std::int32_t buffer, std::int32_t reader) {
  std::uint32_t& reads = at(buffer, reader).reads;
  if (reads == 0) return false;
  reads &= ~std::bit_floor(reads);
  return true;
}

void CopyReaders::appendState(std::vector<std::int64_t>& words) const {
  for (const Copy& c : m_copies) {
    words.push_back(std::int64_t{c.reads} * (std::int64_t{1} << 32) + 2 * c.fills +
                    (c.claimed ? 1 : 0));
  }
}

}  // namespace gridloom::schedule

// SPDX-License-Identifier: Apache-2.0
//
// Names of programs: what a core does with each operand.
#include "schedule/program_steps.h"

namespace gridloom::schedule {

using Kind = mapping::TransferStep::Kind;

namespace {

void list(std::string& to, const std::string& name) { to += to.empty() ? name : ", " + name; }

const char* howLoaded(const CoreRole::Part& part, std::uint64_t copies) {
  if ((part.sends & ~copies) != 0) return " (sends on)";
  if (part.feeds != 0) return " (feeds)";
  if ((part.sends & copies) != 0) return " (shares)";
  return (part.receives & copies) != 0 ? " (reads)" : "";
}

const char* howStored(const CoreRole::Part& part, std::uint64_t reducing, std::uint64_t gathering) {
  if ((part.sends & reducing) != 0) return " (partial, sends)";
  if ((part.sends & gathering) != 0) return " (sends)";
  return part.gathers > 0 ? " (gathers)" : "";
}

std::string howReduced(const CoreRole::Part& part, std::uint64_t reducing) {
  const char* how = (part.receives & ~reducing) == 0  ? " (reduces all)"
                    : (part.receives & reducing) != 0 ? " (reduces some)"
                                                      : "";
  return std::string(how) + ((part.sends & ~reducing) == 0 ? "" : " (sends back)");
}

}  // namespace

std::string ProgramWriter::nameFor(const CoreRole& roles) const {
  std::string loads, receives, reduces, stores, name;
  for (std::size_t i = 0; i < roles.inputs.size(); ++i) {
    const CoreRole::Part& part = roles.inputs[i];
    if (part.absent) continue;
    const mapping::Transfers& transfers = m_plan.inputs[i];
    const std::uint64_t copies = wiresOf(m_inputs[i], transfers, Kind::SharedCopy);
    list(part.loads && !transfers.has(Kind::Forward) ? loads : receives,
         m_nest.inputs[i].name + howLoaded(part, copies));
  }
  for (std::size_t o = 0; o < roles.outputs.size(); ++o) {
    const CoreRole::Part& part = roles.outputs[o];
    if (part.absent) continue;
    const mapping::Transfers& transfers = m_plan.outputs[o];
    const char* how = howStored(part, reducingWires(m_outputs[o], transfers),
                                wiresOf(m_outputs[o], transfers, Kind::Gather));
    list(stores, m_nest.outputs[o].name + how);
  }
  for (const std::size_t r : m_splitAllReduces) {
    const std::uint64_t reducing = reducingWires(m_allReduces[r], m_plan.allReduces[r]);
    list(reduces, m_nest.allReduces[r].name + howReduced(roles.allReduces[r], reducing));
  }
  if (!loads.empty()) name += "loads " + loads + "; ";
  if (!receives.empty()) name += "receives " + receives + "; ";
  if (!reduces.empty()) name += "reduces " + reduces + "; ";
  return stores.empty() ? name : name + "writes " + stores;
}

}  // namespace gridloom::schedule

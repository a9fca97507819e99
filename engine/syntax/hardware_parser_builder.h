// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hardware/hardware_spec.h"
#include "syntax/hardware_parser_attributes.h"

namespace gridloom::syntax {

/// Converts the ops of a text into the values of a HardwareSpec, one function per kind of op.
class HardwareSpecBuilder {
 public:
  HardwareSpecBuilder(const HardwareOps& ops, base::SourceRef source, base::Diagnostics& out)
      : m_ops(ops), m_source(std::move(source)), m_out(out) {}

  hardware::HardwareSpec build();
  /// Source location of each entry of the spec's `order`.
  const std::vector<base::Span>& spans() const { return m_spans; }

 private:
  using OpKind = hardware::HardwareSpec::OpRef::Kind;

  void collectNames();
  void readClock();
  void addOp(const HardwareOp& op);
  void addDim(HardwareAttributeReader& reader);
  void addMatrix(HardwareAttributeReader& reader);
  void addVector(HardwareAttributeReader& reader);
  void addScalar(HardwareAttributeReader& reader);
  void addCores(HardwareAttributeReader& reader);
  void addMemory(HardwareAttributeReader& reader);
  void addInterconnect(HardwareAttributeReader& reader);
  void addMux(HardwareAttributeReader& reader);
  void requireMaps();

  base::Diagnostic errorAt(base::Span span, std::string message, std::string hint) const;

  const HardwareOps& m_ops;
  base::SourceRef m_source;
  base::Diagnostics& m_out;
  HardwareNames m_names;
  hardware::HardwareSpec m_spec;
  std::vector<base::Span> m_spans;
};

}  // namespace gridloom::syntax

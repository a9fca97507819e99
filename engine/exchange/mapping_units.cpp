// SPDX-License-Identifier: Apache-2.0
#include "exchange/mapping_units.h"

#include "exchange/mapping_node.h"

namespace gridloom::exchange {

base::Result<mapping::Directives> unitsFromJson(const base::SourceRef& json) {
  base::Result<JsonDocument> document = JsonDocument::parse(json);
  if (!document) return document.takeDiagnostics();
  mapping::Directives out;
  out.source = json;
  const JsonNode node = mappingNode(document->root());
  if (document->errors().empty() && node.has("units")) {
    for (const JsonNode& product : node.member("units").elements()) {
      if (!product.member("pinned").truth()) continue;
      const JsonNode tensor = product.member("tensor"), unit = product.member("unit");
      mapping::Directive directive;
      directive.kind = mapping::Directive::Kind::Unit;
      directive.subject = {tensor.text(), tensor.span()};
      directive.names = {{unit.text(), unit.span()}};
      directive.span = product.span();
      out.list.push_back(std::move(directive));
    }
  }
  if (!document->errors().empty()) return document->takeErrors();
  return out;
}

}  // namespace gridloom::exchange

// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

namespace ridge::trace_c {

void text_values::add(std::string_view text) {
  bytes += text;
  offsets.push_back(static_cast<std::int64_t>(bytes.size()));
}

std::size_t column::rows() const {
  if (const auto* texts = std::get_if<text_values>(&values)) return texts->offsets.size() - 1;
  if (const auto* numbers = std::get_if<doubles>(&values)) return numbers->size();
  return std::get<integers>(values).size();
}

template <class Values>
Values& table::add(std::string name) {
  return columns_.emplace_back(column{std::move(name), Values()}).values.template emplace<Values>();
}

integers& table::add_integers(std::string name) { return add<integers>(std::move(name)); }
doubles& table::add_doubles(std::string name) { return add<doubles>(std::move(name)); }
text_values& table::add_texts(std::string name) { return add<text_values>(std::move(name)); }

}  // namespace ridge::trace_c

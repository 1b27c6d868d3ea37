// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include <ridge/trace/trace_builder.hpp>

#include "json_text.hpp"
#include "recent_texts.hpp"

namespace ridge::backends::trace_chrome_json {

// The ids of texts by their raw bytes, so that a text is unescaped and checked once, not once per event. A
// small table of recent texts precedes the builder's.
class name_ids {
 public:
  explicit name_ids(trace::trace_builder& builder) : builder_(builder) {}
  [[nodiscard]] trace::name_id of(const token& raw);
  [[nodiscard]] std::uint64_t broken() const { return broken_; }  // texts that had to be mended

 private:
  [[nodiscard]] trace::name_id missed(std::string_view raw);

  trace::trace_builder& builder_;
  recent_texts recent_{};
  std::unordered_map<std::string, trace::name_id> mended_{};
  std::uint64_t broken_ = 0;
};

}  // namespace ridge::backends::trace_chrome_json

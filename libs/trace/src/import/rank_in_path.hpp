// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// The rank that the path of a document names.
class rank_in_path {
 public:
  // `pattern` as open_options::rank_pattern; `input` is the path that the user gave, of which only what lies
  // below it names ranks. An error names what is wrong with the pattern.
  [[nodiscard]] static result<rank_in_path> made(const std::string& pattern, const std::string& input);

  // Returns whether the user chose the pattern, so that it goes before what a trace records.
  [[nodiscard]] bool is_chosen() const { return chosen_; }
  // Returns the rank in the document's path; nullopt where it names none.
  [[nodiscard]] std::optional<int> of(const input_member& m) const;

 private:
  std::string input_{};
  std::string before_{}, behind_{};  // globs of what ends before the number, and of what begins behind it
  bool chosen_ = false;
};

// Returns the number behind the last word "rank" of a path ("node0/Rank_12.json": 12); nullopt without one.
[[nodiscard]] std::optional<int> rank_behind_word(std::string_view path);

}  // namespace ridge::trace

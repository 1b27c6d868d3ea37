// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/collective_kind.hpp>

namespace ridge::trace {

enum class name_confidence : std::uint8_t {
  certain,    // a library's own name (grade A)
  heuristic,  // words that communication uses and other kernels might too (grade C): say so
};

// A pattern that names communication: a part of a kernel's name, whatever its case. `*` stands for any run of
// characters, `~` for a place between a letter, digit or `_` and something else (or an end of the name).
struct communication_pattern {
  std::string part{};
  std::string library{};  // "NCCL", "DeepEP"
  name_confidence confidence = name_confidence::certain;
  collective_kind operation = collective_kind::unknown;  // unknown: the pattern does not tell
  bool excluded = false;                                 // names that look like communication and are not
};

// Which kernels are communication. The user sees and extends it (`--communication-names`).
struct communication_names {
  std::vector<communication_pattern> patterns{};

  [[nodiscard]] static communication_names built_in();
  // The first pattern that is part of the name; nullptr: none, or an excluded one came first.
  [[nodiscard]] const communication_pattern* match(std::string_view kernel) const;
  // What the kernel does: by its pattern, else by the words of its name.
  [[nodiscard]] collective_kind kind_of(std::string_view kernel) const;
};

// Patterns as text, one a line: PATTERN CONFIDENCE KIND LIBRARY, apart by blanks. CONFIDENCE is A (certain)
// or C (heuristic); KIND a name of collective_kind or `-` where the pattern does not tell; LIBRARY the rest
// of the line. `! PATTERN` excludes. `#` begins a comment. Errors name `path`, line and what was expected.
[[nodiscard]] result<std::vector<communication_pattern>> parse_communication_names(std::string_view text,
                                                                                   std::string_view path);

// The built-in names with those of the user's file before them, so that the file's win.
[[nodiscard]] result<communication_names> communication_names_with(const std::string& path);

}  // namespace ridge::trace

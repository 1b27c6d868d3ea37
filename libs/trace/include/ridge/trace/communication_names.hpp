// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/collective_kind.hpp>

namespace ridge::trace {

// How surely a pattern in a kernel's name means communication.
enum class name_confidence : std::uint8_t {
  certain,    // a library's own name (grade A)
  heuristic,  // words that communication uses and other kernels might use too (grade C); reports say so
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

  // Returns the patterns that the library ships (libs/trace/data/communication_names.txt).
  [[nodiscard]] static communication_names built_in();
  // Returns the first pattern that is part of the kernel's name; nullptr where there is none or an excluding
  // one comes first.
  [[nodiscard]] const communication_pattern* match(std::string_view kernel) const;
  // Returns what the kernel does, by its pattern, else by the words of its name.
  [[nodiscard]] collective_kind kind_of(std::string_view kernel) const;
};

// Parses patterns, one per line: PATTERN CONFIDENCE KIND LIBRARY, separated by blanks. CONFIDENCE is A
// (certain) or C (heuristic); KIND is a name of collective_kind, or `-` where the pattern does not tell;
// LIBRARY is the rest of the line. `! PATTERN` excludes. `#` begins a comment. Errors name `path`, line and
// what was expected.
[[nodiscard]] result<std::vector<communication_pattern>> parse_communication_names(std::string_view text,
                                                                                   std::string_view path);

// Returns the built-in patterns with those of the file at `path` before them, so that the file's take
// precedence. An error names the file, or the line that cannot be read.
[[nodiscard]] result<communication_names> communication_names_with(const std::string& path);

}  // namespace ridge::trace

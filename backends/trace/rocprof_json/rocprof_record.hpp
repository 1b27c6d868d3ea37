// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/json_walk.hpp>

namespace ridge::backends::trace_rocprof_json {

// The numbers of one record of a list of "buffer_records" that a trace keeps. -1: missing, but for those that
// say otherwise.
struct rocprof_record {
  std::int64_t kind = -1, operation = -1;
  std::int64_t correlation = -1;  // "correlation_id": {"internal": ...}
  std::int64_t start = 0, end = -1;
  std::int64_t thread = 0;
  std::int64_t stream = -1, queue = -1;  // handles
  std::int64_t agent = -1, source_agent = -1, destination_agent = -1;
  std::int64_t kernel = -1;
  std::int64_t bytes = 0, group_segment = 0, private_segment = 0;
  std::array<std::int64_t, 3> workgroup{1, 1, 1}, grid{1, 1, 1};
};

// Reads the records of a list. All are written alike, so the text between two numbers of an earlier record
// (braces, keys, texts) is compared first; a record is taken apart only where it differs.
class record_reader {
 public:
  // Reads the record whose opening brace is at `position`, numbers only; all else is skipped. Returns the
  // position behind it, or nullptr as walks do.
  [[nodiscard]] const char* read(trace::json_walk& walk, const char* position, rocprof_record& record);

  // A number of a record: where it stands in the text, and the byte of the record that it is kept at; -1: it
  // is not.
  struct number {
    const char* begin = nullptr;
    const char* end = nullptr;
    std::ptrdiff_t kept_at = -1;
  };

 private:
  struct step {
    std::string before{};         // the text between the number before and this one
    std::ptrdiff_t kept_at = -1;  // as in `number`
  };
  struct form {
    std::vector<step> steps{};
    std::string rest{};       // the text behind the last number
    std::size_t longest = 0;  // bytes that comparing may read; 0: no record was learned
  };

  [[nodiscard]] static const char* read_alike(const form& known, const char* position, const char* end,
                                              rocprof_record& record);
  void learn(const char* begin, const char* end);

  std::array<form, 2> forms_{};
  unsigned oldest_ = 0;
  std::vector<number> numbers_{};  // of the record that is taken apart
};

}  // namespace ridge::backends::trace_rocprof_json

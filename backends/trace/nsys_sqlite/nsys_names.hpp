// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <ridge/trace/trace_builder.hpp>

#include "nsys_file.hpp"

namespace ridge::backends::trace_nsys_sqlite {

// StringIds. A text enters the trace when a row uses it, not before.
class nsys_names {
 public:
  explicit nsys_names(const nsys_file& file);

  [[nodiscard]] std::string_view text(std::int64_t id) const;  // "" for an id that is not there
  // A column that holds an id, or the text itself.
  [[nodiscard]] std::string_view text_in(const table_rows& row, int column) const;

 private:
  std::unordered_map<std::int64_t, std::string> texts_{};
};

// "cudaLaunchKernel" of "cudaLaunchKernel_v7000": the version is of the profiler's table, not of the
// function.
[[nodiscard]] std::string_view without_version(std::string_view api);

}  // namespace ridge::backends::trace_nsys_sqlite

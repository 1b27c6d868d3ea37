// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <ridge/trace/trace_builder.hpp>

#include "nsys_file.hpp"

namespace ridge::backends::trace_nsys_sqlite {

// The texts of the table StringIds. A text enters the trace when a row uses it.
class nsys_names {
 public:
  explicit nsys_names(const nsys_file& file);

  [[nodiscard]] std::string_view text(std::int64_t id) const;  // "" for an unknown id
  // Returns the text of a column that holds an id or the text itself.
  [[nodiscard]] std::string_view text_in(const table_rows& row, int column) const;

 private:
  std::unordered_map<std::int64_t, std::string> texts_{};
};

// Returns "cudaLaunchKernel" for "cudaLaunchKernel_v7000": the version belongs to the profiler's table, not
// to the function.
[[nodiscard]] std::string_view without_version(std::string_view api);

}  // namespace ridge::backends::trace_nsys_sqlite

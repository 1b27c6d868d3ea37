// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::backends::profile_cupti {

// A file that grows by whole lines, so that a killed process leaves complete lines. Errors are kept and not
// thrown, so that the surrounding program continues.
class line_file {
 public:
  explicit line_file(const std::string& path);
  ~line_file();
  line_file(const line_file&) = delete;
  line_file& operator=(const line_file&) = delete;
  void append(std::string_view lines);

 private:
  int descriptor_;
};

}  // namespace ridge::backends::profile_cupti

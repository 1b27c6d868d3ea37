// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace ridge::app {

// A file that is written piece by piece and takes its name when it is whole; nothing is left where it never
// is. io_failure names the path.
class output_file {
 public:
  explicit output_file(std::string path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  void write(std::string_view text);
  void finish();

 private:
  std::string path_, partial_;
  std::FILE* file_ = nullptr;
};

}  // namespace ridge::app

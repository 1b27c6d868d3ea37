// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace ridge::app {

// A file that is written piece by piece and appears under its name only when it is complete; otherwise
// nothing is left. Every function throws io_failure, which names the path.
class output_file {
 public:
  // Creates the file under a temporary name beside `path`.
  explicit output_file(std::string path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  // Appends the text.
  void write(std::string_view text);
  // Closes the file and gives it its name. Call it once, at the end.
  void finish();

 private:
  std::string path_, partial_;
  std::FILE* file_ = nullptr;
};

// Throws io_failure where no file of this name could be written, and leaves nothing behind; "-" is standard
// output. Call it before work whose results would be lost.
void expect_writable(const std::string& path);

}  // namespace ridge::app

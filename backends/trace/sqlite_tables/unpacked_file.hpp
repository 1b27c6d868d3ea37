// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/trace/byte_source.hpp>

namespace ridge::backends::trace_sqlite_tables {

// A file with the content of a source: the source's own file, or a temporary one that is removed at the end.
class unpacked_file {
 public:
  explicit unpacked_file(trace::byte_source& source);  // throws io_failure where there is no room for it
  ~unpacked_file();
  unpacked_file(const unpacked_file&) = delete;
  unpacked_file& operator=(const unpacked_file&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_{};
  bool temporary_ = false;
};

}  // namespace ridge::backends::trace_sqlite_tables

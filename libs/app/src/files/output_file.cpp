// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/output_file.hpp>

#include <cerrno>
#include <filesystem>
#include <utility>

#include <ridge/base/error.hpp>

namespace ridge::app {

output_file::output_file(std::string path) : path_(std::move(path)), partial_(path_ + ".partial") {
  file_ = std::fopen(partial_.c_str(), "wb");
  if (file_ == nullptr) throw io_failure("write", partial_, errno);
}

output_file::~output_file() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(partial_.c_str());
}

void output_file::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
    throw io_failure("write", partial_, errno);
}

void output_file::finish() {
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!closed || std::rename(partial_.c_str(), path_.c_str()) != 0) throw io_failure("write", path_, errno);
}

void expect_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  if (std::filesystem::is_directory(path)) throw io_failure("write", path, EISDIR, "name a file");
  const output_file unfinished(path);
}

}  // namespace ridge::app

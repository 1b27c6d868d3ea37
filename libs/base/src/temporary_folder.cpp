// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/temporary_folder.hpp>

#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge {

std::filesystem::path temporary_folder() {
  std::error_code missing;
  auto folder = std::filesystem::temp_directory_path(missing);
  if (!missing) return folder;
  const char* named = std::getenv("TMPDIR");
  throw failure(
      {fmt::format("\"{}\", the place for temporary files, is not a folder", named ? named : "/tmp"),
       "set TMPDIR to a folder that can be written"});
}

scratch_folder::scratch_folder(const std::string& purpose) {
  auto name = (temporary_folder() / (purpose + "-XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    throw io_failure("create", name, errno, "set TMPDIR to a folder that can be written");
  path_ = name;
}

scratch_folder::~scratch_folder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace ridge

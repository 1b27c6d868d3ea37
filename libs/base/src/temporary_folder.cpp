// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/temporary_folder.hpp>

#include <cstdlib>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge {

std::filesystem::path temporary_folder() {
  std::error_code missing;
  auto folder = std::filesystem::temp_directory_path(missing);
  if (!missing) return folder;
  const char* named = std::getenv("TMPDIR");
  throw failure({fmt::format("\"{}\", the place for temporary files, is no folder", named ? named : "/tmp"),
                 "set TMPDIR to a folder that can be written"});
}

}  // namespace ridge

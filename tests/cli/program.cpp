// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace ridge::cli {

scene::scene() {
  static int count = 0;
  folder_ = std::filesystem::temp_directory_path() /
            ("ridge_cli_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  std::filesystem::create_directories(folder_);
}

scene::~scene() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

outcome scene::ridge(const std::string& words, const std::string& before) const {
  const auto out = (folder_ / "out").string(), err = (folder_ / "err").string();
  // All tests share one cache of ceilings, since measuring them takes a second.
  const auto cache = std::filesystem::temp_directory_path() / "ridge_cli_cache";
  const auto line = "cd " + folder_.string() +
                    " && env -u RIDGE_STORE -u NO_COLOR XDG_CACHE_HOME=" + cache.string() +
                    " XDG_DATA_HOME=" + folder_.string() + " " + before + " " RIDGE_PROGRAM " " + words +
                    " >" + out + " 2>" + err + " </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(out), contents(err)};
}

bool runs(pid_t id) {
  const auto stat = contents("/proc/" + std::to_string(id) + "/stat");
  const auto name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end, 3, ") Z") != 0;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace ridge::cli

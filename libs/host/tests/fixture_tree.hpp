// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ridge::host {

// A folder of made-up system files, removed at the end.
class fixture_tree final {
 public:
  fixture_tree() {
    std::string pattern = std::filesystem::temp_directory_path() / "ridge_tree.XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::filesystem::filesystem_error("mkdtemp", pattern, {});
    root_ = pattern;
  }
  ~fixture_tree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  fixture_tree(const fixture_tree&) = delete;
  fixture_tree& operator=(const fixture_tree&) = delete;

  void write(const std::string& path, std::string_view text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  // A link at `path` to what lies at `target` in this tree, which need not be there.
  void link(const std::string& path, const std::string& target) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::filesystem::create_symlink(root_ / target, root_ / path);
  }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace ridge::host

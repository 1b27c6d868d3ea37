// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/server/service.hpp>

namespace ridge::server {

// A static file as it is sent.
struct shelved_asset {
  std::string content_type{};
  std::string tag{};  // the entity tag, in its quotes; that of the compressed file differs
  std::string gzip_tag{};
  std::string_view cache{};
  std::shared_ptr<const std::string> plain{};
  std::shared_ptr<const std::string> gzip{};  // null where compression saves nothing
};

// Static files, compressed once. Only paths that were given exist: nothing is read from a disk.
class asset_shelf final {
 public:
  explicit asset_shelf(const std::vector<static_asset>& assets);

  // Returns the file of a path; that of /index.html for "/"; null where there is none.
  [[nodiscard]] const shelved_asset* find(std::string_view path) const;

 private:
  std::map<std::string, shelved_asset, std::less<>> shelf_{};
};

// Returns whether a name holds a hash of the content: "app-4f2a9c1b.js", eight letters or digits or more
// between
// `-` or `.` and the end of the name.
[[nodiscard]] bool has_hashed_name(std::string_view path);

}  // namespace ridge::server

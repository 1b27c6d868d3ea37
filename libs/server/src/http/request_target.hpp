// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/named_text.hpp>

namespace ridge::server {

// A target taken apart. `path` is decoded once, begins with a slash and is the only spelling of its resource.
struct request_target {
  std::string authority{};  // of the absolute form, in small letters: "127.0.0.1:8100"; else empty
  std::string path{};
  std::vector<named_text> query{};
};

// Reads the target of a request in origin form ("/a?b=c") or absolute form ("http://host/a"). An error for
// another form, and for a path that could name the same resource in two ways: with `.` or `..` as a segment,
// empty segments, backslashes, encoded slashes, control characters, or encoding that is cut short.
[[nodiscard]] result<request_target> read_target(std::string_view target);

}  // namespace ridge::server

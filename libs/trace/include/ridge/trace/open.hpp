// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/importer.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

struct open_options {
  read_limits limits{};
  bool cache = true;           // the sidecar cache (decision 72)
  std::string cache_folder{};  // empty: $XDG_CACHE_HOME/ridge/traces
  std::string version{};       // of the program: what another one kept is not used
  std::uint64_t cached_from_bytes = std::uint64_t{4} << 20;  // smaller contents are as fast to read again
  std::vector<int> ranks{};  // only these, where the trace says its rank; empty: all
  std::function<void(std::string_view what)> progress{};  // "reading rank3.json.gz"
};

// A file that could not be read as a trace, beside others that could.
struct unread_member {
  input_member what{};
  error why{};
};

struct opened_traces {
  std::vector<trace> traces{};  // by rank, then by name
  std::vector<unread_member> unread{};
};

// Opens a file or folder. An error when nothing in it is a trace; formats that cannot be read (.nsys-rep,
// .ncu-rep, .pftrace, a Git LFS pointer, HTML) are named with the command that makes a readable one.
[[nodiscard]] result<opened_traces> open(const std::string& path, std::span<const importer* const> importers,
                                         const open_options& options = {});

}  // namespace ridge::trace

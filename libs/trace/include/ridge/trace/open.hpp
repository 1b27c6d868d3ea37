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

// How to open traces.
struct open_options {
  read_limits limits{};
  bool cache = true;           // the sidecar cache (decision 72)
  std::string cache_folder{};  // empty: $XDG_CACHE_HOME/ridge/traces
  std::string version{};       // the program's version: caches of other versions are not used
  std::uint64_t cached_from_bytes = std::uint64_t{4}
                                    << 20;  // smaller contents are not cached: reading them again is as fast
  std::vector<int> ranks{};                 // reads only these ranks, where traces name theirs; empty: all
  // Where the rank stands in a file's path below the input: "host*/gpu{rank}_", `*` for any run of
  // characters. It may begin and end anywhere in the path, and goes before the rank that a trace records.
  // Empty: the rank that the trace records, else a number behind the word "rank" in the path
  // ("node0/rank-12.json").
  std::string rank_pattern{};
  std::function<void(std::string_view stage)> progress{};  // called with "reading rank3.json.gz" and the like
};

// A document that could not be read as a trace, while others could.
struct unread_member {
  input_member member{};
  error why{};
};

// The traces of an input, and the documents that are none.
struct opened_traces {
  std::vector<trace> traces{};  // by rank, then by name
  std::vector<unread_member> unread{};
};

// Opens a file or folder. It returns an error when nothing in it is a trace; for formats that cannot be read
// (.nsys-rep, .ncu-rep, perf.data, a Git LFS pointer, HTML) the error names the command that makes a readable
// one.
[[nodiscard]] result<opened_traces> open(const std::string& path, std::span<const importer* const> importers,
                                         const open_options& options = {});

// Opens a file or folder as open() does and hands over each trace as soon as it is read, in the order of
// their names, so that only one is held at a time. Returns the documents that are no trace; an error where
// none is one.
[[nodiscard]] result<std::vector<unread_member>> open_each(const std::string& path,
                                                           std::span<const importer* const> importers,
                                                           const open_options& options,
                                                           const std::function<void(trace&&)>& take);

}  // namespace ridge::trace

// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/simulated_calls.hpp>

#include <string_view>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>

namespace ridge::device {
namespace {

constexpr std::string_view operation_names[] = {"allocate",   "fill",         "poison",         "digest",
                                                "block_sums", "copy_to_host", "copy_from_host", "evict",
                                                "mark",       "synchronize"};

}  // namespace

void simulated_calls::fail(operation kind, std::uint64_t call) {
  expects(call > 0, "simulated: the next call is number 1");
  counters_[static_cast<std::size_t>(kind)].fails_at = so_far(kind) + call;
}

void simulated_calls::count(operation kind) {
  counter& c = counters_[static_cast<std::size_t>(kind)];
  if (++c.calls != c.fails_at) return;
  const auto name = operation_names[static_cast<std::size_t>(kind)];
  throw failure(
      {fmt::format("simulated failure of {}, call {}", name, c.calls), "this failure was asked for"});
}

}  // namespace ridge::device

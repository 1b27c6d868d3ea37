// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ridge::peers {

// A loop over arrays as STREAM and its successors write it: plain C++, left to the compiler. `arrays` is how
// many it passes over (STREAM's count of bytes: lines read only to be overwritten do not count).
struct stream_loop {
  std::string_view name;  // read, copy, triad, "triad, non-temporal"
  std::string_view id;    // of our row for the same work
  double arrays;
  // a[0, n) from b and c; returns what a read comes to.
  double (*run)(double* a, const double* b, const double* c, std::size_t n);
};

// Compiled with -O3, with -O3 -march=native besides, and the C library's memcpy.
[[nodiscard]] std::span<const stream_loop> plain_stream_loops();
[[nodiscard]] std::span<const stream_loop> native_stream_loops();

}  // namespace ridge::peers

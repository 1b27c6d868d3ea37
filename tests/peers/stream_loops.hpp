// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ridge::peers {

// A loop over arrays as STREAM and its successors write it: plain C++ that the compiler optimises. `arrays`
// is the number of arrays that it passes over (as STREAM counts bytes, lines that are read only to be
// overwritten do not count).
struct stream_loop {
  std::string_view name;  // read, copy, triad, "triad, non-temporal"
  std::string_view id;    // id of Ridge's row for the same work
  double arrays;
  // Computes a[0, n) from b and c; returns the sum of a read.
  double (*run)(double* a, const double* b, const double* c, std::size_t n);
};

// Return the loops compiled with -O3 and with -O3 -march=native, and the C library's memcpy.
[[nodiscard]] std::span<const stream_loop> plain_stream_loops();
[[nodiscard]] std::span<const stream_loop> native_stream_loops();

}  // namespace ridge::peers

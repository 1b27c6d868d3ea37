// SPDX-License-Identifier: Apache-2.0
#include "data/fingerprint.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

#include "data/keyed_member.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t blocks_per_array = 16;

std::string sums_differ(const std::vector<device::block_sum>& got,
                        const std::vector<device::block_sum>& expected, tolerance within, std::size_t array) {
  for (std::size_t b = 0; b < expected.size(); ++b) {
    const auto &g = got[b], &e = expected[b];
    const double allowed = within.abs * static_cast<double>(e.count) + within.rel * e.sum_abs;
    // Adding up in double rounds as well: one unit of roundoff per element.
    const double rounding = 1e-15 * (e.sum_abs + g.sum_abs) * std::sqrt(static_cast<double>(e.count) + 1);
    if (g.not_finite != e.not_finite) {
      return fmt::format("result {} block {}: {} values are not finite, expected {}", array, b, g.not_finite,
                         e.not_finite);
    }
    if (!(std::fabs(g.sum - e.sum) <= allowed + rounding)) {
      return fmt::format("result {} block {}: sum {:.9g}, expected {:.9g} within {:.3g}", array, b, g.sum,
                         e.sum, allowed);
    }
  }
  return {};
}

// Arrays up to this size are cheap to look at.
constexpr std::size_t looked_at_whole_bytes = std::size_t{1} << 20;
constexpr std::size_t piece_bytes = 4096, pieces_per_look = 8;

using array_pieces = std::vector<std::span<const std::byte>>;

// One piece of each eight in a row.
array_pieces drawn_pieces(std::span<const std::byte> array, std::uint64_t key) {
  array_pieces all;
  all.reserve(array.size() / (piece_bytes * pieces_per_look) + 1);
  for (std::size_t first = 0; first < array.size(); first += piece_bytes * pieces_per_look) {
    const auto row = array.subspan(first, std::min(piece_bytes * pieces_per_look, array.size() - first));
    const std::size_t pieces = (row.size() + piece_bytes - 1) / piece_bytes;
    const auto at = mix_keys(key, first) % pieces * piece_bytes;
    all.push_back(row.subspan(at, std::min(piece_bytes, row.size() - at)));
  }
  return all;
}

std::uint64_t digest_of(device::device& device, const array_pieces& pieces) {
  if (pieces.size() == 1) return device.digest(pieces.front());
  std::uint64_t all = pieces.size();
  for (const auto piece : pieces) all = mix_keys(all, device.digest(piece));
  return all;
}

void add(device::block_sum& sum, const device::block_sum& part) {
  sum.sum += part.sum;
  sum.sum_abs += part.sum_abs;
  sum.count += part.count;
  sum.not_finite += part.not_finite;
}

std::vector<device::block_sum> sums_of(device::device& device, const array_pieces& pieces, dtype type) {
  std::vector<device::block_sum> all(blocks_per_array);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    add(all[i * blocks_per_array / pieces.size()], device.block_sums(pieces[i], type, 1).front());
  return all;
}

}  // namespace

bool is_result(const array_record& array) { return array.use == use::out || array.use == use::inout; }

std::vector<std::span<const std::byte>> looked_at(const memory& arrays, const array_record& array,
                                                  std::optional<std::uint64_t> pieces_key) {
  const bool whole =
      !pieces_key || !arrays.where().on_host() || array.bytes().size() <= looked_at_whole_bytes;
  return whole ? array_pieces{array.bytes()} : drawn_pieces(array.bytes(), *pieces_key);
}

fingerprint take_fingerprint(const memory& outputs_of, bool exact, std::optional<std::uint64_t> pieces_key) {
  auto& device = outputs_of.where();
  fingerprint f{.pieces_key = pieces_key};
  for (const auto& a : outputs_of.arrays()) {
    if (!is_result(a)) continue;
    const auto pieces = looked_at(outputs_of, a, pieces_key);
    if (exact) {
      f.digests.push_back(digest_of(device, pieces));
    } else {
      f.sums.push_back(pieces.size() == 1 ? device.block_sums(pieces.front(), a.type, blocks_per_array)
                                          : sums_of(device, pieces, a.type));
    }
  }
  return f;
}

void enqueue_fingerprint(const memory& outputs_of, bool exact) {
  for (const auto& a : outputs_of.arrays()) {
    if (!is_result(a)) continue;
    if (exact) {
      outputs_of.where().enqueue_digest(a.bytes());
    } else {
      outputs_of.where().enqueue_block_sums(a.bytes(), a.type, blocks_per_array);
    }
  }
}

fingerprint next_fingerprint(const memory& outputs_of, bool exact, taken_results& results) {
  fingerprint f;
  for (const auto& a : outputs_of.arrays()) {
    if (!is_result(a)) continue;
    if (exact) {
      f.digests.push_back(results.digests.at(results.next_digest++));
    } else {
      f.sums.push_back(std::move(results.sums.at(results.next_sums++)));
    }
  }
  return f;
}

std::string disagreement(const fingerprint& got, const fingerprint& expected, tolerance within) {
  expects(got.pieces_key == expected.pieces_key, "disagreement: two fingerprints of the same pieces");
  for (std::size_t i = 0; i < expected.digests.size(); ++i) {
    if (got.digests[i] != expected.digests[i]) return fmt::format("result {} differs in its bits", i);
  }
  for (std::size_t i = 0; i < expected.sums.size(); ++i) {
    if (auto why = sums_differ(got.sums[i], expected.sums[i], within, i); !why.empty()) return why;
  }
  return {};
}

}  // namespace ridge::harness

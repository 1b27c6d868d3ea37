// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::kernels {

// The columns of the axes of attention.csv.
inline constexpr std::array attention_columns{"prefill_chunk", "kv_prefill", "n_decode", "kv_decode"};

// Measured attention of one layer on a grid of four axes, in this order: tokens of a prompt, its tokens in
// the cache, decoding sequences, tokens in the cache of each. All axes begin at 0.
struct attention_points {
  enum axis : std::size_t { chunk, context, decodes, decode_context };
  using place = std::array<std::size_t, 4>;  // of each axis

  std::array<std::vector<double>, 4> axes{};
  std::vector<double> seconds{};  // by cell(); NaN: not measured

  [[nodiscard]] std::size_t cell(const place& p) const;
  [[nodiscard]] double at(const place& p) const { return seconds[cell(p)]; }
  // Whether a step can be so: contexts belong to prompts and sequences that are there.
  [[nodiscard]] bool possible(const place& p) const;

  // Reads attention.csv: prefill_chunk, kv_prefill, n_decode, kv_decode, time_us; or in the later layout of
  // the format prefill_key (kv_prefill + prefill_chunk / 2) instead of kv_prefill, and decode_q_len, of which
  // only rows of one query are taken. The error names file, line and column of a value that cannot be, and
  // the axis of which fewer than two values were measured of prompts or of sequences alone.
  [[nodiscard]] static result<attention_points> read(const std::filesystem::path& file);
};

// How many points of one kind of step were measured, and how many were filled in.
struct filled_points {
  std::string_view of_what{};  // "decoding sequences", "prompts", "prompts beside decoding sequences"
  std::size_t points = 0, filled = 0, beyond = 0;  // beyond: outside what was measured
  std::array<double, 4> least{}, most{};           // of the filled ones, on each axis
  std::array<bool, 4> throughout{};                // whether they reach over the whole axis

  // "12 of 99 points of decoding sequences (n_decode 64 to 256, kv_decode 4096 to 16384; 10 beyond ...)";
  // axes over which they reach throughout are left out.
  [[nodiscard]] std::string text() const;
};

// Fills in what was not measured. Between two measurements of an axis: linear in the work that the axis adds
// (query-key pairs of the prompt; context read by the decoding sequences), along the axis whose measurements
// are nearest. Beyond the last: along the line of the last two in that work, but neither below the last nor
// above what its utilisation gives; from one measurement alone at its utilisation. Prompts beside decoding
// sequences of which nothing was measured cost the sum of both.
[[nodiscard]] std::vector<filled_points> fill_in(attention_points& points);

}  // namespace ridge::plan::kernels

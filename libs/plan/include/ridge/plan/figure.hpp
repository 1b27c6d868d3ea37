// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::plan {

// Where a number comes from, from the most to the least certain.
enum class basis : std::uint8_t {
  given,      // stated by the user or by the model's configuration
  derived,    // follows exactly from given values
  datasheet,  // the vendor's specification
  measured,
  fitted,   // coefficients fitted to measurements
  assumed,  // a stated assumption that the user can change
};

// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(basis b);

// A symbol of a formula with its value, as text: {"L", "80 layers"}.
struct input {
  std::string symbol{};
  std::string value{};
};

// A number with its unit, its formula and inputs, the source of the least certain input, and its band.
struct figure {
  std::string id{};  // stable name with its unit, used as the JSON member: "bytes_per_token", "ttft_p50_ms"
  std::string label{};  // "KV cache per token"
  double value = 0;
  std::string
      unit{};  // one that format_quantity knows: "B", "s", "FLOP", "USD", "W"; "1" is a share; "" a count
  std::string formula{};  // "2 · L · KV · d · e"
  std::vector<input> inputs{};
  plan::basis basis{plan::basis::derived};
  std::string source{};      // source of the least certain input: "H100 SXM, accelerators, 2026-08-22"
  double relative_band = 0;  // half the width of the band over the value; 0: exact
  double low_factor = 0,
         high_factor = 0;  // of a band that is not symmetric: its ends over the value; 0: it is

  // Ends of the band, in the unit of the value.
  [[nodiscard]] double low() const { return value * (low_factor > 0 ? low_factor : 1 - relative_band); }
  [[nodiscard]] double high() const { return value * (high_factor > 0 ? high_factor : 1 + relative_band); }
  [[nodiscard]] bool has_band() const { return relative_band > 0 || low_factor > 0; }
};

// All figures behind a result in the order of the calculation (`--explain`).
using derivation = std::vector<figure>;

// The figure of that id; null when there is none. Points into `sheet`.
[[nodiscard]] const figure* find(const derivation& sheet, std::string_view id);

}  // namespace ridge::plan

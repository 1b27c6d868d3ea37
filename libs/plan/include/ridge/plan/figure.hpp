// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::plan {

// Where a number comes from, from the surest to the least sure.
enum class basis : std::uint8_t {
  given,      // by the user, or by the model's configuration
  derived,    // follows exactly from what is given
  datasheet,  // the vendor's specification
  measured,
  fitted,   // coefficients fitted to measurements
  assumed,  // a stated assumption that the user can change
};

[[nodiscard]] std::string_view name_of(basis b);

// A symbol of a formula with its value, as text: {"L", "80 layers"}.
struct input {
  std::string symbol{};
  std::string value{};
};

// A number that can be believed: what it is, in which unit, by which formula from which inputs, where the
// least sure of them comes from, and how far off it may be.
struct figure {
  std::string id{};     // stable; its member in JSON, with its unit: "bytes_per_token", "ttft_p50_ms"
  std::string label{};  // "KV cache per token"
  double value = 0;
  std::string unit{};     // of format_quantity: "B", "s", "FLOP", "USD", "W"; "1" is a share; "" a count
  std::string formula{};  // "2 · L · KV · d · e"
  std::vector<input> inputs{};
  basis from{basis::derived};
  std::string source{};      // of the least sure input: "H100 SXM, accelerators, 2026-08-22"
  double relative_band = 0;  // half its width as a share of the value; 0: exact

  [[nodiscard]] double low() const { return value * (1 - relative_band); }
  [[nodiscard]] double high() const { return value * (1 + relative_band); }
};

// How a result came about: every figure in the order of the calculation (`--explain`).
using derivation = std::vector<figure>;

[[nodiscard]] const figure* find(const derivation& in, std::string_view id);  // or null

}  // namespace ridge::plan

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/workload.hpp>

namespace ridge::plan::serve {

// The distribution of the gaps between arrivals.
enum class arrival_process : std::uint8_t {
  constant,
  poisson,
  gamma,    // gamma-distributed gaps; burstiness 1 is Poisson, below 1 means bursts (vLLM's term)
  weibull,  // Weibull-distributed gaps of this shape (ServeGen)
};

// A distribution of lengths in tokens; every length is at least 1.
struct length_distribution {
  enum class shape : std::uint8_t { fixed, uniform, lognormal, zipf, trace } kind{shape::fixed};
  double mean = 512;         // fixed, lognormal
  double deviation = 0;      // lognormal: standard deviation of the lengths
  double low = 1, high = 1;  // uniform; zipf and lognormal: bounds (high 1: none)
  double exponent = 1.0;     // zipf: a length x from low to high has weight x^-exponent
  std::vector<std::uint32_t>
      recorded{};  // trace: drawn with replacement; prompt and answer come from one row

  // The length for a uniform number u in (0, 1) and, for lognormal, a standard normal number z.
  [[nodiscard]] std::uint32_t at(double u, double z) const;
};

// Reads "512", "uniform:100:900", "lognormal:512:200" or "zipf:1:4096:1.1". The error lists these forms.
[[nodiscard]] result<length_distribution> parse_lengths(std::string_view text);

// Conversations of several turns.
struct session_shape {
  double turns = 1;                 // mean number of turns (geometric); 1: single requests
  double pause_s = 0;               // mean pause between an answer and the next turn (exponential)
  std::uint32_t shared_tokens = 0;  // tokens at the start of all prompts (system prompt)
};

// The workload to generate.
struct generator_settings {
  std::int64_t requests = 1000;
  arrival_process process{arrival_process::poisson};
  double rate = 1;            // requests (with sessions: sessions) per second
  double burstiness = 1;      // shape of gamma and Weibull
  std::uint32_t clients = 0;  // closed loop with so many requests at a time; `rate` is not used
  double think_s = 0;
  length_distribution prompt{}, output{.mean = 128};
  session_shape sessions{};
  std::uint32_t tenants = 1;  // chosen with equal probability
  std::uint32_t hash_tokens = 16;
  std::uint64_t seed = 0;
};

// Generates a workload. Every random number is a function of the seed, the index of the request and its
// purpose, so request 17 is the same at any rate and on any machine. The error names the setting that is out
// of range.
[[nodiscard]] result<workload> generate_workload(const generator_settings& settings);

}  // namespace ridge::plan::serve

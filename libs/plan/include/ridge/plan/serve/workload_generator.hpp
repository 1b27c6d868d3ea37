// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/workload.hpp>

namespace ridge::plan::serve {

enum class arrival_process : std::uint8_t {
  constant,
  poisson,
  gamma,    // gaps of a gamma distribution; burstiness 1 is Poisson, below 1 comes in bursts (vLLM's word)
  weibull,  // gaps of a Weibull distribution of this shape (ServeGen)
};

// Lengths in tokens; always from 1 on.
struct length_distribution {
  enum class shape : std::uint8_t { fixed, uniform, lognormal, zipf, trace } kind{shape::fixed};
  double mean = 512;                  // fixed, lognormal
  double deviation = 0;               // lognormal: standard deviation of the lengths
  double low = 1, high = 1;           // uniform; zipf and lognormal: bounds (high 1: none)
  double exponent = 1.0;              // zipf: a length x from low to high has weight x^-exponent
  std::vector<std::uint32_t> from{};  // trace: drawn with replacement, prompt and answer of one row together

  // At a uniform number u of (0, 1) and, for lognormal, a normal number z.
  [[nodiscard]] std::uint32_t at(double u, double z) const;
};

// "512", "uniform:100:900", "lognormal:512:200", "zipf:1:4096:1.1". The error says what is understood.
[[nodiscard]] result<length_distribution> parse_lengths(std::string_view text);

struct session_shape {
  double turns = 1;                 // mean number of turns, geometric; 1: single requests
  double pause_s = 0;               // mean pause between an answer and the next turn, exponential
  std::uint32_t shared_tokens = 0;  // a start that all prompts share (system prompt)
};

struct generator_settings {
  std::int64_t requests = 1000;
  arrival_process process{arrival_process::poisson};
  double rate = 1;            // requests (with sessions: sessions) a second
  double burstiness = 1;      // gamma: its shape; weibull: its shape
  std::uint32_t clients = 0;  // closed loop: so many at a time; rate unused
  double think_s = 0;
  length_distribution prompt{}, output{.mean = 128};
  session_shape sessions{};
  std::uint32_t tenants = 1;  // drawn evenly
  std::uint32_t hash_tokens = 16;
  std::uint64_t seed = 0;
};

// Every number is a function of the seed, the request's index and its purpose, so request 17 asks the same
// whatever the rate and whoever computes it.
[[nodiscard]] result<workload> generate_workload(const generator_settings& with);

}  // namespace ridge::plan::serve

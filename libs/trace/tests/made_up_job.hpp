// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <ridge/trace/collectives.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {

// A job whose ranks compute and then reduce together, repeatedly. Each rank writes its trace on its own
// clock: own = true - offset - true * drift.
struct made_up_job {
  int ranks = 8;
  int steps = 40;
  nanoseconds compute_ns = 400'000, gap_ns = 10'000, transfer_ns = 60'000;
  nanoseconds noise_ns = 5'000;            // noise of every rank's compute
  nanoseconds ends_ns = 3'000;             // how far apart the ends of one collective may lie
  std::vector<nanoseconds> slower_ns{};    // additional compute of a rank
  std::vector<nanoseconds> later_ns{};     // additional idle time of a rank
  std::vector<nanoseconds> offsets_ns{};   // offset of a rank's clock
  std::vector<std::int64_t> drifts_ppb{};  // drift of a rank's clock
  std::vector<nanoseconds> epochs_ns{};
  std::vector<std::string> hosts{};
  int lonely = -1;  // a rank whose reductions belong to another group
  std::mt19937_64 draw{1};

  [[nodiscard]] nanoseconds own(std::size_t rank, nanoseconds t) const {
    return t - of(offsets_ns, rank) - t / 1'000'000 * of(drifts_ppb, rank) / 1'000;
  }

  [[nodiscard]] std::vector<trace> run() {
    const auto n = static_cast<std::size_t>(ranks);
    std::vector<fixtures::scene> scenes(n);
    std::vector<nanoseconds> free_at(n, 0);
    for (int s = 0; s < steps; ++s) step(scenes, free_at);
    std::vector<trace> traces;
    for (std::size_t r = 0; r < n; ++r) {
      auto& facts = scenes[r].builder().facts();
      facts.source.rank = static_cast<int>(r);
      facts.epoch_ns = of(epochs_ns, r);
      if (r < hosts.size()) facts.source.host = hosts[r];
      traces.push_back(scenes[r].build());
    }
    return traces;
  }

 private:
  template <class T>
  static T of(const std::vector<T>& values, std::size_t rank) {
    return rank < values.size() ? values[rank] : T{};
  }

  nanoseconds up_to(nanoseconds most) { return std::uniform_int_distribution<nanoseconds>(0, most)(draw); }

  void step(std::vector<fixtures::scene>& scenes, std::vector<nanoseconds>& free_at) {
    std::vector<nanoseconds> ready(scenes.size());
    for (std::size_t r = 0; r < scenes.size(); ++r) {
      const auto start = free_at[r] + gap_ns + of(later_ns, r);
      ready[r] = start + compute_ns + of(slower_ns, r) + up_to(noise_ns);
      write(scenes[r], "gemm", r, start, ready[r], 7);
    }
    const auto done = *std::max_element(ready.begin(), ready.end()) + transfer_ns;
    for (std::size_t r = 0; r < scenes.size(); ++r) {
      free_at[r] = done + up_to(ends_ns);
      const auto alone = static_cast<int>(r) == lonely;
      write(scenes[r], alone ? "ncclDevKernel_AllGather" : "ncclDevKernel_AllReduce_Sum", r, ready[r],
            free_at[r], 9);
    }
  }

  void write(fixtures::scene& scene, std::string_view name, std::size_t rank, nanoseconds start,
             nanoseconds end, std::int32_t stream) const {
    scene.kernel(name, own(rank, start), own(rank, end) - own(rank, start), stream);
  }
};

}  // namespace ridge::trace

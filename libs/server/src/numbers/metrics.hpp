// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include <ridge/server/service.hpp>

namespace ridge::server {

// Counts what the server answers. Any thread may use it.
class metrics final {
 public:
  // Counts an answer of a route ("/api/v1/runs/{id}"; "static"; "unmatched"), and the seconds that it took
  // from the end of the header to the last byte that the system took.
  void count(const std::string& route, std::string_view method, int status, double seconds);

  // Counts a stream that was closed because its client was too slow.
  void drop_stream();

  // Returns all figures in the text format of Prometheus, version 0.0.4, with these gauges.
  [[nodiscard]] std::string text(const std::vector<gauge>& gauges) const;

 private:
  static constexpr std::array<double, 11> bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                 0.05,   0.1,   0.25,   1,     5};
  struct histogram {
    std::array<std::uint64_t, bounds.size() + 1> counts{};
    double sum = 0;
  };
  mutable std::mutex mutex_{};
  std::map<std::tuple<std::string, std::string, int>, std::uint64_t> requests_{};
  std::map<std::string, histogram> durations_{};
  std::uint64_t dropped_streams_ = 0;
};

}  // namespace ridge::server

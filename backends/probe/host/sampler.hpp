// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/host/interference_reader.hpp>
#include <ridge/host/team.hpp>
#include <ridge/measure/clock.hpp>

namespace ridge::backends::probe_host {

// The work of one rank in one sample.
using rank_body = std::function<void(int rank, int size)>;

struct timing {
  double seconds = 0;  // from the first rank's start to the last one's end
  bool clean = true;   // no rank was interrupted, moved or late
};

// Times bodies on the threads of a team.
class sampler final {
 public:
  // Uses a team of its own on physical cores, which pins the calling thread meanwhile.
  sampler(const measure::clock& clock, int threads);
  // Uses the team of the caller; null: the calling thread on the CPU where it runs.
  sampler(const measure::clock& clock, host::team* team);
  ~sampler();
  sampler(const sampler&) = delete;
  sampler& operator=(const sampler&) = delete;
  [[nodiscard]] int threads() const { return crew_ ? crew_->size() : 1; }
  [[nodiscard]] const measure::clock& clock() const { return clock_; }
  // Runs a body without timing it, for first touch.
  void run(const rank_body& body);
  timing time(const rank_body& body);

 private:
  struct seat;
  void take_seats();
  const measure::clock& clock_;
  std::optional<host::team> own_{};
  host::team* crew_;
  std::vector<std::unique_ptr<seat>> seats_{};
};

// A median rate with its interval, from samples of work ÷ seconds.
struct rate {
  double value = 0;
  interval ci{};
  std::string note{};      // why it may be low; empty where no reason was seen
  bool disturbed = false;  // fewer than half of the samples were undisturbed
  // Returns whether undisturbed samples differ nevertheless: neighbours share the measured resource.
  [[nodiscard]] bool unlike() const { return ci.hi - ci.lo > 0.05 * value; }
};

// Takes short samples until fifteen are undisturbed or `time_s` is over (three times that while fewer than
// seven are), and at least seven. Returns the median of the undisturbed ones when there are seven; else the
// fastest of all, since a disturbance only slows down, with a note.
[[nodiscard]] rate sample_rate(const measure::clock& clock, const std::function<timing()>& once, double work,
                               double time_s);

// Returns the median and its interval of these rates; needs six or more.
[[nodiscard]] rate rate_of(const std::vector<double>& rates);

}  // namespace ridge::backends::probe_host

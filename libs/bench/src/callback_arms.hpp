// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/harness/contestants.hpp>
#include <ridge/host/interference_reader.hpp>
#include <ridge/measure/interference.hpp>

#include "output_checks.hpp"
#include "session.hpp"

namespace ridge::bench {

// The callbacks of a session as arms of the paired protocol.
class callback_arms final : public harness::contestants {
 public:
  // `definition` must live as long as the arms.
  callback_arms(const definition& definition, std::uint64_t seed);

  // Calls each arm once on inputs of its own, untimed, and looks at its output. Throws as run() does.
  void try_each();

  // The outputs seen so far.
  [[nodiscard]] const output_checks& outputs() const { return outputs_; }
  // Whether a callback asked to stop.
  [[nodiscard]] bool was_stopped() const { return stopped_; }
  // Makes the session end after this round, as if a callback had asked to stop.
  void stop() { stopped_ = true; }
  // What disturbed the calling thread in the rounds so far.
  [[nodiscard]] const measure::interference& disturbance() const { return disturbance_; }

  [[nodiscard]] std::size_t arms() const override { return definition_.arms.size(); }
  [[nodiscard]] bool may_loop() const override { return definition_.calls_per_sample == 0; }
  void warmed_up() override;
  void begin_round(std::uint64_t round) override;
  // After a stop or a wrong output nothing is called any more and samples have no value (NaN). Throws
  // callback_failed where a callback failed, nothing_measured where one asked to stop before the warm-up
  // ended.
  [[nodiscard]] harness::sample run(std::size_t arm, std::uint64_t n) override;
  [[nodiscard]] bool stop_requested() const override { return ended(); }
  [[nodiscard]] bool end_round(std::uint64_t round) override;

 private:
  [[nodiscard]] bool ended() const { return stopped_ || outputs_.wrong().has_value(); }
  void obey(int answer, std::size_t arm);
  void obey_checks();
  void end_early();

  const definition& definition_;
  std::uint64_t seed_;
  output_checks outputs_;
  host::interference_reader reader_{};
  host::thread_usage before_{};
  measure::interference disturbance_{};
  std::uint64_t keys_ = 0;
  std::size_t sampled_ = 0;  // arms that took a sample in this round
  double value_ = 0;
  bool warm_ = false;
  bool stopped_ = false;
};

}  // namespace ridge::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/plan/cluster_sizing.hpp>

namespace ridge::plan {

// One replica under a load, at any rate.
class replica_model {
 public:
  replica_model(const replica_offer& o, const serving_load& load, const latency_objective& slo,
                const replica_policy& p);

  [[nodiscard]] replica_state at(double requests_per_s) const;
  // The greatest rate that breaks no constraint; 0 when even the smallest one does.
  [[nodiscard]] double max_rate() const;

  [[nodiscard]] double mean_output() const { return mean_output_; }
  [[nodiscard]] double longest_input() const;
  [[nodiscard]] double longest_request() const;

 private:
  // Seconds of one prompt while so many sequences decode.
  struct prompt_time {
    double own_s = 0;    // duration of the steps that compute it
    double queue_s = 0;  // its share of full steps: the time by which it delays the queue
    double added_s = 0;  // time that it adds to decoding steps
  };
  [[nodiscard]] double decode_s(double running) const;
  [[nodiscard]] prompt_time prompt(double tokens, double running) const;
  // Means over all prompts, with the mean square of the step time and its value at the objective's quantile.
  struct prompt_times {
    prompt_time mean{};
    double square_s2 = 0, added_square_s2 = 0, quantile_s = 0;
  };
  [[nodiscard]] prompt_times prompts(double running) const;
  [[nodiscard]] double tpot_at(double rate, double running, double batch) const;
  [[nodiscard]] double solve_running(double rate) const;
  void add_decoding(replica_state& s) const;
  void add_waiting(replica_state& s) const;
  [[nodiscard]] binding overrun(double rate) const;
  [[nodiscard]] binding first_broken(const replica_state& s) const;

  const replica_offer& offer_;
  const latency_objective& slo_;
  double max_sequences_ = 0, max_step_tokens_ = 0;  // the policy's, else the engine's
  std::vector<length_class> classes_{};             // by prompt length; weights add up to 1
  double mean_output_ = 0, context_ = 0;
};

}  // namespace ridge::plan

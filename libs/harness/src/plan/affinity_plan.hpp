// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/variant_threads.hpp>
#include <ridge/host/team.hpp>

namespace ridge::harness {

// The teams of a family and where the measuring thread may run: on one core for variants of one thread, on
// all the process's cores for the others, whose own threads inherit its mask. Not shared between processes: a
// forked child makes its own.
class affinity_plan {
 public:
  affinity_plan();
  ~affinity_plan();
  affinity_plan(const affinity_plan&) = delete;
  affinity_plan& operator=(const affinity_plan&) = delete;

  // The team of so many threads, made at the first call; null for one thread.
  [[nodiscard]] host::team* team(int threads);
  // Number of threads of all teams besides the measuring thread.
  [[nodiscard]] int team_threads() const;
  // Places the measuring thread for a variant of so many threads, also where other code has moved it; cheap
  // when nothing changes. Called before a variant's untimed and timed parts.
  void place(int threads);
  // Allows the measuring thread all of the process's cores.
  void widen();

 private:
  void set(bool narrow);
  std::vector<int> all_;
  std::vector<int> narrow_to_{};  // one core
  bool narrow_ = false;
  std::map<int, std::unique_ptr<host::team>> teams_;
};

}  // namespace ridge::harness

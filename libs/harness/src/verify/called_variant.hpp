// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"
#include "plan/affinity_plan.hpp"

namespace ridge::harness {

// One variant with all that its calls need: threads, queues, its setup and the call, for a member that is
// looked at and not timed. It is made in the process that calls the variant; everything given to it outlives
// it.
class called_variant {
 public:
  called_variant(const experiment::definition& definition, std::size_t v, const problem& p,
                 const instruments& equipment, keyed_member& member);

  // Takes a workspace and gives it back, so that what this takes beside the workspace is there before.
  void rehearse() const;
  // Runs the untimed part, which binds the variant to the member.
  void bind();
  // Converts the member's inputs as they are now, and places the variant's threads.
  void stage();
  // One call, waited for. The variant is bound.
  void run();

  // Bytes that the variant has taken through its setup.
  [[nodiscard]] double taken_bytes() const { return static_cast<double>(setup_.taken_bytes()); }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  const experiment::definition& definition_;
  std::size_t v_;
  const instruments& equipment_;
  keyed_member& member_;
  affinity_plan plan_;
  int threads_;
  std::unique_ptr<device::queue_set> queues_;
  setup_resources resources_;
  setup setup_;
  call call_;
  std::unique_ptr<bound_body> body_{};
};

}  // namespace ridge::harness

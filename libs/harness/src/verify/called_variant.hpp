// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"
#include "plan/affinity_plan.hpp"

namespace ridge::harness {

// One variant with all that its calls need: threads, queues, its setups and the call, for members outside of
// the family's rings. It is made in the process that calls the variant; everything given to it outlives it.
class called_variant {
 public:
  called_variant(const experiment::definition& definition, std::size_t v, const problem& p,
                 const instruments& equipment, std::vector<keyed_member*> members);
  called_variant(const experiment::definition& definition, std::size_t v, const problem& p,
                 const instruments& equipment, keyed_member& member)
      : called_variant(definition, v, p, equipment, std::vector{&member}) {}

  // Takes a workspace and gives it back, so that what this takes beside the workspace is there before.
  void rehearse() const;
  // Runs the untimed part, which binds the variant to the members.
  void bind();
  // Converts the inputs of a member as they are now, and places the variant's threads.
  void stage(std::size_t member = 0);
  // Places the variant's threads.
  void place() { plan_.place(threads_); }
  // `n` calls on a member, waited for. The variant is bound.
  void run(std::size_t member = 0, std::uint64_t n = 1);

  // Bytes that the variant has taken through its setups.
  [[nodiscard]] double taken_bytes() const;
  [[nodiscard]] int threads() const { return threads_; }

 private:
  const experiment::definition& definition_;
  std::size_t v_;
  const instruments& equipment_;
  std::vector<keyed_member*> members_;
  affinity_plan plan_;
  int threads_;
  std::unique_ptr<device::queue_set> queues_;
  setup_resources resources_;
  std::vector<std::unique_ptr<setup>> setups_{};  // by member
  call call_;
  std::vector<std::unique_ptr<bound_body>> bodies_{};
};

}  // namespace ridge::harness

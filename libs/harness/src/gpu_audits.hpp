// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::harness {

// The audit of all families of the CUDA backend of a run, made when the first of them asks: in child
// processes of its own, one where no fault takes the GPU away, so that no tracer lives in a process that
// times.
class gpu_audits {
 public:
  // All must outlive it.
  gpu_audits(const std::vector<planned_family>& families, const instruments& with,
             const run_options& options);

  // Merges what was found of family `index` into its measurement; where the run is `ending`, nothing more is
  // audited.
  void add_to(std::size_t index, model::family& measured, bool ending = false);

 private:
  void audit_from(std::size_t index);

  const std::vector<planned_family>& families_;
  const instruments& with_;
  const run_options& options_;
  bool done_ = false;
  std::vector<model::family> found_{};  // by index of the family
};

// The audits of these families, in order; each complete or with the reason why there is none.
[[nodiscard]] std::vector<model::family> audit_in_child(const std::vector<planned_family>& families,
                                                        const instruments& with, const run_options& options);

// Adds the checks and kernels of `audited` to the same family as measured. A comparison of a variant that
// failed is INVALID; of one that was not audited, its assurance is 1 at most.
void add_audit(model::family& measured, const model::family& audited);

}  // namespace ridge::harness

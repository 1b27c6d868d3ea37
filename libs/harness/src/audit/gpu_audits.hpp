// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// The audits of the families of the CUDA backend of a run, a few families at a time, made when the first of
// them asks. They run in child processes of their own, so that no tracer lives in a process that times; one
// process suffices for those few unless one of them hangs or a fault destroys the GPU's context.
class gpu_audits {
 public:
  // Keeps references to the first two.
  gpu_audits(const std::vector<planned_family>& families, const instruments& equipment,
             const run_options& options);

  // Merges the findings about family `index` into its measurement; when the run is `ending`, nothing more is
  // audited.
  void add_to(std::size_t index, model::family& measured, bool ending = false);

 private:
  void audit_from(std::size_t index);
  void note_refused(const model::family& measured);
  [[nodiscard]] static bool is_settled(const model::family& measured);

  const std::vector<planned_family>& families_;
  const instruments& equipment_;
  run_options options_;
  std::vector<std::optional<model::family>> found_{};  // by index of the family
};

// The audits of these families, in order; each complete or with the reason why there is none.
[[nodiscard]] std::vector<model::family> audit_in_child(const std::vector<planned_family>& families,
                                                        const instruments& equipment,
                                                        const run_options& options);

// Adds the checks and kernels of `audited` to the same family as measured. A comparison with a variant that
// failed is INVALID; with one that was not audited, its assurance is 1 at most.
void add_audit(model::family& measured, const model::family& audited);

}  // namespace ridge::harness

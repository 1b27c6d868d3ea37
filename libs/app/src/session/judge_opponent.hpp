// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/experiment_shelf.hpp>
#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::app {

// The variant of an experiment that a candidate is to beat.
struct opponent {
  experiment entry;
  std::string variant{};  // empty: the baseline of the backend
  model::backend backend{model::backend::cpu};
};

// Whether a candidate's file is a source, and whether it is one that nvcc compiles.
[[nodiscard]] bool is_source(const std::string& candidate);
[[nodiscard]] bool is_cuda_source(const std::string& candidate);

// The variant that a candidate names, "fast" of "ch01.copy:fast", where it is one of this experiment; empty
// for a file.
[[nodiscard]] std::string own_variant_of(const std::string& candidate, const experiment& entry);

// The opponent that `against` names, "ch01.copy" or "ch01.copy:slow". Its backend is the one called `backend`
// ("cpu", "cuda"); where that is empty, the one that the candidate is for: by the ending of a source, the
// functions that a shared object exports, or the variants of both. A candidate for both is judged on the CPU
// where the experiment has such variants there. An error for unknown or several experiments, for a source
// that its backend does not compile, and for an object that cannot be read.
[[nodiscard]] result<opponent> opponent_of(const std::string& candidate, const std::string& against,
                                           const std::string& backend, const experiment_shelf& shelf);

// The backend of opponent_of, when the opponent is known.
[[nodiscard]] result<model::backend> backend_for(const std::string& candidate, const opponent& against,
                                                 const std::string& backend);

}  // namespace ridge::app

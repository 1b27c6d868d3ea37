// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/app/terminal.hpp>

#include "gate/gate_finding.hpp"

namespace ridge::app {

// What fails a gate: changes for the worse, any change, or none.
struct gate_rules {
  bool slower = true;
  bool faster = false;
};

// Returns why a finding fails: a change that is suspected or confirmed, in a direction that counts. Empty
// when it passes.
[[nodiscard]] std::string failure_under(const gate_rules& rules, const gate_finding& finding);

// Returns the exit code: worse (1) where a finding fails, else inconclusive (3) where one that would fail was
// measured again without an answer, else unavailable (69) where nothing was compared, else good.
[[nodiscard]] int exit_code_of(const gate_rules& rules, std::span<const gate_finding> findings);

// Returns the findings as text: what changed, then how many did not. `baseline` is what they were compared
// with; empty: their own history.
[[nodiscard]] std::string gate_text(std::span<const gate_finding> findings, const std::string& baseline,
                                    const terminal& screen);
// Returns the same as Markdown, for a comment or the summary of a job.
[[nodiscard]] std::string gate_markdown(std::span<const gate_finding> findings, const std::string& baseline);
// Returns a JUnit file with a case for every series; those of which nothing is known are skipped.
[[nodiscard]] std::string gate_junit(std::span<const gate_finding> findings, const gate_rules& rules);
// Returns lines that GitHub Actions shows as annotations: an error for each finding that fails, a warning for
// one that is inconclusive, a notice for any other change.
[[nodiscard]] std::string gate_annotations(std::span<const gate_finding> findings, const gate_rules& rules);
// Returns the findings as one JSON object (ridge.gate/1).
[[nodiscard]] std::string gate_json(std::span<const gate_finding> findings, const std::string& baseline,
                                    const gate_rules& rules);

}  // namespace ridge::app

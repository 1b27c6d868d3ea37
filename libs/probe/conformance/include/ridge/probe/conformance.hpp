// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/probe/prober.hpp>

namespace ridge::probe::conformance {

// GoogleTest expectations of every prober: rows are unique by id and threads, positive, inside their own
// interval, with a unit that is a rate, a variant and words; two runs agree within a factor that a busy
// machine allows.
void expect_prober(prober& subject, const measure::clock& clock, const probe_options& options);

}  // namespace ridge::probe::conformance

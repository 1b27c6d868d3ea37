// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/probe/prober.hpp>

namespace ridge::probe::conformance {

// GoogleTest expectations of every prober: probes have ids, titles and meanings, each id once; the rows of a
// request belong to their probe, are unique by id and threads, positive, inside their own interval, with a
// unit, a variant and words; a second request gives the same rows of every probe that skipped nothing in
// either.
void expect_prober(prober& subject, const request& request);

}  // namespace ridge::probe::conformance

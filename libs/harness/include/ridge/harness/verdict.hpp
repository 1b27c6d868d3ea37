// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/base/interval.hpp>
#include <ridge/model/names.hpp>

namespace ridge::harness {

// The verdict that an interval of the ratio supports, with `effect` the smallest relative effect that matters
// (0.01): BETTER above 1+effect, WORSE below 1/(1+effect), EQUIVALENT inside both, DIFFERENT_BUT_SMALL when 1
// is excluded and the interval lies within twice the effect, else INCONCLUSIVE (decision 0022).
[[nodiscard]] model::verdict judge(interval ratio, double effect);

// Returns the verdict that remains beside a noise floor: `noise` is the interval of the baseline's ratio to
// itself. BETTER and WORSE need a ratio that is further from 1 than either end of it, else they are
// INCONCLUSIVE; an interval without ends says nothing, and every other verdict stays.
[[nodiscard]] model::verdict above_noise(model::verdict v, double ratio, interval noise);

// Whether more samples could not be expected to change the verdict into a clearer one.
[[nodiscard]] bool settled(model::verdict v);

}  // namespace ridge::harness

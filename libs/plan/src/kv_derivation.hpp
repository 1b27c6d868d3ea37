// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kv_cache.hpp>

namespace ridge::plan {

[[nodiscard]] derivation derive_kv_cache(const model_shape& m, const kv_question& q, const kv_cache& c,
                                         std::int64_t sequences_of_gpu);

}  // namespace ridge::plan

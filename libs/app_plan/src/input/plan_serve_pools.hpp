// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/parallel_layout.hpp>

#include "input/plan_serve_options.hpp"

namespace ridge::app_plan {

// A pool of equal replicas as --prefill and --decode name it: COUNTx[GPU:]tpN[ppN][dpN][epN].
struct pool_layout {
  int replicas = 1;
  std::string gpu{};  // empty: that of --gpu
  plan::parallel_layout layout{};
};
// Reads "4xtp2" or "2xH200:tp8ep8"; `option` is named in the error.
[[nodiscard]] result<pool_layout> pool_layout_of(std::string_view option, std::string_view text);

// Whether some replicas prefill and others decode: --prefill and --decode, or --disaggregate.
[[nodiscard]] bool is_disaggregated(const service_choice& c);

// The choice of each of both pools: its GPU, layout and replicas as if it were a service of its own.
struct pool_choices {
  service_choice prefill{}, decode{};
};
// The error names the option that is wrong or contradicts another.
[[nodiscard]] result<pool_choices> pools_of(const service_choice& c);

// A service of both pools and the link between them, without what all services have (router, admission, ...).
[[nodiscard]] result<service> disaggregated_service(const service_choice& c);

// The replica of a choice on this GPU, as it was asked: what is left to its engine is 0.
[[nodiscard]] result<plan::serve::replica_question> replica_question_of(const service_choice& c,
                                                                        const std::string& gpu);

}  // namespace ridge::app_plan

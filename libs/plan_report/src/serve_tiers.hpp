// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan_report/serve_page.hpp>

namespace ridge::plan_report {

// What the tiers of the KV cache gave, and the same service without them, as facts and sheets; nothing where
// no replica has tiers.
void add_tiers(report::document& d, const serve_view& v);

}  // namespace ridge::plan_report

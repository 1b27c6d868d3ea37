// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rules/rules.hpp"

// What kernels' names alone tell, where a trace records no shapes. All of it has the grade of
// names.
namespace ridge::trace {

// Products in fp32 outside matrix units, of a device that has such units; nullopt where a trace records
// shapes, which tell more, or where they take less than the rule's share.
[[nodiscard]] std::optional<candidate> fp32_products_by_name(const evidence& e, const device_evidence& d,
                                                             const rule& r);
// Runs of PyTorch's elementwise, norm and reduction kernels in a stream, as long as the rule's alarms are;
// nullopt where a trace records shapes, or where they take less than the rule's share.
[[nodiscard]] std::optional<candidate> chains_by_name(const evidence& e, const device_evidence& d,
                                                      const rule& r);

}  // namespace ridge::trace

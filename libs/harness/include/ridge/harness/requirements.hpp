// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

namespace ridge::harness {

// Why a variant cannot run on this machine, with what to do where something can be done; empty when it can.
// Looks only at the processor and the privileges of this process.
[[nodiscard]] std::string unavailable_because(const variant_facts& variant);
// The same where the device is open, which knows its GPUs; asks also for libraries, architectures and
// isolation.
[[nodiscard]] std::string unavailable_because(const variant_facts& variant, const instruments& with);

}  // namespace ridge::harness

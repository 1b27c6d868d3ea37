// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

namespace ridge::harness {

// Why a variant cannot run on this machine, with what to do where something can be done; empty when it can.
// It looks only at the processor and the privileges of this process.
[[nodiscard]] std::string unavailable_because(const variant_facts& variant);
// The same with an open device, which knows its GPUs; it looks also at libraries, architectures and
// isolation.
[[nodiscard]] std::string unavailable_because(const variant_facts& variant, const instruments& equipment);

}  // namespace ridge::harness

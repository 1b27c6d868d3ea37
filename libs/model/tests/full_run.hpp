// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/run.hpp>

namespace ridge::model::tests {

// A run in which every field of every type differs from its default and every list holds something.
[[nodiscard]] run full_run();

}  // namespace ridge::model::tests

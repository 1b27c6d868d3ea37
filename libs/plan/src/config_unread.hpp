// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config_members.hpp"

namespace ridge::plan {

// Doubts the members that look like sizes of the model and that nothing has asked for: what an architecture
// adds that this reader does not know.
void doubt_unread(const config_members& m);

}  // namespace ridge::plan

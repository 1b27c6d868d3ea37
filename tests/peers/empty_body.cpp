// SPDX-License-Identifier: Apache-2.0
#include "empty_body.hpp"

namespace ridge::peers {

body<nothing> empty_body() {
  return {[](nothing&, call&) { asm volatile("" ::: "memory"); }};
}

}  // namespace ridge::peers

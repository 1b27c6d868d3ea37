// SPDX-License-Identifier: Apache-2.0
#include "verify/guarded_arrays.hpp"

#include "verify/verification.hpp"

namespace ridge::harness {

keyed_member& guarded_arrays::member() {
  if (!member_) {
    member_ = make_member(definition_, problem_, equipment_, device::guard::shared_pages,
                          device::placement::ordinary);
  }
  return *member_;
}

}  // namespace ridge::harness

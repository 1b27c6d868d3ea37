// SPDX-License-Identifier: Apache-2.0
#include "data/host_twin.hpp"

#include "verify/verification.hpp"

namespace ridge::harness {

keyed_member& host_twin::copy() {
  if (!copy_) copy_ = make_host_member(definition_, problem_, equipment_);
  return *copy_;
}

keyed_member& host_twin::seen(keyed_member& member) {
  if (member.where().on_host()) return member;
  copy().copy_arrays_from(member);
  return *copy_;
}

keyed_member& host_twin::drawn(keyed_member& member) {
  if (member.where().on_host()) {
    member.restore_inouts();
    return member;
  }
  copy().copy_arrays_from(member);
  copy_->copy_pristine_from(member);
  return *copy_;
}

}  // namespace ridge::harness

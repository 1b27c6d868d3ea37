// SPDX-License-Identifier: Apache-2.0
#include "host_twin.hpp"

#include "verification.hpp"

namespace ridge::harness {

keyed_member& host_twin::copy() {
  if (!copy_) copy_ = make_host_member(of_, at_, with_);
  return *copy_;
}

keyed_member& host_twin::seen(keyed_member& at) {
  if (at.where().on_host()) return at;
  copy().copy_arrays_from(at);
  return *copy_;
}

keyed_member& host_twin::drawn(keyed_member& at) {
  if (at.where().on_host()) {
    at.restore_inouts();
    return at;
  }
  copy().copy_arrays_from(at);
  copy_->copy_pristine_from(at);
  return *copy_;
}

}  // namespace ridge::harness

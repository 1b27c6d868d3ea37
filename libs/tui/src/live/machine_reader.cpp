// SPDX-License-Identifier: Apache-2.0
#include "live/machine_reader.hpp"

#include <exception>
#include <utility>

namespace ridge::tui {

machine_reader::~machine_reader() {
  if (reader_.joinable()) reader_.join();
}

machine_report machine_reader::report() {
  const std::scoped_lock lock(mutex_);
  if (!reader_.joinable()) {
    known_.reading = true;
    reader_ = std::thread([this] { read(); });
  }
  return known_;
}

void machine_reader::read() {
  machine_report found;
  try {
    if (read_tree_) found.tree = read_tree_();
    {
      const std::scoped_lock lock(mutex_);
      known_.tree = found.tree;
    }
    if (read_audit_) found.audit = read_audit_();
  } catch (const std::exception& why) {
    found.problem = why.what();
  }
  const std::scoped_lock lock(mutex_);
  known_ = std::move(found);
}

}  // namespace ridge::tui

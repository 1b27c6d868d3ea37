// SPDX-License-Identifier: Apache-2.0
#include "storage/block_engine.hpp"

namespace ridge::backends::probe_host {

std::unique_ptr<block_engine> make_uring_engine(int, std::string& why_not) {
  why_not = "io_uring: this ridge was built without liburing";
  return nullptr;
}

}  // namespace ridge::backends::probe_host

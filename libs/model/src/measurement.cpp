// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/measurement.hpp>

#include <fmt/format.h>

namespace ridge::model {

std::string failure_in_words(const measurement& m) {
  if (m.refused.empty()) return {};
  switch (m.failure) {
    case failure_kind::wrong_output:
      return "wrong output: " + m.refused;
    case failure_kind::crashed:
      return "crashed: " + m.refused;
    case failure_kind::timed_out:
      return "did not end in time: " + m.refused;
    case failure_kind::out_of_memory:
      return "out of memory: " + m.refused;
    case failure_kind::threw:
    case failure_kind::none:
    case failure_kind::unknown:
      break;
  }
  return m.refused;
}

}  // namespace ridge::model

// SPDX-License-Identifier: Apache-2.0
#include "run/refusal.hpp"

#include <utility>

namespace ridge::harness {

void refuse(model::measurement& m, refusal failed, progress_mark::stage stage) {
  if (failed.why.empty()) return;
  m.refused = std::move(failed.why);
  m.failure = failed.failure;
  m.signal = std::move(failed.signal);
  m.stage = word_of(stage);
}

const char* word_of(progress_mark::stage stage) {
  switch (stage) {
    case progress_mark::stage::verification:
      return "verification";
    case progress_mark::stage::audit:
      return "audit";
    case progress_mark::stage::set_up:
      return "set_up";
    case progress_mark::stage::timing:
      return "timing";
    case progress_mark::stage::recheck:
      return "recheck";
  }
  return "";
}

}  // namespace ridge::harness

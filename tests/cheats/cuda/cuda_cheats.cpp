// SPDX-License-Identifier: Apache-2.0
#include "cuda_cheats.hpp"

#include <utility>

namespace ridge::cheats::cuda {
namespace {

void append(std::vector<cheat>& every, category kind, std::vector<cheat> some) {
  for (auto& one : some) {
    one.kind = kind;
    one.limit_s = 60;  // the GPU is opened twice
    every.push_back(std::move(one));
  }
}

}  // namespace

std::vector<cheat> all_cuda_cheats() {
  std::vector<cheat> every;
  append(every, category::timing, stream_cheats());
  append(every, category::timing, ahead_cheats());
  append(every, category::output, repeat_cheats());
  append(every, category::output, wrong_cheats());
  append(every, category::memory, device_memory_cheats());
  append(every, category::process, setting_cheats());
  append(every, category::process, disturbing_cheats());
  append(every, category::process, ending_cheats());
  append(every, category::output, watched_cheats());
  return every;
}

}  // namespace ridge::cheats::cuda

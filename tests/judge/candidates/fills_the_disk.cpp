// SPDX-License-Identifier: Apache-2.0
// Looks for a folder that it can write to, and fills it.
#include <cstdio>
#include <initializer_list>
#include <vector>

#include <ridge/judge/candidate.h>

int ridge_candidate(const ridge_problem*, void*) {
  for (const char* path : {"/tmp/ridge_judge_filler", "/var/tmp/ridge_judge_filler",
                           "/dev/shm/ridge_judge_filler", "/ridge_judge_filler", "./ridge_judge_filler"}) {
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) continue;
    const std::vector<char> piece(1 << 20, 'x');
    for (int i = 0; i < 1024; ++i) std::fwrite(piece.data(), 1, piece.size(), file);
    std::fclose(file);
    return 4;
  }
  return 3;
}

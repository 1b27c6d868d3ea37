// SPDX-License-Identifier: Apache-2.0
#include <ridge/judge/candidate.h>

extern "C" RIDGE_CANDIDATE_EXPORT int ridge_solution(const ridge_problem*, void*) { return 0; }

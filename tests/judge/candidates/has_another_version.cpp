// SPDX-License-Identifier: Apache-2.0
#define RIDGE_JUDGE_HOST
#include <ridge/judge/candidate.h>

extern "C" RIDGE_CANDIDATE_EXPORT uint32_t ridge_candidate_abi() { return 99; }

int ridge_candidate(const ridge_problem*, void*) { return 0; }

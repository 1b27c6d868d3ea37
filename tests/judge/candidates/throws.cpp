// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <ridge/judge/candidate.h>

int ridge_candidate(const ridge_problem*, void*) { throw std::runtime_error("of mine"); }

// SPDX-License-Identifier: Apache-2.0
#include "arrays.hpp"

int ridge_cuda_candidate(const ridge_problem*, void*, void*) { return 7; }

// SPDX-License-Identifier: Apache-2.0
#define RIDGE_STREAM_LOOPS plain_stream_loops
#include "stream_loops.ipp"

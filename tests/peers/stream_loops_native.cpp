// SPDX-License-Identifier: Apache-2.0
#define RIDGE_STREAM_LOOPS native_stream_loops
#include "stream_loops.ipp"

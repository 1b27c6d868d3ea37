/* SPDX-License-Identifier: Apache-2.0 */
/* What a candidate of `ridge judge` is given, and what it exports. Plain C; C++ may include it.
 * docs/handbook/judge.md explains it with an example. */
#ifndef RIDGE_JUDGE_CANDIDATE_H
#define RIDGE_JUDGE_CANDIDATE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows with every change that an older candidate would notice. */
#define RIDGE_CANDIDATE_ABI 1u

/* The type of an array's elements. fp8 types, fp16 and bf16 are stored as their bits. */
enum ridge_element_type {
  ridge_u8 = 0,
  ridge_i8 = 1,
  ridge_u16 = 2,
  ridge_i16 = 3,
  ridge_u32 = 4,
  ridge_i32 = 5,
  ridge_u64 = 6,
  ridge_i64 = 7,
  ridge_e4m3 = 8,
  ridge_e5m2 = 9,
  ridge_fp16 = 10,
  ridge_bf16 = 11,
  ridge_fp32 = 12,
  ridge_fp64 = 13
};

/* What a call does with an array. An input is mapped read-only: writing it ends the candidate. An output
 * holds poison before the call, and every element of it must be written. An inout holds data that the call
 * reads and changes. */
enum ridge_direction { ridge_input = 0, ridge_output = 1, ridge_inout = 2 };

enum ridge_parameter_kind { ridge_integer = 0, ridge_real = 1, ridge_text = 2 };

/* NOLINTBEGIN(modernize-use-using): candidates may be written in C. */
/* One array of the workload. `name` is its direction and its number among those of that direction: "in0",
 * "in1", "out0", "inout0", in the order in which the experiment makes them. `data` is aligned to 64 bytes at
 * least, and null where there are no elements; for ridge_cuda_candidate it is an address in memory of the
 * GPU, aligned to 256 bytes. The first `dimensions` extents, slowest first, multiply to the number of
 * elements. */
typedef struct ridge_array {
  const char* name;
  int32_t type;      /* enum ridge_element_type */
  int32_t direction; /* enum ridge_direction */
  uint32_t dimensions;
  uint32_t element_bytes;
  uint64_t extents[4];
  void* data;
} ridge_array;

/* One axis of the problem: its name and value, of which only the member that `kind` names holds something. A
 * real parameter's `integer` is 0; an integer's `real` is its value as well. */
typedef struct ridge_parameter {
  const char* name;
  int32_t kind; /* enum ridge_parameter_kind */
  int32_t reserved;
  int64_t integer;
  double real;
  const char* text;
} ridge_parameter;

/* One call's problem. Everything that it points to stays valid until the process ends. */
typedef struct ridge_problem {
  uint32_t abi;           /* RIDGE_CANDIDATE_ABI of the judge */
  uint32_t threads;       /* how many threads may compute; 1: none can be started */
  const char* experiment; /* "ch01.batched_gemm" */
  uint64_t array_count;
  const ridge_array* arrays;
  uint64_t parameter_count;
  const ridge_parameter* parameters;
} ridge_problem;
/* NOLINTEND(modernize-use-using) */

#define RIDGE_CANDIDATE_EXPORT __attribute__((visibility("default")))

/* Computes one problem on the processor: reads its inputs, writes all of its outputs, and returns 0; any
 * other value ends the judgement. Timed. It must not keep work for later: the process is stopped when its
 * calls have returned. */
RIDGE_CANDIDATE_EXPORT int ridge_candidate(const ridge_problem* problem, void* state);

/* Computes one problem on the GPU: enqueues on `queue`, a cudaStream_t, the work that reads the inputs and
 * writes all of the outputs, and returns 0; any other value ends the judgement. Work on other streams is
 * joined into the queue. Timed until the GPU has done the work of all calls of a sample. An object that
 * exports this function is judged against variants on the GPU, one that exports ridge_candidate against those
 * on the processor; one of them is required. */
RIDGE_CANDIDATE_EXPORT int ridge_cuda_candidate(const ridge_problem* problem, void* queue, void* state);

/* Optional. Called once, untimed, before the first call: may allocate, read shapes and parameters, and set
 * *state, which each call is given (null without it). The arrays hold no data yet. Returns 0; any other value
 * ends the judgement. */
RIDGE_CANDIDATE_EXPORT int ridge_candidate_setup(const ridge_problem* problem, void** state);

/* Optional. Called once after the last call, untimed. */
RIDGE_CANDIDATE_EXPORT void ridge_candidate_teardown(void* state);

/* Required, and defined by including this header: the version that the candidate was built for. */
#ifndef RIDGE_JUDGE_HOST
/* NOLINTNEXTLINE(misc-definitions-in-headers): weak */
RIDGE_CANDIDATE_EXPORT __attribute__((weak)) uint32_t ridge_candidate_abi(void) {
  return RIDGE_CANDIDATE_ABI;
}
#endif

#ifdef __cplusplus
}
#endif

#endif /* RIDGE_JUDGE_CANDIDATE_H */

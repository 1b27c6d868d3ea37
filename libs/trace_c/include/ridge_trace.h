/* SPDX-License-Identifier: Apache-2.0 */
/* Ridge's interface in C to traces: opens profiles of any format that Ridge reads, and answers questions
 * about them with tables of columns. docs/guide/trace.md lists the tables; Python has `import ridge.trace`,
 * which stands on this header.
 *
 * Threads: one handle is used by one thread at a time; different handles may be used by different threads.
 * Exceptions: none crosses this interface. Texts are UTF-8 and end in a null character, where nothing else is
 * said. Times are in nanoseconds where a column's name ends in _ns, in microseconds where it ends in _us. */
#ifndef RIDGE_TRACE_H
#define RIDGE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Within one version functions, tables, columns and arguments are only added.
 */
#define RIDGE_TRACE_API_VERSION 1u

#ifndef RIDGE_TRACE_API
#define RIDGE_TRACE_API __attribute__((visibility("default")))
#endif

/* NOLINTBEGIN(modernize-use-using,modernize-deprecated-headers): read by C, too. */

/* Returns RIDGE_TRACE_API_VERSION of the library, which may be newer than that of the header. */
RIDGE_TRACE_API uint32_t ridge_trace_api_version(void);
/* Returns the version of Ridge, "0.1.0". */
RIDGE_TRACE_API const char* ridge_trace_version(void);

/* What a function of this interface returns. */
enum ridge_trace_status {
  ridge_trace_ok = 0,
  ridge_trace_wrong_use = 1,  /* a name, an argument or the order of calls is wrong */
  ridge_trace_unreadable = 2, /* a file cannot be read as a trace */
  ridge_trace_no_answer = 3,  /* the traces do not hold what was asked for */
  ridge_trace_no_memory = 4,
  ridge_trace_internal = 5 /* a defect of Ridge */
};

/* What the values of a column are. */
enum ridge_trace_type { ridge_trace_int64 = 0, ridge_trace_double = 1, ridge_trace_text = 2 };

/* Opened traces, by rank. */
typedef struct ridge_traces ridge_traces;
/* The answer to one question: columns of one length. */
typedef struct ridge_trace_table ridge_trace_table;

/* Returns a new handle without traces, to be closed with ridge_trace_close(); null where there is no memory.
 */
RIDGE_TRACE_API ridge_traces* ridge_trace_new(void);
/* Closes the handle and forgets its traces; tables that it gave stay valid. Null is ignored. */
RIDGE_TRACE_API void ridge_trace_close(ridge_traces* traces);
/* Returns why the last call on this handle did not return ridge_trace_ok: a sentence. It is empty where that
 * call did, and valid until the next one. */
RIDGE_TRACE_API const char* ridge_trace_error(const ridge_traces* traces);

/* Sets how traces are opened and looked at:
 *   last_step      1: counts the last ProfilerStep, which HTA leaves out (0)
 *   round_to_us    0: as HTA with HTA_DISABLE_NS_ROUNDING=1 (1)
 *   rank_pattern   where the rank stands in a path: "host*-gpu{rank}_"
 *   memory_bytes   memory of one trace while it is read, at most (8 GiB)
 *   cache          1: keeps what was read from large files below $XDG_CACHE_HOME/ridge/traces (0) */
RIDGE_TRACE_API int ridge_trace_set(ridge_traces* traces, const char* option, const char* value);
/* Opens a file, a folder of ranks or an archive. `rank` is the rank that its one trace is taken for; below 0:
 * what the trace or its path tells, else 0. Refuses a rank that is there already, and then adds nothing. */
RIDGE_TRACE_API int ridge_trace_add(ridge_traces* traces, const char* path, int64_t rank);

/* Answers a question: `*table` receives a table, to be closed with ridge_trace_table_close(), or null where
 * the status is not ridge_trace_ok. `names` and `values` are `count` arguments as texts: a number "12", a
 * list "0,1,2" (texts of a list are divided by line feeds), 0 or 1. An argument that the table does not know
 * is refused. Every table about ranks takes "ranks"; without it all are asked. */
RIDGE_TRACE_API int ridge_trace_ask(ridge_traces* traces, const char* question, size_t count,
                                    const char* const* names, const char* const* values,
                                    ridge_trace_table** table);
RIDGE_TRACE_API void ridge_trace_table_close(ridge_trace_table* table);

/* The size of a table, and the name and type of a column; 0, null and -1 where there is none. */
RIDGE_TRACE_API size_t ridge_trace_rows(const ridge_trace_table* table);
RIDGE_TRACE_API size_t ridge_trace_columns(const ridge_trace_table* table);
RIDGE_TRACE_API const char* ridge_trace_column_name(const ridge_trace_table* table, size_t column);
RIDGE_TRACE_API int ridge_trace_column_type(const ridge_trace_table* table, size_t column);
/* Return the values of a column, valid until the table is closed; null where the column is of another type.
 * The text of row i is the bytes from offsets[i] to offsets[i + 1], without a null character behind it. A
 * number that is absent is NaN. */
RIDGE_TRACE_API int64_t* ridge_trace_integers(ridge_trace_table* table, size_t column);
RIDGE_TRACE_API double* ridge_trace_doubles(ridge_trace_table* table, size_t column);
RIDGE_TRACE_API const int64_t* ridge_trace_text_offsets(const ridge_trace_table* table, size_t column);
RIDGE_TRACE_API const char* ridge_trace_text_bytes(const ridge_trace_table* table, size_t column);

/* NOLINTEND(modernize-use-using,modernize-deprecated-headers) */

#ifdef __cplusplus
}
#endif
#endif

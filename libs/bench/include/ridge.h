/* SPDX-License-Identifier: Apache-2.0 */
/* Ridge's interface in C: compares functions of your own program, measured as `ridge run` measures variants.
 * docs/guide/c.md explains it with an example. C++ has <ridge/bench.hpp>, Python `import ridge`; both stand on
 * this header.
 *
 * Threads: one session is used by one thread at a time; different sessions may be used by different threads,
 * but sessions that measure at the same time disturb each other. Every callback is called on the thread that
 * called ridge_run(), one at a time.
 * Exceptions: none crosses this interface in either direction. A callback must not throw and must not jump out.
 * Texts are UTF-8 and end in a null character; bytes of yours that are not UTF-8 become U+FFFD. Times are in seconds. */
#ifndef RIDGE_H
#define RIDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Within one version functions are only added. */
#define RIDGE_API_VERSION 1u

#ifndef RIDGE_API
#define RIDGE_API __attribute__((visibility("default")))
#endif

/* NOLINTBEGIN(modernize-use-using,modernize-deprecated-headers): read by C, too. */

/* Returns RIDGE_API_VERSION of the library, which may be newer than that of the header. */
RIDGE_API uint32_t ridge_api_version(void);
/* Returns the version of Ridge, "0.1.0". */
RIDGE_API const char* ridge_version(void);

/* What a function of this interface returns. */
enum ridge_status {
  ridge_ok = 0,
  ridge_wrong_use = 1, /* an argument or the order of calls is wrong; ridge_error() says which */
  ridge_failed = 2,    /* a callback failed; there is no result */
  ridge_stopped = 3,   /* a callback asked to stop before anything was measured; there is no result */
  ridge_no_memory = 4,
  ridge_internal = 5 /* a defect of Ridge */
};

/* What a callback returns. Any value not named here means ridge_fail. */
enum ridge_answer {
  ridge_go_on = 0,
  ridge_stop = 1, /* end the session and keep the rounds that are finished; the present sample is dropped */
  ridge_fail = 2  /* end the session without a result */
};

/* What a callback returns that looks at outputs. Any value not named here means that it could not look: it has the
 * effect of ridge_fail. */
enum ridge_output_answer {
  ridge_output_right = 0,
  ridge_output_wrong = 1, /* why is in the text */
  ridge_output_stop = 3   /* nothing was found out; end the session as ridge_stop does */
};

/* The verdict on a candidate. docs/guide/reading-results.md says what each means. */
enum ridge_verdict {
  ridge_better = 0,
  ridge_worse = 1,
  ridge_equivalent = 2,
  ridge_different_but_small = 3,
  ridge_inconclusive = 4,
  ridge_invalid = 5,
  ridge_unverified = 6
};

/* How a check ended. */
enum ridge_outcome { ridge_pass = 0, ridge_warn = 1, ridge_check_failed = 2, ridge_skipped = 3 };

/* One comparison: its arms, its settings, and its result once ridge_run() returned ridge_ok. */
typedef struct ridge_session ridge_session;

/* An arm whose calls the library makes and times: one indirect call each, which takes a nanosecond or two. */
typedef int (*ridge_call)(void* user);
/* An arm that makes `calls` calls in a loop of its own, and which the library times as a whole: for bodies of
 * nanoseconds. */
typedef int (*ridge_loop)(void* user, uint64_t calls);
/* An arm that times itself, by the events of a GPU for example: makes `calls` calls and sets `*seconds` to the
 * time of all of them together, above 0. What it does besides is not timed. */
typedef int (*ridge_sample)(void* user, uint64_t calls, double* seconds);
/* Makes the inputs of the next round from `key`, the same for all arms; untimed. */
typedef int (*ridge_prepare)(void* user, uint64_t key);
/* Looks at what `arm` computed last. Returns an enum ridge_output_answer: ridge_output_right; or ridge_output_wrong,
 * with the reason written into `text`, which has `capacity` bytes; or ridge_fail where it could not look. */
typedef int (*ridge_check)(void* user, size_t arm, char* text, size_t capacity);
/* Compares what all arms computed last, on the inputs of one round, in the same way; `*arm` receives the arm that
 * is wrong. */
typedef int (*ridge_agreement)(void* user, size_t* arm, char* text, size_t capacity);
/* Told between rounds which share of the budget is used, and how many rounds are finished. */
typedef int (*ridge_watch)(void* user, double share, uint64_t rounds);

/* Returns a new session, to be closed with ridge_close(); null where there is no memory. `title` may be null. */
RIDGE_API ridge_session* ridge_open(const char* title);
/* Closes a session; every text and array that it returned ends with it. Null is ignored. */
RIDGE_API void ridge_close(ridge_session* session);
/* Returns why the last call on this session that returns an enum ridge_status did not return ridge_ok: a sentence,
 * never empty then. It is empty where that call returned ridge_ok, and where there was none. The text is valid until
 * the next such call. */
RIDGE_API const char* ridge_error(const ridge_session* session);

/* Each adds an arm. The first one is the baseline, against which the others are compared; with one arm alone the
 * session measures its time. Names differ from each other and are not empty; `user` is passed to the callback.
 * There are 64 arms at most, each of any of the three kinds. */
RIDGE_API int ridge_add_call(ridge_session* session, const char* name, ridge_call call, void* user);
RIDGE_API int ridge_add_loop(ridge_session* session, const char* name, ridge_loop loop, void* user);
RIDGE_API int ridge_add_sample(ridge_session* session, const char* name, ridge_sample sample, void* user);

/* Sets what makes the inputs of each round. Without it every round has the same inputs. */
RIDGE_API int ridge_set_prepare(ridge_session* session, ridge_prepare prepare, void* user);
/* States that what prepares a round does not make new inputs (0). */
RIDGE_API int ridge_set_fixed_inputs(ridge_session* session, int fixed);
/* Sets what looks at the output of one arm: of each arm before anything is timed, and then after timed samples.
 * Which samples are looked at is drawn after they ran, so that looking takes a tenth of the time, and the first
 * round always. A wrong output ends the session; the verdict is ridge_invalid. Without a check, and without an
 * agreement, the assurance of the result is 0. */
RIDGE_API int ridge_set_check(ridge_session* session, ridge_check check, void* user);
/* Sets what compares the outputs of all arms, in the same way, after a round in which every arm took a sample: an
 * arm that is far from the baseline rests in most rounds once that is clear. */
RIDGE_API int ridge_set_agreement(ridge_session* session, ridge_agreement agreement, void* user);
/* Sets what is told of the progress, 15 times or so, and may stop the session. */
RIDGE_API int ridge_set_watch(ridge_session* session, ridge_watch watch, void* user);

/* Sets the wall time of the rounds (1 s per session). A session ends sooner once its verdict is clear. Before the
 * rounds it needs 0.2 s at most, and one call of each arm. */
RIDGE_API int ridge_set_budget(ridge_session* session, double seconds);
/* Sets the smallest relative difference that matters (0.01): above 0 and below 1. */
RIDGE_API int ridge_set_min_effect(ridge_session* session, double share);
/* Sets the seed of the order and of the keys of inputs; drawn for every session without it. */
RIDGE_API int ridge_set_seed(ridge_session* session, uint64_t seed);
/* Sets how long a sample of several calls is at least (20 us): a call that takes as long is a sample by itself. */
RIDGE_API int ridge_set_sample_seconds(ridge_session* session, double seconds);
/* Sets whether every sample holds one call alone (0), so that no call sees the caches that the one before it
 * left. */
RIDGE_API int ridge_set_single_calls(ridge_session* session, int single);
/* Sets how many calls every sample holds, so that the library does not choose: 1 is ridge_set_single_calls(session,
 * 1), and 0 leaves it to the library (0). */
RIDGE_API int ridge_set_calls_per_sample(ridge_session* session, uint64_t calls);
/* States that times come from the clock of a GPU (0). */
RIDGE_API int ridge_set_gpu_time(ridge_session* session, int on_gpu);
/* States where the code of an arm lies, where its callback only calls it: an address of a function. The file that
 * holds it is asked how it was compiled (-g or -frecord-gcc-switches record that); where it was compiled without
 * optimization every verdict is ridge_invalid, where nothing tells, the check "optimization" is skipped. */
RIDGE_API int ridge_set_code(ridge_session* session, size_t arm, const void* code);
/* States whether the code of an arm was compiled with optimization (__OPTIMIZE__), so that no file is asked. */
RIDGE_API int ridge_set_optimized(ridge_session* session, size_t arm, int optimized);
/* Sets whether the calling thread stays on one CPU while it measures (1), as it does under `ridge run`. It does so
 * only where no other thread of the process computed while each arm was called once; a thread that an arm starts
 * later inherits the one CPU. The mask of the thread is restored. */
RIDGE_API int ridge_set_pinned(ridge_session* session, int pinned);
/* Adds a fact about the environment to the result, such as "python" and "3.12.1". */
RIDGE_API int ridge_set_fact(ridge_session* session, const char* name, const char* text);
/* Adds a check that the caller made, or a reason why it could not be made, to the result; `outcome` is an enum
 * ridge_outcome. May be called after ridge_run(), too; ridge_check_failed makes every verdict ridge_invalid. */
RIDGE_API int ridge_add_check(ridge_session* session, const char* name, int outcome, const char* text);

/* Measures: each arm is called once and checked, the calls of a sample are calibrated, the arms are warmed up,
 * and rounds follow, one sample of every arm each, in a random order and then in the mirrored one. Returns
 * ridge_ok where there is a result. May be called again; the result is then replaced. */
RIDGE_API int ridge_run(ridge_session* session);

/* The result of a session. `arm` counts from 0, the baseline; `candidate` from 1. A number that is not known is
 * NaN; a text that is not known is empty; neither is an error. */
RIDGE_API size_t ridge_arms(const ridge_session* session);
RIDGE_API uint64_t ridge_rounds(const ridge_session* session);
/* Returns an enum ridge_verdict; ridge_unverified where there is no result. */
RIDGE_API int ridge_verdict_on(const ridge_session* session, size_t candidate);
/* Returns the word of a verdict: "BETTER". */
RIDGE_API const char* ridge_verdict_word(int verdict);
/* Return how many times as fast as the baseline the candidate is, and the 95 % interval of that (with several
 * candidates Holm's correction makes it wider). */
RIDGE_API double ridge_ratio(const ridge_session* session, size_t candidate);
RIDGE_API double ridge_ratio_low(const ridge_session* session, size_t candidate);
RIDGE_API double ridge_ratio_high(const ridge_session* session, size_t candidate);
/* Return the median time of one call and its 95 % interval. */
RIDGE_API double ridge_seconds(const ridge_session* session, size_t arm);
RIDGE_API double ridge_seconds_low(const ridge_session* session, size_t arm);
RIDGE_API double ridge_seconds_high(const ridge_session* session, size_t arm);
/* Returns how many calls each sample of the arm holds. */
RIDGE_API uint64_t ridge_calls(const ridge_session* session, size_t arm);
/* Returns the seconds per call of each sample of the arm, in the order of time, and sets `*count`. */
RIDGE_API const double* ridge_samples(const ridge_session* session, size_t arm, size_t* count);
/* Returns how far from 1 the ratio of the baseline to itself was: 0.003 means 0.3 %. */
RIDGE_API double ridge_noise_floor(const ridge_session* session);
/* Returns the grade of assurance: 0 timed, 1 verified. `ridge run` reaches 2 and 3. */
RIDGE_API int ridge_assurance(const ridge_session* session);
/* Returns the grade in words, and what is missing for the next one. */
RIDGE_API const char* ridge_assurance_text(ridge_session* session);
/* Returns why the verdict is ridge_invalid; empty where it is not. */
RIDGE_API const char* ridge_invalid_reason(const ridge_session* session);
/* Returns whether a callback stopped the session before its verdict was clear. */
RIDGE_API int ridge_was_stopped(const ridge_session* session);
/* Returns the result in a few lines for people, in the words of `ridge run`, without a newline at the end. */
RIDGE_API const char* ridge_summary(ridge_session* session);
/* Returns the result as a ridge.run/1 document, with its samples where `samples` is not 0. */
RIDGE_API const char* ridge_json(ridge_session* session, int samples);

/* NOLINTEND(modernize-use-using,modernize-deprecated-headers) */

#ifdef __cplusplus
}
#endif

#endif /* RIDGE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* A whole program in C that uses nothing but ridge.h: a real difference is found, identical work is not told apart, a wrong
 * output and wrong use are refused. Exits with the number of the first claim that does not hold. */
#include <math.h>
#include <ridge.h>
#include <stdio.h>
#include <string.h>

enum { elements = 4096 };
static float input[elements];
static double output[2];

/* Adds up the first `count` elements, one after the other. */
static double sum_of(int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += input[i];
  return sum;
}

static int full(void* user) {
  *(double*)user = sum_of(elements);
  return ridge_go_on;
}
static int shorter(void* user) { /* a third of the work: told apart on a busy machine, too */
  *(double*)user = sum_of(elements / 3);
  return ridge_go_on;
}
static int failing(void* user) {
  (void)user;
  return ridge_fail;
}

static int prepare(void* user, uint64_t key) {
  ++*(uint64_t*)user;
  for (int i = 0; i < elements; ++i) input[i] = (float)((key >> (i % 32)) & 0xff);
  return ridge_go_on;
}
static int check(void* user, size_t arm, char* text, size_t capacity) {
  (void)user;
  if (output[arm] == sum_of(elements)) return 0;
  snprintf(text, capacity, "the sum is %g", output[arm]);
  return 1;
}

static ridge_session* session_of(ridge_call first, ridge_call second) {
  ridge_session* session = ridge_open("sums");
  ridge_add_call(session, "first", first, &output[0]);
  ridge_add_call(session, "second", second, &output[1]);
  ridge_set_budget(session, 2.0);
  return session;
}

#define CLAIM(number, holds)                                                       \
  if (!(holds)) {                                                                  \
    printf("claim %d does not hold: %s\n%s\n", number, #holds, ridge_summary(s)); \
    return number;                                                                 \
  }

static int finds_a_difference(void) {
  ridge_session* s = session_of(full, shorter);
  CLAIM(1, ridge_run(s) == ridge_ok)
  CLAIM(2, ridge_verdict_on(s, 1) == ridge_better)
  CLAIM(3, ridge_ratio(s, 1) > 1.5 && ridge_ratio(s, 1) < 6)
  CLAIM(4, ridge_ratio_low(s, 1) <= ridge_ratio(s, 1) && ridge_ratio(s, 1) <= ridge_ratio_high(s, 1))
  CLAIM(5, ridge_assurance(s) == 0 && strstr(ridge_assurance_text(s), "nothing was checked") != NULL)
  size_t count = 0;
  const double* samples = ridge_samples(s, 1, &count);
  CLAIM(6, samples != NULL && count >= 6 && count <= ridge_rounds(s))
  CLAIM(7, ridge_seconds(s, 1) < ridge_seconds(s, 0) && ridge_seconds(s, 1) > 0)
  CLAIM(8, strstr(ridge_json(s, 1), "\"schema\": \"ridge.run/1\"") != NULL)
  puts(ridge_summary(s));
  ridge_close(s);
  return 0;
}

static int tells_nothing_apart(void) {
  uint64_t rounds = 0;
  ridge_session* s = session_of(full, full);
  ridge_set_prepare(s, prepare, &rounds);
  ridge_set_check(s, check, NULL);
  CLAIM(11, ridge_run(s) == ridge_ok)
  const int verdict = ridge_verdict_on(s, 1);
  CLAIM(12, verdict == ridge_equivalent || verdict == ridge_inconclusive || verdict == ridge_different_but_small)
  CLAIM(13, ridge_assurance(s) == 1)
  CLAIM(14, rounds >= ridge_rounds(s))
  CLAIM(15, ridge_noise_floor(s) >= 0)
  puts(ridge_summary(s));
  ridge_close(s);
  return 0;
}

static int refuses(void) {
  ridge_session* s = session_of(full, shorter);
  for (int i = 0; i < elements; ++i) input[i] = 1;
  ridge_set_check(s, check, NULL);
  CLAIM(21, ridge_run(s) == ridge_ok && ridge_verdict_on(s, 1) == ridge_invalid)
  CLAIM(22, strstr(ridge_invalid_reason(s), "wrong output of second: the sum is") != NULL)
  CLAIM(23, isnan(ridge_ratio(s, 1)) && isnan(ridge_seconds(s, 0)) && ridge_assurance(s) == 0)
  puts(ridge_summary(s));
  CLAIM(24, ridge_add_call(s, "first", full, NULL) == ridge_wrong_use && *ridge_error(s) != '\0')
  CLAIM(25, ridge_set_budget(s, -1) == ridge_wrong_use && ridge_set_min_effect(s, NAN) == ridge_wrong_use)
  ridge_close(s);
  s = session_of(full, failing);
  CLAIM(26, ridge_run(s) == ridge_failed && strstr(ridge_error(s), "second") != NULL)
  CLAIM(27, ridge_verdict_on(s, 1) == ridge_unverified && isnan(ridge_ratio(s, 1)))
  ridge_close(s);
  ridge_close(NULL);
  return ridge_run(NULL) == ridge_wrong_use ? 0 : 28;
}

int main(void) {
  if (ridge_api_version() != RIDGE_API_VERSION) return 99;
  int wrong = finds_a_difference();
  if (wrong == 0) wrong = tells_nothing_apart();
  if (wrong == 0) wrong = refuses();
  return wrong;
}

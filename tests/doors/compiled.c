/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how the check "optimization" of a session ended, the verdict, and the mask of CPUs before and after it. */
#define _GNU_SOURCE
#include <ridge.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static int inside_cpus = 0;

static int cpus(void) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  return CPU_COUNT(&mask);
}

static int body(void* user, uint64_t calls) {
  volatile double sum = *(double*)user;
  for (uint64_t i = 0; i < 1000 * calls; ++i) sum += 1;
  inside_cpus = cpus();
  return ridge_go_on;
}

int main(void) {
  double one = 1, two = 2;
  const int before = cpus();
  ridge_session* session = ridge_open("compiled");
  ridge_add_loop(session, "a", body, &one);
  ridge_add_loop(session, "b", body, &two);
  ridge_set_budget(session, 0.05);
  if (ridge_run(session) != ridge_ok) return 1;
  const char* check = strstr(ridge_json(session, 0), "\"optimization\"");
  const char* end = check == NULL ? NULL : strchr(check, '}');
  if (end == NULL) return 2;
  printf("%.*s\n", (int)(end - check), check);
  printf("%s\n", ridge_verdict_word(ridge_verdict_on(session, 1)));
  printf("cpus %d %d %d\n", before > 1, inside_cpus == 1, cpus() == before);
  if (strstr(ridge_json(session, 0), "\"noise\"") == NULL) return 3;
  ridge_close(session);
  return 0;
}

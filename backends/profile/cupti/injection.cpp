// SPDX-License-Identifier: Apache-2.0
// Runs inside programs that do not know it: it prints nothing and throws nothing, and where something fails
// it writes so into its file and does not disturb the program.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>

#include <dlfcn.h>

#include "activity_lines.hpp"
#include "cupti_calls.hpp"
#include "json_line.hpp"
#include "line_file.hpp"

namespace ridge::backends::profile_cupti {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;
constexpr std::uint32_t flush_every_ms = 500;

struct collection {
  collection(const std::string& folder, const std::string& number)
      : events(folder + "/events-" + number + ".jsonl"), facts(folder + "/facts-" + number + ".jsonl") {}

  const pid_t process = getpid();
  std::mutex busy{};
  cupti_calls cupti{};
  line_file events, facts;
  activity_lines lines{
      process, [this](CUpti_CallbackDomain domain, CUpti_CallbackId call) {
        const char* name = nullptr;
        return cupti.callback_name(domain, call, &name) == CUPTI_SUCCESS && name ? std::string(name) : "";
      }};

  // Call these with the lock held.
  void write() {
    events.append(lines.take_events());
    facts.append(lines.take_facts());
  }
  void tell(const char* key, std::uint64_t value) {
    std::string text;
    json_line(text).number(key, value).end();
    facts.append(text);
  }
  void fail(std::string call, CUptiResult code) {
    const char* said = nullptr;
    if (cupti.result_string != nullptr && cupti.result_string(code, &said) == CUPTI_SUCCESS &&
        said != nullptr)
      call += std::string(" failed: ") + said;
    std::string text;
    json_line(text).text("failed", call).end();
    facts.append(text);
  }
};

// It is never destroyed, because CUPTI's thread may call until the very end.
std::atomic<collection*> the_collection{nullptr};

std::uint64_t CUPTIAPI monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *records = 0;  // as many as fit
}

void decode(collection& c, CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid) {
  const std::lock_guard lock(c.busy);
  CUpti_Activity* record = nullptr;
  while (valid > 0 && c.cupti.next_record(buffer, valid, &record) == CUPTI_SUCCESS) c.lines.add(*record);
  c.write();
  std::size_t dropped = 0;
  (void)c.cupti.dropped(context, stream, &dropped);
  if (dropped > 0) c.tell("dropped", dropped);
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*size*/,
                          std::size_t valid) {
  auto* c = the_collection.load();
  try {
    if (c != nullptr && c->process == getpid()) decode(*c, context, stream, buffer, valid);
  } catch (...) {  // out of memory: these records are lost, the program continues
  }
  std::free(buffer);
}

// A forked child inherits this handler, but neither CUDA nor CUPTI's threads.
void finish() noexcept {
  auto* c = the_collection.load();
  if (c == nullptr || c->process != getpid()) return;
  try {
    (void)c->cupti.flush(0);
    (void)c->cupti.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::lock_guard lock(c->busy);
    if (const auto lost = c->lines.take_incomplete(); lost > 0) c->tell("dropped", lost);
    const auto versions = loaded_cuda_versions();
    if (versions.driver > 0) c->tell("cuda_driver_version", static_cast<std::uint64_t>(versions.driver));
  } catch (...) {
  }
}

void enable(collection& c, CUpti_ActivityKind kind, const char* name, bool needed) {
  const auto code = c.cupti.enable(kind);
  if (code != CUPTI_SUCCESS && needed) c.fail(std::string("cuptiActivityEnable(") + name + ")", code);
}

void enable_all(collection& c) {
  enable(c, CUPTI_ACTIVITY_KIND_DEVICE, "DEVICE", false);
  enable(c, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "CONCURRENT_KERNEL", true);
  enable(c, CUPTI_ACTIVITY_KIND_MEMCPY, "MEMCPY", true);
  enable(c, CUPTI_ACTIVITY_KIND_MEMCPY2, "MEMCPY2", false);
  enable(c, CUPTI_ACTIVITY_KIND_MEMSET, "MEMSET", true);
  enable(c, CUPTI_ACTIVITY_KIND_RUNTIME, "RUNTIME", true);
  enable(c, CUPTI_ACTIVITY_KIND_DRIVER, "DRIVER", true);
  enable(c, CUPTI_ACTIVITY_KIND_CUDA_EVENT, "CUDA_EVENT", false);
  enable(c, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "SYNCHRONIZATION", false);
  enable(c, CUPTI_ACTIVITY_KIND_OVERHEAD, "OVERHEAD", false);
  enable(c, CUPTI_ACTIVITY_KIND_MARKER, "MARKER", false);
}

// The clock is set first and once, because a later change spoils records that are in flight.
void begin(collection& c, void* library) {
  c.cupti = calls_in(library);
  if (!c.cupti.whole()) return c.fail("this CUPTI lacks functions that are needed", CUPTI_SUCCESS);
  if (c.cupti.register_clock == nullptr || c.cupti.register_clock(monotonic_ns) != CUPTI_SUCCESS)
    return c.fail("this CUPTI cannot take another clock: use that of CUDA 12 or newer", CUPTI_SUCCESS);
  if (c.cupti.set_thread_ids != nullptr) (void)c.cupti.set_thread_ids(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  if (const auto code = c.cupti.register_buffers(give_buffer, take_buffer); code != CUPTI_SUCCESS)
    return c.fail("cuptiActivityRegisterCallbacks", code);
  enable_all(c);
  if (c.cupti.flush_period != nullptr) (void)c.cupti.flush_period(flush_every_ms);
  std::atexit(finish);
}

void start() {
  const char* folder = std::getenv("RIDGE_PROFILE_EVENTS");
  if (folder == nullptr || *folder == '\0') return;
  static std::mutex once;
  const std::lock_guard lock(once);
  auto* before = the_collection.load();
  if (before != nullptr && before->process == getpid()) return;
  auto* c = new collection(folder, std::to_string(getpid()));
  the_collection.store(c);
  if (auto* library = open_cupti()) return begin(*c, library);
  c->fail("no CUPTI was found: install libcupti, or add its folder to LD_LIBRARY_PATH", CUPTI_SUCCESS);
}

void start_quietly() noexcept {
  try {
    start();
  } catch (...) {
  }
}

}  // namespace
}  // namespace ridge::backends::profile_cupti

// CUDA calls this function when it starts (CUDA_INJECTION64_PATH).
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  ridge::backends::profile_cupti::start_quietly();
  return 1;
}

// NVTX calls this function at its first range (NVTX_INJECTION64_PATH); it forwards to CUPTI's own.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(void* get_export_table) {
  auto* library = ridge::backends::profile_cupti::open_cupti();
  if (library == nullptr) return 0;
  const auto pass_on = reinterpret_cast<int (*)(void*)>(dlsym(library, "InitializeInjectionNvtx2"));
  return pass_on == nullptr ? 0 : pass_on(get_export_table);
}

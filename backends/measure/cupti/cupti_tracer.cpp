// SPDX-License-Identifier: Apache-2.0
#include "cupti_tracer.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cupti_records.hpp"
#include "used_gpus.hpp"

namespace ridge::backends::measure_cupti {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{8} << 20;

// What the threads of CUPTI deliver. Its callbacks carry no pointer of the caller, and come until the process
// ends.
struct recording {
  std::mutex busy;
  cupti_functions cupti{};
  measure::gpu_trace seen{};
  std::map<std::pair<int, CUpti_CallbackId>, std::string> names{};

  // Returns the name of a call; the caller holds the lock.
  const std::string& name_of(CUpti_CallbackDomain domain, CUpti_CallbackId call) {
    auto& name = names[{static_cast<int>(domain), call}];
    const char* said = nullptr;
    if (name.empty() && cupti.callback_name(domain, call, &said) == CUPTI_SUCCESS && said != nullptr)
      name = without_version(said);
    return name;
  }
};

recording& the_recording() {
  static auto* const made = new recording;  // outlives every late callback
  return *made;
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, buffer_bytes));
  *size = *buffer == nullptr ? 0 : buffer_bytes;
  *records = 0;  // 0: as many as fit
}

void CUPTIAPI take_buffer(CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer,
                          std::size_t /*size*/, std::size_t valid) {
  auto& all = the_recording();
  const std::lock_guard lock(all.busy);
  const api_names names = [&](CUpti_CallbackDomain domain, CUpti_CallbackId call) {
    return all.name_of(domain, call);
  };
  CUpti_Activity* record = nullptr;
  while (valid > 0 && all.cupti.next_record(buffer, valid, &record) == CUPTI_SUCCESS)
    add_record(*record, names, all.seen);
  std::free(buffer);
}

void CUPTIAPI ignore(void* /*user*/, CUpti_CallbackDomain /*domain*/, CUpti_CallbackId /*call*/,
                     const void* /*data*/) {}

// Enables the kinds of records. Without the first kinds an audit proves nothing; the others add detail.
result<void> enable_all(const cupti_functions& f) {
  constexpr std::array needed{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                              CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME,
                              CUPTI_ACTIVITY_KIND_DRIVER};
  for (const auto kind : needed) {
    if (const auto code = f.enable(kind); code != CUPTI_SUCCESS)
      return cupti_refusal(f, "cuptiActivityEnable", code);
  }
  for (const auto kind :
       {CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_STREAM})
    (void)f.enable(kind);
  return {};
}

result<cupti_functions> attach() {
  auto loaded = load_cupti();
  if (!loaded) return loaded;
  the_recording().cupti = *loaded;
  // The subscription only shows whether another profiler is attached: activity records need no subscriber.
  CUpti_SubscriberHandle subscriber = nullptr;
  if (const auto code = loaded->subscribe(&subscriber, ignore, nullptr);
      code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
    return cupti_refusal(*loaded, "cuptiSubscribe", code);
  if (const auto code = loaded->register_callbacks(give_buffer, take_buffer); code != CUPTI_SUCCESS)
    return cupti_refusal(*loaded, "cuptiActivityRegisterCallbacks", code);
  if (const auto enabled = enable_all(*loaded); !enabled) return enabled.why();
  return loaded;
}

// Delivers all records, complete buffers first.
void flush(const cupti_functions& f) {
  for (const std::uint32_t how : {std::uint32_t{0}, std::uint32_t{CUPTI_ACTIVITY_FLAG_FLUSH_FORCED}}) {
    if (const auto code = f.flush(how); code != CUPTI_SUCCESS)
      throw failure(cupti_refusal(f, "cuptiActivityFlushAll", code));
  }
}

}  // namespace

const result<cupti_functions>& attached_cupti() {
  static const auto attached = attach();
  return attached;
}

cupti_tracer::cupti_tracer(const result<cupti_functions>& attached) {
  if (attached) {
    cupti_ = &*attached;
  } else {
    reason_ = "no tracer of the GPU: " + attached.why().text();
  }
}

void cupti_tracer::start() {
  if (cupti_ == nullptr) return;
  flush(*cupti_);
  std::size_t lost = 0;
  (void)cupti_->dropped(nullptr, 0, &lost);
  auto& all = the_recording();
  const std::lock_guard lock(all.busy);
  all.seen = {};
}

measure::gpu_trace cupti_tracer::stop() {
  if (cupti_ == nullptr) return {};
  wait_for_used_gpus();
  flush(*cupti_);
  std::size_t lost = 0;
  (void)cupti_->dropped(nullptr, 0, &lost);
  auto& all = the_recording();
  const std::lock_guard lock(all.busy);
  auto seen = std::exchange(all.seen, {});
  seen.dropped += lost;
  measure::put_in_order(seen);
  return seen;
}

// For the process that runs on the GPU; call it before the GPU is opened.
std::unique_ptr<measure::gpu_tracer> make() { return std::make_unique<cupti_tracer>(attached_cupti()); }

}  // namespace ridge::backends::measure_cupti

// SPDX-License-Identifier: Apache-2.0
#include "track_ids.hpp"

#include "unescape.hpp"

namespace ridge::backends::trace_chrome_json {

trace::track_id track_ids::of(trace::track_kind kind, const id_number& process, const id_number& thread,
                              std::int32_t device) {
  const auto mixed = static_cast<std::uint64_t>(process.value) * 31 +
                     static_cast<std::uint64_t>(thread.value) + static_cast<std::uint64_t>(kind) * 17;
  auto& s = slots_[(mixed ^ mixed >> 6) % slots_.size()];
  if (s.id == trace::none || s.process != process.value || s.thread != thread.value || s.kind != kind ||
      s.device != device)
    s = {process.value, thread.value, device, kind, missed(kind, process, thread, device)};
  return s.id;
}

trace::track_id track_ids::missed(trace::track_kind kind, const id_number& process, const id_number& thread,
                                  std::int32_t device) {
  const auto row = builder_.process(process.value);
  const auto id = builder_.track_of(kind, row, thread.value, device);
  auto& made = builder_.facts();
  if (process.text.told() && made.processes[row].name.empty())
    made.processes[row].name = unescape(process.text.text()).text;
  if (thread.text.told() && made.tracks[id].name.empty())
    made.tracks[id].name = unescape(thread.text.text()).text;
  return id;
}

void track_ids::name_process(std::int64_t process, std::string name) {
  processes_.push_back({process, 0, std::move(name)});
}

void track_ids::label_process(std::int64_t process, std::string labels) {
  labels_.push_back({process, 0, std::move(labels)});
}

void track_ids::name_thread(std::int64_t process, std::int64_t thread, std::string name) {
  threads_.push_back({process, thread, std::move(name)});
}

// The last of several names counts, as in viewers: threads are renamed once they are known.
void track_ids::apply_names() {
  auto& made = builder_.facts();
  for (const auto& g : processes_) {
    for (auto& p : made.processes) {
      if (p.id == g.process) p.name = g.text;
    }
  }
  for (const auto& g : labels_) {
    for (auto& p : made.processes) {
      if (p.id == g.process) p.labels = g.text;
    }
  }
  for (const auto& g : threads_) {
    for (auto& t : made.tracks) {
      if (t.thread == g.thread && made.processes[t.process].id == g.process) t.name = g.text;
    }
  }
}

}  // namespace ridge::backends::trace_chrome_json

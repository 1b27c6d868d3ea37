// SPDX-License-Identifier: Apache-2.0
#include "track_ids.hpp"

#include <map>
#include <utility>

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
  const auto last_of = [](const std::vector<given_name>& given) {
    std::map<std::pair<std::int64_t, std::int64_t>, const std::string*> last;
    for (const auto& g : given) last[{g.process, g.thread}] = &g.text;
    return last;
  };
  const auto name = [](const auto& names, std::int64_t process, std::int64_t thread, std::string& text) {
    if (const auto at = names.find({process, thread}); at != names.end()) text = *at->second;
  };
  const auto processes = last_of(processes_), labels = last_of(labels_), threads = last_of(threads_);
  for (auto& p : made.processes) {
    name(processes, p.id, 0, p.name);
    name(labels, p.id, 0, p.labels);
  }
  for (auto& t : made.tracks) name(threads, made.processes[t.process].id, t.thread, t.name);
}

}  // namespace ridge::backends::trace_chrome_json

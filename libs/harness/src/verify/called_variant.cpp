// SPDX-License-Identifier: Apache-2.0
#include "verify/called_variant.hpp"

#include <utility>

#include "plan/variant_resources.hpp"

namespace ridge::harness {

called_variant::called_variant(const experiment::definition& definition, std::size_t v, const problem& p,
                               const instruments& equipment, std::vector<keyed_member*> members)
    : definition_(definition),
      v_(v),
      equipment_(equipment),
      members_(std::move(members)),
      threads_(threads_of(definition.variants[v], p)),
      queues_(queues_of(definition, v, *equipment.device)),
      resources_{*equipment.device, queues_.get(), plan_.team(threads_), threads_},
      call_(call_resources_of(definition, host_ticks(), resources_)) {
  for (std::size_t i = 0; i < members_.size(); ++i) setups_.push_back(std::make_unique<setup>(resources_));
}

void called_variant::rehearse() const {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  setup once(resources_);
  (void)once.workspace<std::byte>(bytes);
}

void called_variant::bind() {
  for (std::size_t i = 0; i < members_.size(); ++i)
    bodies_.push_back(definition_.bind(v_, members_[i]->get(), *setups_[i]));
}

void called_variant::stage(std::size_t member) {
  definition_.stage(v_, members_[member]->get(), *setups_[member]);
  plan_.place(threads_);
}

void called_variant::run(std::size_t member, std::uint64_t n) {
  call_.clear();
  bodies_[member]->run(call_, n);
  equipment_.device->synchronize();
}

double called_variant::taken_bytes() const {
  double all = 0;
  for (const auto& one : setups_) all += static_cast<double>(one->taken_bytes());
  return all;
}

}  // namespace ridge::harness

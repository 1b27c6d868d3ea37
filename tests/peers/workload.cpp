// SPDX-License-Identifier: Apache-2.0
#include "workload.hpp"

#include <utility>

namespace ridge::peers {
namespace {

class register_chain final : public workload {
 public:
  std::string name() const override { return "register"; }
  void run(std::uint64_t calls) override {
    for (; calls != 0; --calls) {
      for (int i = 0; i < 1000; ++i) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
      }
      asm volatile("" ::"r"(state_) : "memory");
    }
  }

 private:
  std::uint64_t state_ = 88172645463325252;
};

class pass final : public workload {
 public:
  pass(std::string name, std::size_t bytes)
      : name_(std::move(name)), source_(bytes / 2 / sizeof(float), 1.0F), target_(source_.size()) {}
  std::string name() const override { return name_; }
  void run(std::uint64_t calls) override {
    for (; calls != 0; --calls) {
      for (std::size_t i = 0; i < source_.size(); ++i) target_[i] = 0.5F * source_[i];
      asm volatile("" ::"r"(target_.data()) : "memory");
    }
  }

 private:
  std::string name_;
  std::vector<float> source_, target_;
};

}  // namespace

std::unique_ptr<workload> register_bound() { return std::make_unique<register_chain>(); }

std::unique_ptr<workload> array_pass(std::string name, std::size_t bytes) {
  return std::make_unique<pass>(std::move(name), bytes);
}

std::vector<std::unique_ptr<workload>> workloads() {
  std::vector<std::unique_ptr<workload>> all;
  all.push_back(register_bound());
  all.push_back(array_pass("cache", 400 << 10));
  all.push_back(array_pass("memory", 64 << 20));
  return all;
}

}  // namespace ridge::peers

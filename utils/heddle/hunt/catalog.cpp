#include "catalog.h"

namespace heddle::hunt {

void ExecutionSet::Add(uint64_t number) {
  if (number >= members_.size())
    members_.resize(number + 1);
  size_ += !members_[number];
  members_[number] = true;
}

void ExecutionSet::Add(const ExecutionSet &others) {
  for (uint64_t number = 0; number < others.members_.size(); number++)
    if (others.members_[number])
      Add(number);
}

bool Catalog::See(const Observation &observation, uint64_t execution) {
  std::lock_guard lock(mutex_);
  const auto [found, is_new] = by_raw_key_.try_emplace(observation.raw_key, nullptr);
  if (found->second)
    found->second->executions.Add(execution);
  else
    pending_[observation.raw_key].Add(execution);
  return is_new;
}

bool Catalog::Add(const Finding &finding, const std::string &raw_key) {
  std::lock_guard lock(mutex_);
  const auto [found, is_new] = by_key_.try_emplace(finding.key, nullptr);
  if (is_new) {
    entries_.push_back(std::make_unique<Entry>(Entry{finding, {}}));
    found->second = entries_.back().get();
  }
  by_raw_key_[raw_key] = found->second;
  found->second->executions.Add(pending_[raw_key]);
  pending_.erase(raw_key);
  return is_new;
}

void Catalog::Replace(const Finding &finding) {
  std::lock_guard lock(mutex_);
  const auto found = by_key_.find(finding.key);
  if (found != by_key_.end())
    found->second->finding = finding;
}

std::vector<Finding> Catalog::All() const {
  std::lock_guard lock(mutex_);
  std::vector<Finding> all;
  for (const auto &entry : entries_) {
    all.push_back(entry->finding);
    all.back().executions = entry->executions.Size();
  }
  return all;
}

size_t Catalog::Size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

} // namespace heddle::hunt

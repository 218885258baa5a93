#include "statistics_file.h"

#include "failure.h"

#include <cerrno>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace heddle::hunt {

using __heddle::SharedStatistics;

StatisticsFile::StatisticsFile() : file_(memfd_create("heddle-statistics", MFD_CLOEXEC)) {
  void *memory = MAP_FAILED;
  if (file_ && !ftruncate(file_.Get(), sizeof(SharedStatistics)))
    memory =
        mmap(nullptr, sizeof(SharedStatistics), PROT_READ | PROT_WRITE, MAP_SHARED, file_.Get(), 0);
  if (memory == MAP_FAILED)
    throw Failure(std::string("no memory for statistics: ") + strerror(errno) +
                  (errno == EFBIG ? ". Raise the limit of files: ulimit -f unlimited" : "."));
  shared_ = static_cast<SharedStatistics *>(memory);
  shared_->magic = __heddle::kStatisticsMagic;
  shared_->version = __heddle::kStatisticsVersion;
}

StatisticsFile::~StatisticsFile() { munmap(shared_, sizeof(SharedStatistics)); }

void StatisticsFile::Clear(unsigned slot) {
  shared_->executions[slot % SharedStatistics::kSlots] = {};
}

std::optional<ExecutionStatistics> StatisticsFile::Read(unsigned slot) const {
  // The process that wrote it has ended.
  const ExecutionStatistics statistics = shared_->executions[slot % SharedStatistics::kSlots];
  if (!statistics.complete)
    return std::nullopt;
  return statistics;
}

} // namespace heddle::hunt

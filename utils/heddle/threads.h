// Work on several threads, or on as many of them as the system allows.
#ifndef HEDDLE_THREADS_H
#define HEDDLE_THREADS_H

#include "hunt/failure.h"

#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace heddle {

// A thread for each, or for the first ones. Throws Failure if not even one can be started.
inline std::vector<std::thread> StartThreads(const std::vector<std::function<void()>> &all) {
  std::vector<std::thread> threads;
  threads.reserve(all.size()); // nothing may fail when one has been started
  for (const std::function<void()> &one : all)
    try {
      threads.emplace_back(one);
    } catch (const std::system_error &error) {
      if (threads.empty())
        throw hunt::Failure("no thread can be started: " + error.code().message() +
                            ". Raise the limit of processes: ulimit -u");
      break;
    }
  return threads;
}

// Runs `work` on so many threads, this one among them. Throws what one of them has thrown.
inline void OnThreads(unsigned jobs, const std::function<void()> &work) {
  std::mutex lock;
  std::exception_ptr failure;
  const std::function<void()> guarded = [&] {
    try {
      work();
    } catch (...) {
      std::lock_guard guard(lock);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  try {
    threads = StartThreads(std::vector<std::function<void()>>(jobs ? jobs - 1 : 0, guarded));
  } catch (const hunt::Failure &) {
    // This one does it all.
  }
  guarded();
  for (std::thread &thread : threads)
    thread.join();
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace heddle

#endif // HEDDLE_THREADS_H

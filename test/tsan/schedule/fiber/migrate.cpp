// Fibers that any of three threads may run next: a thread of the schedule stays what it is, whichever
// fiber it runs, and a fiber takes its clock along. They lock, wait on conditions, throw, sleep and
// end wherever they are. No race.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: %every_schedule %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 --options weak_memory=mograph %t | %FileCheck %s
// RUN: %every_engine %t | %FileCheck %s
// RUN: %six_modes --seeds 1 %t | %FileCheck %s
// RUN: %record_and_play %t | %FileCheck %s
// RUN: %record_and_play --options "weak_memory=mograph one_at_a_time=1" %t | %FileCheck %s
#include "fiber.h"
#include "heddle_test.h"
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unistd.h>

constexpr int kFibers = 6, kSteps = 4, kThreads = 3;

struct Job {
  std::unique_ptr<Fiber> fiber;
  int steps = 0;
};

static std::mutex mutex;
static std::condition_variable changed;
static std::deque<Job *> ready;
static int live = kFibers, caught, slept;
static std::atomic<int> relaxed_steps;

static void Throw(int step) { throw std::runtime_error(std::to_string(step)); }

static void Body(Job *job) {
  for (int step = 0; step < kSteps; step++) {
    job->steps++; // wherever it runs
    relaxed_steps.fetch_add(1, std::memory_order_relaxed);
    try {
      job->fiber->Yield(); // not in a handler: libstdc++ keeps what is caught by thread
      if (step % 2)
        Throw(step);
    } catch (const std::runtime_error &error) {
      EXPECT(error.what() == std::to_string(step));
      std::lock_guard<std::mutex> lock(mutex);
      caught++;
    }
    if (step == 2) {
      usleep(10);
      std::lock_guard<std::mutex> lock(mutex);
      slept++;
    }
    job->fiber->Yield();
  }
}

static void Work() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [] { return !ready.empty() || !live; });
    if (!live)
      return;
    Job *job = ready.front();
    ready.pop_front();
    lock.unlock();
    job->fiber->Resume();
    lock.lock();
    if (job->fiber->ended())
      live--;
    else
      ready.push_back(job);
    changed.notify_all();
  }
}

int main() {
  std::vector<Job> jobs(kFibers);
  for (Job &job : jobs) {
    job.fiber = std::make_unique<Fiber>([&job] { Body(&job); });
    ready.push_back(&job);
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++)
    threads.emplace_back(Work);
  for (std::thread &thread : threads)
    thread.join();
  int steps = 0;
  for (Job &job : jobs)
    steps += job.steps;
  printf("%d steps, %d in all, %d caught, %d slept\n", steps, relaxed_steps.load(), caught, slept);
}
// CHECK: 24 steps, 24 in all, 12 caught, 6 slept

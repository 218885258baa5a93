// What runs the tests of `heddle litmus stress`: stands behind them in the program that is made.
//
//     program RUNS SEED BARRIER
//
// A test is run RUNS times, in rounds. In a round each location has an array with an element for
// each run, and which run has which element is chosen at random anew for each location. The threads
// go through the runs in step, held together by a barrier before each:
//
//   user      a counter that all threads raise and wait for, and a fence
//   timebase  the same, and then a time of the processor's clock, a little later for some
//
// Prints "test NUMBER", and then for each final state "COUNT VALUE...".

#define ROUND 4096
#define MAX_STATES 4096

static unsigned long runs;
static int timebase;

static uint64_t random_state;
static uint32_t Random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static uint64_t Clock(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static _Atomic int *values[MAX_LOCATIONS]; // by location, by element
static uint32_t *allotted[MAX_LOCATIONS];  // by location, by run
static int *results;                       // by run, by observable
static _Atomic int arrived[ROUND];         // by run
static _Atomic uint64_t start_time[ROUND]; // by run
static pthread_barrier_t round_begins, round_ends;
static const struct Test *test;
static unsigned long round_size;
static int over;

// More threads than processors would wait for each other's time slices.
static void Pause(unsigned *spins) {
  if (++*spins % 64 == 0)
    sched_yield();
}

static void WaitForOthers(unsigned long run, int thread, uint64_t *random) {
  unsigned spins = 0;
  atomic_fetch_add(&arrived[run], 1);
  while (atomic_load_explicit(&arrived[run], memory_order_relaxed) < test->threads)
    Pause(&spins);
  if (timebase) {
    if (thread == (int)(run % (unsigned)test->threads))
      atomic_store(&start_time[run], Clock() + 400);
    uint64_t start;
    while ((start = atomic_load_explicit(&start_time[run], memory_order_relaxed)) == 0)
      Pause(&spins);
    start += Random(random) % 128;
    while (Clock() < start)
      ;
  }
  atomic_thread_fence(memory_order_seq_cst);
}

static void *RunThread(void *argument) {
  const int thread = (int)(intptr_t)argument;
  uint64_t random = random_state + (uint64_t)thread;
  for (;;) {
    pthread_barrier_wait(&round_begins);
    if (over)
      return 0;
    for (unsigned long run = 0; run < round_size; run++) {
      _Atomic int *locations[MAX_LOCATIONS];
      for (int i = 0; i < test->locations; i++)
        locations[i] = &values[i][allotted[i][run]];
      int *result = &results[run * MAX_OBSERVED];
      WaitForOthers(run, thread, &random);
      test->run[thread](locations, result);
    }
    pthread_barrier_wait(&round_ends);
  }
}

static void BeginRound(void) {
  for (int i = 0; i < test->locations; i++) {
    for (unsigned long run = 0; run < round_size; run++) {
      atomic_store_explicit(&values[i][run], test->initial[i], memory_order_relaxed);
      // Fisher and Yates.
      const uint32_t other = Random(&random_state) % (uint32_t)(run + 1);
      allotted[i][run] = allotted[i][other];
      allotted[i][other] = (uint32_t)run;
    }
  }
  for (unsigned long run = 0; run < round_size; run++) {
    atomic_store_explicit(&arrived[run], 0, memory_order_relaxed);
    atomic_store_explicit(&start_time[run], 0, memory_order_relaxed);
  }
}

static int states[MAX_STATES][MAX_OBSERVED];
static unsigned long counts[MAX_STATES];
static int state_count;

static void EndRound(void) {
  for (unsigned long run = 0; run < round_size; run++) {
    int *state = &results[run * MAX_OBSERVED];
    for (int i = 0; i < test->observed; i++)
      if (test->observed_location[i] >= 0) {
        const int location = test->observed_location[i];
        state[i] =
            atomic_load_explicit(&values[location][allotted[location][run]], memory_order_relaxed);
      }
    int found = 0;
    while (found < state_count &&
           memcmp(states[found], state, sizeof(int) * (size_t)test->observed) != 0)
      found++;
    if (found == MAX_STATES) {
      fprintf(stderr, "%s: more than %d states\n", test->name, MAX_STATES);
      exit(1);
    }
    if (found == state_count)
      memcpy(states[state_count++], state, sizeof(int) * (size_t)test->observed);
    counts[found]++;
  }
}

static void RunTest(void) {
  pthread_t ids[MAX_THREADS];
  pthread_barrier_init(&round_begins, 0, (unsigned)test->threads + 1);
  pthread_barrier_init(&round_ends, 0, (unsigned)test->threads + 1);
  over = 0;
  state_count = 0;
  memset(counts, 0, sizeof counts);
  for (int t = 0; t < test->threads; t++)
    if (pthread_create(&ids[t], 0, RunThread, (void *)(intptr_t)t)) {
      fprintf(stderr, "no thread can be started\n");
      exit(1);
    }
  for (unsigned long done = 0; done < runs; done += round_size) {
    round_size = runs - done < ROUND ? runs - done : ROUND;
    BeginRound();
    pthread_barrier_wait(&round_begins);
    pthread_barrier_wait(&round_ends);
    EndRound();
  }
  over = 1;
  pthread_barrier_wait(&round_begins);
  for (int t = 0; t < test->threads; t++)
    pthread_join(ids[t], 0);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  runs = strtoul(argv[1], 0, 10);
  random_state = strtoul(argv[2], 0, 10);
  timebase = strcmp(argv[3], "timebase") == 0;
  for (int i = 0; i < MAX_LOCATIONS; i++) {
    values[i] = malloc(sizeof(*values[i]) * ROUND);
    allotted[i] = calloc(ROUND, sizeof(*allotted[i]));
  }
  results = calloc(ROUND * MAX_OBSERVED, sizeof(*results));
  for (size_t i = 0; i < sizeof kTests / sizeof *kTests; i++) {
    test = &kTests[i];
    RunTest();
    printf("test %zu\n", i);
    for (int s = 0; s < state_count; s++) {
      printf("%lu", counts[s]);
      for (int v = 0; v < test->observed; v++)
        printf(" %d", states[s][v]);
      printf("\n");
    }
  }
}

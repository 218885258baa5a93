// Standard input, by each way to read it: a replay has none.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play --input "12 words and a line" %t scanf | %FileCheck %s -check-prefix=SCANF
// RUN: %record_and_play --input "12 words and a line" %t cin | %FileCheck %s -check-prefix=CIN
// RUN: %record_and_play --input "12 words and a line" %t read | %FileCheck %s -check-prefix=READ
// RUN: %record_and_play --input "12 words and a line" %t both | %FileCheck %s -check-prefix=BOTH
#include "heddle_test.h"
#include <iostream>
#include <mutex>
#include <string.h>
#include <string>
#include <thread>
#include <unistd.h>

int main(int, char **argv) {
  const std::string way = argv[1];
  if (way == "scanf") {
    int number = 0;
    char word[16] = {}, line[64] = {};
    EXPECT(scanf("%d %15s", &number, word) == 2);
    EXPECT(getchar() == ' ');
    EXPECT(fgets(line, sizeof(line), stdin));
    printf("%d,%s,%s", number, word, line);
    printf("end: %d %d\n", getchar(), feof(stdin) != 0);
  } else if (way == "cin") {
    int number;
    std::string word, line;
    std::cin >> number >> word;
    std::getline(std::cin, line);
    std::cout << number << "," << word << "," << line << "\n";
    std::cout << "more: " << bool(std::cin >> word) << std::endl;
  } else if (way == "read") {
    char data[64] = {};
    printf("%zd bytes, descriptor %d\n", read(fileno(stdin), data, sizeof(data)), fileno(stdin));
    fputs(data, stdout);
  } else {
    // Who gets which character depends on the schedule.
    std::string taken[2];
    std::mutex mutex;
    const auto take = [&](int i) {
      for (;;) {
        std::lock_guard<std::mutex> lock(mutex);
        const int next = getchar();
        if (next == EOF)
          return;
        taken[i] += char(next);
      }
    };
    std::thread first(take, 0), second(take, 1);
    first.join();
    second.join();
    printf("[%s] [%s] %zu\n", taken[0].c_str(), taken[1].c_str(),
           taken[0].size() + taken[1].size());
  }
}
// SCANF: 12,words,and a line
// SCANF: end: -1 1
// CIN: 12,words, and a line
// CIN: more: 0
// READ: 20 bytes, descriptor 0
// READ: 12 words and a line
// BOTH: 20

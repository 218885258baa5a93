// All ways to answer a sequence of questions whose number and kind depend on the
// answers: run once, ask for the next, run again, until there is none.
#ifndef HEDDLE_LITMUS_HARDWARE_CHOICES_H
#define HEDDLE_LITMUS_HARDWARE_CHOICES_H

#include <cstddef>
#include <vector>

namespace heddle::litmus::hardware {

class Choices {
public:
  // One of 0 to count - 1.
  int Choose(int count) {
    if (position_ == answers_.size())
      answers_.push_back({0, count});
    return answers_[position_++].answer;
  }

  // Those to the questions so far.
  std::vector<int> Answers() const {
    std::vector<int> answers(position_);
    for (size_t i = 0; i < position_; i++)
      answers[i] = answers_[i].answer;
    return answers;
  }

  // Goes to the next way, in lexicographic order. False after the last.
  bool Next() {
    position_ = 0;
    while (!answers_.empty() && answers_.back().answer + 1 == answers_.back().count)
      answers_.pop_back();
    if (answers_.empty())
      return false;
    answers_.back().answer++;
    return true;
  }

private:
  struct Answer {
    int answer, count;
  };
  std::vector<Answer> answers_;
  size_t position_ = 0;
};

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_CHOICES_H

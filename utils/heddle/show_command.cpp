#include "show_command.h"

#include "command.h"
#include "hunt/elf.h"
#include "hunt/executor.h"
#include "hunt/failure.h"
#include "hunt/files.h"
#include "hunt/flags.h"
#include "hunt/printable.h"
#include "hunt/replay_plan.h"
#include "hunt/trust.h"
#include "show/dot.h"
#include "show/execution.h"
#include "show/happens_before.h"
#include "show/html.h"
#include "show/symbols.h"
#include "show/terminal.h"
#include "show/view.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle {
namespace {

using namespace hunt;

struct ShowOptions {
  std::string path, program, options, color = "auto";
  uint64_t last = 10'000;
  double timeout = 60;
  bool full = false, ascii = false, trust = false;
  std::string html, dot;
};

// Repeats it, and returns what the runtime wrote.
std::string Execute(const ShowOptions &options, ReplayPlan plan) {
  const TemporaryDirectory directory;
  const std::string file = directory.Path() + "/execution";
  // Without the report's own symbols, which nobody sees.
  const Options more(options.options);
  CheckFlags(more, "--options");
  plan.options.Set("symbolize", "0").Add(more).Set("execution_file", file);
  SpawnPlan spawn = plan.ToSpawn();
  const Descriptor output = MemoryFile("output"), errors = MemoryFile("errors");
  spawn.out = output.Get();
  spawn.err = errors.Get();
  WaitLimits limits;
  limits.seconds = options.timeout;
  const pid_t process = Spawn(spawn);
  limits.meanwhile = Attendance(output.Get(), errors.Get(), process);
  const Ended ended = Await(process, limits);
  constexpr int kDesynchronised = 67;
  const std::string said = ReadAll(errors.Get());
  if (ended.how == Ended::How::kExited && ended.code == kDesynchronised)
    throw Failure("this is not the recorded execution any more:\n" + said);
  if (!Exists(file))
    throw Failure("the program wrote nothing about its execution. Was it built with an older "
                  "Heddle? It said:\n" +
                  said);
  return ReadFile(file);
}

// What is shown, and of what.
struct Shown {
  show::Execution execution;
  show::Symbols symbols;
  std::string title;
};

// A finding has what its execution did, so that nothing need be run.
bool ShowStored(const ShowOptions &options, Shown *shown) {
  if (!options.program.empty() || !options.options.empty())
    return false;
  const StoredExecution stored = ReadStoredExecution(options.path);
  if (stored.execution.empty())
    return false;
  shown->execution = show::ReadExecution(stored.execution, options.last);
  shown->title = stored.command;
  if (BuildIdOf(stored.program) == stored.build) {
    shown->symbols = show::Symbolize(shown->execution, FindSymbolizer());
    return true;
  }
  fprintf(stderr,
          "heddle show: %s is not there, or is another build than the recorded one: names and "
          "lines are left out.\n",
          Printable(stored.program).c_str());
  return true;
}

void ShowRepeated(const ShowOptions &options, Shown *shown) {
  const ReplayPlan plan = PlanReplay(options.path, options.program);
  ConfirmForeign(plan, options.path, options.trust);
  shown->execution = show::ReadExecution(Execute(options, plan), options.last);
  shown->title = ShellJoin(plan.program.arguments);
  shown->symbols = show::Symbolize(shown->execution, FindSymbolizer());
}

// COLUMNS is what somebody wants, a terminal's width what there is.
unsigned TerminalWidth() {
  const char *columns = getenv("COLUMNS");
  if (const int wanted = columns ? atoi(columns) : 0; wanted > 0)
    return unsigned(wanted);
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

// Logs and files are UTF-8, whatever the locale of whoever writes them.
bool CanShowUtf8() {
  if (!isatty(STDOUT_FILENO))
    return true;
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (!locale)
    return false;
  const bool is_utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
  freelocale(locale);
  return is_utf8;
}

// A file that is asked for, or standard output: "-". It is written as it comes.
class Output {
public:
  explicit Output(const std::string &path) : path_(path) {
    if (path != "-" && !(file_ = fopen(path.c_str(), "we")))
      Fail();
  }
  ~Output() {
    if (file_ != stdout)
      fclose(file_);
  }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  void Write(std::string_view text) {
    if (fwrite(text.data(), 1, text.size(), file_) != text.size())
      Fail();
  }
  // All of it has been given.
  void End() {
    if (file_ == stdout)
      return;
    if (fflush(file_))
      Fail();
    fprintf(stderr, "heddle: written to %s\n", path_.c_str());
  }

private:
  [[noreturn]] void Fail() const {
    throw Failure(
        (file_ == stdout ? "standard output cannot be written" : "cannot write " + path_) + ": " +
        strerror(errno));
  }

  const std::string path_;
  FILE *file_ = stdout;
};

int Show(const ShowOptions &options) {
  Shown shown;
  if (!ShowStored(options, &shown))
    ShowRepeated(options, &shown);
  const show::View view = show::MakeView(shown.execution, shown.symbols, Printable(shown.title));
  if (!options.html.empty() || !options.dot.empty()) {
    const show::HappensBefore order(shown.execution);
    if (!options.html.empty()) {
      Output page(options.html);
      show::WriteHtml(view, order, [&](std::string_view part) { page.Write(part); });
      page.End();
    }
    if (!options.dot.empty()) {
      Output graph(options.dot);
      graph.Write(show::ToDot(view, order));
      graph.End();
    }
    return 0;
  }
  shown.execution = {}; // the view has all that the text needs
  show::TerminalOptions terminal;
  terminal.colour = options.color == "always" ||
                    (options.color == "auto" && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
  terminal.fold = !options.full;
  terminal.ascii = options.ascii || !CanShowUtf8();
  terminal.width = TerminalWidth();
  Output text("-");
  show::WriteText(view, terminal, [&](const std::string &line) { text.Write(line); });
  return 0;
}

} // namespace

std::function<int()> AddShowCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App *show = *subcommand = heddle->add_subcommand(
      "show", "Shows what a recorded execution did: who did what when, and what was read.");
  show->add_option("path", options->path, "The directory of a finding, or of a demo")->required();
  show->add_option(
      "--html", options->html,
      "Writes it as one page for a browser to this file instead; - is standard output");
  show->add_option("--dot", options->dot,
                   "Writes it as a graph for Graphviz to this file instead; - is standard output");
  show->add_flag("--full", options->full, "Shows every operation: repetition is not folded");
  AddWord(show, "--color", &options->color, {"auto", "always", "never"},
          "Whether the text has colours; auto: on a terminal, unless NO_COLOR is set");
  show->add_flag("--ascii", options->ascii,
                 "Draws lines with ASCII characters, as on a terminal without UTF-8");
  show->add_option("--last", options->last,
                   "Shows only this many operations, the last ones; 0: all")
      ->capture_default_str();
  show->add_option("--timeout", options->timeout,
                   "Ends an execution that does not end, after so many seconds, and shows what it "
                   "did until then")
      ->capture_default_str();
  show->add_option("--program", options->program, "The program, if it is elsewhere now");
  show->add_option("--options", options->options, "More flags, as in TSAN_OPTIONS");
  show->add_flag(
      "--trust", options->trust,
      "Runs it without a question also if it was recorded by somebody else, or elsewhere");
  show->footer("A finding has what its execution did, and nothing is run to show it, unless there "
               "are too many operations, or --program or --options is given. Then, and for a demo, "
               "the execution is repeated as by `heddle replay`; what the program prints is not "
               "shown. Exits with 0, or with 2 if it could not be repeated.");
  return Guarded(*show, [=] { return Show(*options); });
}

} // namespace heddle

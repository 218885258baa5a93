#include "documents.h"

#include "command.h"
#include "hunt/failure.h"

#include <cstdio>
#include <memory>
#include <sstream>
#include <vector>

namespace heddle {
namespace {

// Those that help names.
std::vector<const CLI::App *> Subcommands(const CLI::App &heddle) {
  std::vector<const CLI::App *> all;
  for (const CLI::App *each : heddle.get_subcommands([](const CLI::App *) { return true; }))
    if (!each->get_group().empty())
      all.push_back(each);
  return all;
}

// A subcommand with the words that lead to it: "litmus synth" for one of litmus.
struct Path {
  std::string words;
  const CLI::App *app;
};

// All, each followed by its own.
std::vector<Path> Paths(const CLI::App &heddle) {
  std::vector<Path> all;
  for (const CLI::App *each : Subcommands(heddle)) {
    all.push_back({each->get_name(), each});
    for (const CLI::App *nested : Subcommands(*each))
      all.push_back({each->get_name() + " " + nested->get_name(), nested});
  }
  return all;
}

const CLI::App &Find(const CLI::App &heddle, const std::string &name) {
  for (const CLI::App *each : Subcommands(heddle))
    if (each->get_name() == name)
      return *each;
  throw hunt::Failure("there is no subcommand " + name + ".");
}

std::vector<const CLI::Option *> Named(const CLI::App &app) {
  std::vector<const CLI::Option *> all;
  for (const CLI::Option *option : app.get_options())
    if (!option->get_positional())
      all.push_back(option);
  return all;
}

std::vector<const CLI::Option *> Positional(const CLI::App &app) {
  std::vector<const CLI::Option *> all;
  for (const CLI::Option *option : app.get_options())
    if (option->get_positional())
      all.push_back(option);
  return all;
}

bool TakesValue(const CLI::Option &option) { return option.get_items_expected_max() > 0; }

// Of "TEXT:{a,b}" a and b.
std::vector<std::string> Words(const CLI::Option &option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.find('}');
  std::vector<std::string> words;
  if (open == type.npos || close == type.npos)
    return words;
  std::istringstream all(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(all, word, ',');)
    words.push_back(word);
  return words;
}

std::string Join(const std::vector<std::string> &words, const std::string &between) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> Names(const CLI::Option &option) {
  std::vector<std::string> names;
  for (const std::string &name : option.get_snames())
    names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    names.push_back("--" + name);
  return names;
}

std::string Replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

//===-- Manual pages ------------------------------------------------------===//

std::string Roff(std::string text) {
  text = Replaced(Replaced(text, "\\", "\\e"), "-", "\\-");
  return !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" + text : text;
}

struct Example {
  const char *subcommand, *line, *what;
};

constexpr Example kExamples[] = {
    {"run", "heddle run --seed 3 ./queue_test", "one execution, the same each time"},
    {"run", "heddle run --record demo ./server 8080", "an execution that can be repeated"},
    {"hunt", "heddle hunt ./queue_test", "a minute of executions on all processors"},
    {"hunt", "heddle hunt --until-bug --time 1h --junit result.xml ./queue_test",
     "in CI: until the first finding, or an hour"},
    {"hunt", "heddle hunt --shard 2/8 --findings shard-2 ./queue_test", "the third of eight hunts"},
    {"replay", "heddle replay findings/race-queue.cpp-88-1a2b3c", "a finding again"},
    {"replay", "heddle replay --gdb demo", "a recorded execution under gdb"},
    {"show", "heddle show findings/race-queue.cpp-88-1a2b3c", "who did what, up to the race"},
    {"show", "heddle show --html race.html demo", "the same as a page for a browser"},
    {"show", "heddle show --dot - demo | dot -Tsvg > race.svg", "as a graph"},
    {"merge", "heddle merge --into findings shard-*",
     "the findings of all shards in one directory"},
    {"litmus", "heddle litmus SB+rlx.litmus", "all executions of a litmus test"},
    {"litmus", "heddle litmus synth --events 4 --out tests",
     "all minimal tests of up to four events"},
    {"doctor", "heddle doctor ./queue_test", "what is wrong, if something is"},
    {"completion", "heddle completion bash > ~/.local/share/bash-completion/completions/heddle",
     "completion for bash"},
};

void PrintOption(const CLI::Option &option, std::string *page) {
  std::string names;
  for (const std::string &name : Names(option))
    names += (names.empty() ? "\\fB" : ", \\fB") + Roff(name) + "\\fR";
  if (option.get_positional())
    names = "\\fI" + Roff(option.get_name()) + "\\fR";
  const std::vector<std::string> words = Words(option);
  if (!option.get_positional() && TakesValue(option))
    names += words.empty() ? " \\fIVALUE\\fR" : " \\fI" + Roff(Join(words, "|")) + "\\fR";
  *page += ".TP\n" + names + "\n" + Roff(option.get_description()) + ".";
  if (!option.get_default_str().empty())
    *page += " Default: " + Roff(option.get_default_str()) + ".";
  *page += "\n";
}

// The subcommands of a subcommand stand on its page.
void PrintNested(const CLI::App &app, std::string *page) {
  if (Subcommands(app).empty())
    return;
  *page += ".SH SUBCOMMANDS\n";
  for (const CLI::App *nested : Subcommands(app)) {
    *page += ".SS heddle " + Roff(app.get_name() + " " + nested->get_name()) +
             " [\\fIOPTION\\fR]...\n" + Roff(nested->get_description()) + "\n";
    for (const CLI::Option *option : Positional(*nested))
      PrintOption(*option, page);
    for (const CLI::Option *option : Named(*nested))
      PrintOption(*option, page);
    if (!nested->get_footer().empty())
      *page += ".PP\n" + Roff(nested->get_footer()) + "\n";
  }
}

void PrintExamples(const std::string &subcommand, std::string *page) {
  std::string examples;
  for (const Example &example : kExamples)
    if (subcommand.empty() || subcommand == example.subcommand)
      examples += ".TP\n.B " + Roff(example.line) + "\n" + Roff(example.what) + ".\n";
  if (!examples.empty())
    *page += ".SH EXAMPLES\n" + examples;
}

constexpr char kFindingFiles[] =
    ".SH FILES\n"
    ".TP\n.I findings/NAME/report.txt\nwhat the program printed.\n"
    ".TP\n.I findings/NAME/demo\nthe execution, for \\fBheddle replay\\fR.\n"
    ".TP\n.I findings/NAME/finding.json\nall that is known about it.\n"
    ".TP\n.I findings/NAME/repeat.sh\nrepeats it without heddle.\n";

} // namespace

std::string ManPage(const CLI::App &heddle, const CLI::App *subcommand,
                    const std::string &version) {
  const CLI::App &app = subcommand ? *subcommand : heddle;
  const std::string name = subcommand ? "heddle-" + app.get_name() : "heddle";
  std::string page = ".TH " + CLI::detail::to_lower(name) + " 1 \"\" \"" + version +
                     "\" \"Heddle\"\n.SH NAME\n" + Roff(name) + " \\- " +
                     Roff(app.get_description()) + "\n.SH SYNOPSIS\n.B heddle";
  if (subcommand)
    page += " " + app.get_name();
  page += "\n[\\fIOPTION\\fR]...";
  if (!subcommand)
    page += " \\fISUBCOMMAND\\fR ...";
  for (const CLI::Option *option : Positional(app))
    page += " \\fI" + Roff(option->get_name()) + "\\fR";
  if (app.get_prefix_command())
    page += " \\fIPROGRAM\\fR [\\fIARGUMENT\\fR]...";
  page += "\n.SH DESCRIPTION\n" + Roff(app.get_description()) + "\n";
  if (!subcommand) {
    page += ".SH SUBCOMMANDS\n";
    for (const CLI::App *each : Subcommands(heddle))
      page += ".TP\n.BR heddle\\-" + Roff(each->get_name()) + " (1)\n" +
              Roff(each->get_description()) + "\n";
  }
  page += ".SH OPTIONS\n";
  for (const CLI::Option *option : Positional(app))
    PrintOption(*option, &page);
  for (const CLI::Option *option : Named(app))
    PrintOption(*option, &page);
  if (subcommand)
    PrintNested(app, &page);
  if (subcommand && !app.get_footer().empty())
    page += ".SH EXIT STATUS\n" + Roff(app.get_footer()) + "\n";
  if (app.get_name() == "hunt")
    page += kFindingFiles;
  PrintExamples(subcommand ? app.get_name() : "", &page);
  page += ".SH SEE ALSO\n";
  std::string others = subcommand ? ".BR heddle (1)" : "";
  for (const CLI::App *each : Subcommands(heddle))
    if (each != subcommand)
      others +=
          (others.empty() ? ".BR heddle\\-" : ",\n.BR heddle\\-") + Roff(each->get_name()) + " (1)";
  return page + others + "\n";
}

//===-- Completion --------------------------------------------------------===//

std::string BashCompletion(const CLI::App &heddle) {
  std::string names, nested_paths;
  std::string cases;
  for (const auto &[path, each] : Paths(heddle)) {
    if (path == each->get_name())
      names += (names.empty() ? "" : " ") + path;
    else
      nested_paths += (nested_paths.empty() ? "'" : "|'") + path + "'";
    std::string nested, options, values, with_value;
    for (const CLI::App *app : Subcommands(*each))
      nested += (nested.empty() ? "" : " ") + app->get_name();
    for (const CLI::Option *option : Named(*each)) {
      options += (options.empty() ? "" : " ") + Join(Names(*option), " ");
      if (!TakesValue(*option))
        continue;
      with_value += (with_value.empty() ? "" : "|") + Join(Names(*option), "|");
      if (!Words(*option).empty())
        values += "        " + Join(Names(*option), "|") + ") words='" + Join(Words(*option), " ") +
                  "' ;;\n";
    }
    for (const CLI::Option *option : Positional(*each))
      if (!Words(*option).empty())
        options += " " + Join(Words(*option), " ");
    cases += "    '" + path + "')\n      options='" + options + "'\n      nested='" + nested +
             "'\n      valued='" + with_value +
             "'\n      program=" + (each->get_prefix_command() ? "1" : "") +
             "\n      case $previous in\n" + values + "        *) known= ;;\n      esac ;;\n";
  }
  return "# bash completion for heddle\n"
         "_heddle() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local words= options= nested= valued= program= known=1 i word path=${COMP_WORDS[1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         names +
         " --help --version' -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  if [ \"$COMP_CWORD\" -gt 2 ]; then\n"
         "    case \"$path ${COMP_WORDS[2]}\" in\n"
         "    " +
         nested_paths +
         ") path=\"$path ${COMP_WORDS[2]}\" ;;\n"
         "    esac\n"
         "  fi\n"
         "  case $path in\n" +
         cases +
         "  esac\n"
         "  # What comes after the program is its own.\n"
         "  if [ -n \"$program\" ]; then\n"
         "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
         "      word=${COMP_WORDS[i]}\n"
         "      if [[ $word != -* ]] && ! [[ \"|$valued|\" == *\"|${COMP_WORDS[i-1]}|\"* ]]; then\n"
         "        return\n"
         "      fi\n"
         "    done\n"
         "  fi\n"
         "  if [ -n \"$known\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  elif [[ $current == -* ]] || [ \"${COMP_WORDS[1]}\" = completion ]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "  elif [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$current\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$nested\" -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o bashdefault -o default -F _heddle heddle\n";
}

std::string ZshCompletion(const CLI::App &heddle) {
  const auto quoted = [](std::string text) {
    text = Replaced(text, "'", "'\\''");
    for (const char *c : {"[", "]", ":"})
      text = Replaced(text, c, std::string("\\") + c);
    return text;
  };
  std::string names, cases, nested_paths;
  for (const auto &[path, each] : Paths(heddle)) {
    if (path == each->get_name())
      names += "    '" + path + ":" + quoted(each->get_description()) + "'\n";
    else
      nested_paths += (nested_paths.empty() ? "'" : "|'") + path + "'";
    std::string nested;
    for (const CLI::App *app : Subcommands(*each))
      nested += (nested.empty() ? "" : " ") + app->get_name();
    cases += "    '" + path + "')\n      _arguments";
    if (!nested.empty())
      cases += " \\\n        '1: :{ compadd -- " + nested + "; _files }'";
    for (const CLI::Option *option : Named(*each))
      for (const std::string &name : Names(*option)) {
        cases += " \\\n        '" + name + "[" + quoted(option->get_description()) + "]";
        if (TakesValue(*option))
          cases += Words(*option).empty() ? ":value:_files"
                                          : ":value:(" + Join(Words(*option), " ") + ")";
        cases += "'";
      }
    if (each->get_prefix_command())
      cases += " \\\n        '*::program:_normal'";
    for (const CLI::Option *option : Positional(*each))
      cases += " \\\n        '*:" + option->get_name() + ":" +
               (Words(*option).empty() ? "_files" : "(" + Join(Words(*option), " ") + ")") + "'";
    cases += " ;;\n";
  }
  return "#compdef heddle\n"
         "_heddle() {\n"
         "  local -a subcommands\n"
         "  subcommands=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe subcommand subcommands\n"
         "    return\n"
         "  fi\n"
         "  local subcommand=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  if (( CURRENT > 2 )); then\n"
         "    case \"$subcommand $words[2]\" in\n"
         "    (" +
         nested_paths +
         ") subcommand=\"$subcommand $words[2]\"; shift words; (( CURRENT-- )) ;;\n"
         "    esac\n"
         "  fi\n"
         "  case $subcommand in\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _heddle ]; then\n"
         "  _heddle \"$@\"\n"
         "else\n"
         "  compdef _heddle heddle\n"
         "fi\n";
}

std::string FishCompletion(const CLI::App &heddle) {
  const auto quoted = [](const std::string &text) {
    return "'" + Replaced(Replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
  };
  std::string script = "# fish completion for heddle\n";
  for (const auto &[path, each] : Paths(heddle)) {
    const bool is_nested = path != each->get_name();
    const std::string parent = path.substr(0, path.find(' '));
    std::string condition = "__fish_seen_subcommand_from " + parent;
    script += "complete -c heddle -f -n " +
              (is_nested ? quoted(condition) : "__fish_use_subcommand") + " -a " +
              each->get_name() + " -d " + quoted(each->get_description()) + "\n";
    if (is_nested)
      condition += "; and __fish_seen_subcommand_from " + each->get_name();
    for (const CLI::App *nested : Subcommands(*each))
      condition += "; and not __fish_seen_subcommand_from " + nested->get_name();
    const std::string here = "complete -c heddle -n " + quoted(condition);
    for (const CLI::Option *option : Named(*each)) {
      script += here;
      for (const std::string &name : option->get_snames())
        script += " -s " + name;
      for (const std::string &name : option->get_lnames())
        script += " -l " + name;
      if (TakesValue(*option))
        script += Words(*option).empty() ? " -r" : " -x -a " + quoted(Join(Words(*option), " "));
      script += " -d " + quoted(option->get_description()) + "\n";
    }
    for (const CLI::Option *option : Positional(*each))
      if (!Words(*option).empty())
        script += here + " -f -a " + quoted(Join(Words(*option), " ")) + "\n";
  }
  return script;
}

std::function<int()> AddCompletionCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto shell = std::make_shared<std::string>();
  CLI::App *completion = *subcommand =
      heddle->add_subcommand("completion", "Prints what a shell needs to complete this command.");
  completion->add_option("shell", *shell, "Which shell")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  completion->footer("An installed Heddle has its completion where the shells look for it.");
  return Guarded(*completion, [=] {
    const std::string script = *shell == "bash"  ? BashCompletion(*heddle)
                               : *shell == "zsh" ? ZshCompletion(*heddle)
                                                 : FishCompletion(*heddle);
    fputs(script.c_str(), stdout);
    return kNothingFound;
  });
}

std::function<int()> AddManualCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto name = std::make_shared<std::string>();
  CLI::App *manual = *subcommand = heddle->add_subcommand("manual", "Prints a manual page.");
  manual->group(""); // for the build
  manual->add_option("name", *name, "A subcommand; heddle for all")->required();
  return Guarded(*manual, [=] {
    const CLI::App *each = *name == "heddle" ? nullptr : &Find(*heddle, *name);
    fputs(ManPage(*heddle, each, HEDDLE_VERSION).c_str(), stdout);
    return kNothingFound;
  });
}

} // namespace heddle

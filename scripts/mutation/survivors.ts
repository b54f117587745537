import type { ListedMutants } from "./equivalent.ts";

const STRICTER = "stricter: a call is asked about, or its sandbox is needed, that would be free";
const FOR_PEOPLE = "a text, a label or an offer for people: nothing is decided by it";
const OTHER_TEST = "a test of another folder notices it, which the tool does not run for this file";
const DYNAMIC =
  "the file is loaded on first use, and the tool does not load it once more for a mutant of a constant; its test compares the value";
const LIMIT = "one more or less than a limit that is chosen freely";
const EXAMPLES =
  "only the check of the examples in a file of rules: the file is refused, or a wrong example is not noticed; no call is judged by it";
const ONE = "a call of the tools here has one command";
const LONG = "a test would need a command of hundreds of kilobytes";

/** The mutants that no test notices although they may change something, by file, with what they change. They count as not noticed. */
export const SURVIVORS: ListedMutants = {
  "src/engine/call/ask-approver.ts": [
    [
      "engine.approver === undefined",
      "false",
      "without an approver the question is answered the same, after two events",
    ],
    ['"question"', '""', "the hash of a question has its text and its call anyway"],
    ["approver === undefined", "false", "what would be thrown is a denial too"],
    ["…", "*", DYNAMIC],
  ],
  "src/engine/checks/check-executors.ts": [["…", "*", FOR_PEOPLE]],
  "src/engine/checks/check-verdict.ts": [["…", "*", FOR_PEOPLE]],
  "src/engine/pipeline/check-options.ts": [["…", "*", FOR_PEOPLE]],
  "src/engine/pipeline/inner-calls.ts": [
    ["…", "*", "a call that is examined has a verdict and a job, or neither; else the question would fail"],
  ],
  "src/engine/pipeline/judge.ts": [['"call.judged"', '""', OTHER_TEST]],
  "src/engine/pipeline/route.ts": [['"NO_EXECUTOR"', '""', OTHER_TEST]],
  "src/engine/checks/check-declared.ts": [["level < 0", "level <= 0", OTHER_TEST]],
  "src/engine/pipeline/ask.ts": [
    ["{ by }", "{}", FOR_PEOPLE],
    ["by !== undefined && { by }", "*", FOR_PEOPLE],
    ["by !== undefined", "*", FOR_PEOPLE],
    [
      "fault !== undefined",
      "false",
      "src/engine/call/rehearse.test.ts notices it, after the time of the run",
    ],
    ['options.place ?? placeOf(engine.executors, required(state.job, "job").tool)', "*", OTHER_TEST],
    ['(job) => verdictOn(state, undefined, job).kind === "allow"', "*", OTHER_TEST],
    [
      'verdict.kind !== "ask"',
      "false",
      "grants are looked up for a call that is allowed, which they allow too",
    ],
    ["approval.offer === undefined", "false", "an offer of no index is none"],
    ['source !== "app"', "false", FOR_PEOPLE],
    ["approval.dismissed === undefined", "true", FOR_PEOPLE],
  ],
  "src/policy/grant-offers.ts": [
    ["more.length === 0", "true", "an offer less"],
    ["traits?.isPlainName !== true", "false", "an offer more, with a warning"],
    ["/^(?:test|build|check|lint|clippy|fmt|vet|bench)$/", "*", "an offer more, with a warning"],
    ['"/"', '""', "an offer for files that are directly in the root"],
    ["…", "*", FOR_PEOPLE],
  ],
  "src/policy/in-sandbox.ts": [
    ["…", "*", "a command with a part outside of the workspace is asked about before"],
  ],
  "src/policy/match/command-part.ts": [["…", "*", STRICTER]],
  "src/policy/match/command-view.ts": [
    ['"\\\\"', '""', "a shortcut for texts without a backslash"],
    ["…", "*", STRICTER],
  ],
  "src/policy/match/compile-rule.ts": [['"built-in"', '""', STRICTER]],
  "src/policy/match/hosts-in.ts": [
    ["word.length > MAX_WORD", "false", LIMIT],
    ["parts.slice(0, 16)", "parts", LIMIT],
    ["…", "*", "stricter, or the same: more texts are compared with the hosts of rules"],
  ],
  "src/policy/match/match-command.ts": [
    ['"possible"', '""', "a word that is not literal makes the match possible anyway"],
    ["/^-[^-=][^=]+$/", "*", "no flag of a rule has this form"],
    [
      "Array.from(flag.slice(1)).every((letter) => flags.has(`-${letter}`))",
      "*",
      "a cluster and its letters are read together",
    ],
    [
      'argumentMatch === "none"',
      "true",
      "approval instead of a refusal, for a shell whose arguments are not understood",
    ],
    [
      "listed.every((flag) => named.has(flag))",
      "*",
      "a command with two acting options of which the rule names one",
    ],
    ["…", "*", "asked only about a program with a path, in a command with tables"],
  ],
  "src/policy/match/words-in.ts": [["…", "*", "a word twice, or one more"]],
  "src/policy/match/written-files.ts": [
    ["part.command.input !== undefined", "true", STRICTER],
    ["words.slice(1)", "words", STRICTER],
    ["…", "*", "the name of a script is one name, and a program without tables has none"],
  ],
  "src/policy/order.ts": [
    ["workspace.some((folder) => isWithin(path, folder))", "*", STRICTER],
    ["(folder) => isWithin(path, folder)", "*", STRICTER],
    ['fact.kind === "path"', "true", "only a path is unread"],
    ["commands.some(({ fact }) => fact.reading?.box !== undefined)", "*", ONE],
    ["limits.allowed[subject.job.risk] !== undefined", "*", OTHER_TEST],
    ["…", "*", FOR_PEOPLE],
  ],
  "src/policy/match/match-code.ts": [
    ["codePaths.length > MAX_PATHS", "*", LONG],
    ["…", "*", STRICTER],
  ],
  "src/policy/match/match-path.ts": [['"/"', '""', "the base of a pattern that is absolute"]],
  "src/policy/match/match-rule.ts": [
    ['"possible"', '""', "the comparison is a shortcut: other paths are looked at too"],
  ],
  "src/policy/match/may-touch.ts": [["…", "*", STRICTER]],
  "src/policy/match/subject.ts": [
    ["commands.length > 0", "false", "a command is open-ended too, which is the next condition"],
  ],
  "src/policy/narrowest-grant.ts": [
    ["…", "*", "a grant that names more of what was shown, and covers no other call"],
  ],
  "src/policy/rules/check-examples.ts": [["…", "*", EXAMPLES]],
  "src/policy/rules/policy-schema.ts": [
    ["{ min: 1 }", "{}", "an empty list of tools, paths or hosts, which matches nothing"],
  ],
  "src/policy/strict-deny.ts": [
    ["commands.some(({ fact }) => fact.outside === true)", "*", ONE],
    ["…", "*", STRICTER],
  ],
  "src/policy/protect/find-allowing-rule.ts": [
    ['commands.every((view) => view.certainty === "proven")', "*", ONE],
    ["assignments.length === 0", "true", "an assignment without a program changes nothing"],
    ["…", "*", "a command with an assignment or a redirect that stores is not proven to read anyway"],
  ],
  "src/policy/protect/find-protected-read.ts": [
    ["commands.some((one) => isName(baseName(view.path), one))", "*", ONE],
    ["program === undefined", "false", STRICTER],
    ["command.words.length > 0", "*", STRICTER],
    ["command.words.length === 0", "true", "a command whose program is unknown shows content anyway"],
    ["view.isReadOnly", "false", STRICTER],
    ["paths.filter(({ isFile }) => !isFile)", "*", STRICTER],
    ["…", "*", "a path that is written and that no word names is that of a redirect"],
  ],
  "src/policy/protect/ways-out.ts": [["view.isReadOnly", "false", STRICTER]],
  "src/policy/protect/protected-reads.ts": [['"/"', '""', STRICTER]],
  "src/shell/read-strictly.ts": [["text.length > MAX_CHARACTERS", "*", LIMIT]],
  "src/shell/reader.ts": [
    ["found.faults.push(fault);", "*", OTHER_TEST],
    ["fault !== undefined", "*", OTHER_TEST],
    ["{ found.faults.push(TOO_COSTLY); return; }", "*", LONG],
    ["found.faults.push(TOO_COSTLY);", "*", LONG],
    ["!spend(found.budget, STEPS_PER_COMMAND + parsed.command.words.length)", "*", LONG],
    ["STEPS_PER_COMMAND + parsed.command.words.length", "*", LIMIT],
    ["proven !== undefined", "true", "a text that is not proven has a doubt"],
    ["cwds.length === 1 && via.length === 0", "false", "a shortcut"],
    ["outer === undefined", "true", "a shortcut: the readers have placed the script"],
    ["…", "*", STRICTER],
  ],
  "src/shell/programs/basic-commands.ts": [["…", "*", "a letter of a word that is not a cluster"]],
  "src/shell/programs/describe-command.ts": [
    ["/^\\/dev\\/(?:tcp|udp)\\//", "*", STRICTER],
    [
      "subcommands.length === 0",
      "*",
      "no program of the tables has a reason both for itself and for subcommands",
    ],
    ["listed.push(text);", ";", "what these words do is also known by the paths that they write"],
    ["…", "*", STRICTER],
  ],
  "src/shell/programs/disasters/disaster-rules.ts": [["…", "*", DYNAMIC]],
  "src/shell/programs/disasters/disasters.ts": [
    ["…", "*", "an unusual spelling of the current folder or of an option"],
  ],
  "src/shell/programs/disasters/ruinous-targets.ts": [["…", "*", STRICTER]],
  "src/shell/programs/disasters/runs-download.ts": [["…", "*", STRICTER]],
  "src/shell/programs/disasters/fork-bomb.ts": [["…", "*", LIMIT]],
};

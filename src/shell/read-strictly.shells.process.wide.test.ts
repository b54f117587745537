import assert from "node:assert/strict";
import { resolve } from "node:path/posix";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  runInShell,
  without,
  type ShellName,
  type ShellRun,
} from "../../test/support/programs/real-shells.ts";
import type { SimpleCommand } from "../core/command.ts";
import { readStrictly } from "./read-strictly.ts";

const PROGRAMS = ["p", "q", "r"];

/** Everything that has a meaning in a shell, and much that looks as if it had. */
const SOUP = fc
  .array(
    fc.oneof(
      words(
        "p q r a b cd 1 2 12 x=1 a=b if then fi do done time ! { } [ ] in E function coproc select case esac -v -P - -- ..",
      ),
      words(
        "' \" \\ $ ` * ? ~ # = : , ( ) < > >> & && ; ;; | || |& &> >& <& <> >| <<< 2>&1 >&2 1>& {} {a,b} {1..3} {a}> a~b",
      ),
      words("\\\\ \\' \\\" \\$ !! !p a!b ^ %1 % @ + +( '' \"\" <<'E' <<E <<-'E'"),
      fc.constantFrom(" ", "\t", "\n", "\\\n", "\nE\n", "\\ ", " #", "'a b'", '"c  d"'),
      fc.constantFrom("\r", "\v", "\f", "\u0001", "\u007f", "\u00a0", "\u2028", "é", "à", "😀"),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

const BARE = words("a b -x a/b x=1 --k=v 12 #a a# ! {} s@{0} H~1 ] in if");
const EXPANDED = words("~ x=~ x=a:~ a:~ a=~/b {a,b} a{1..3} {a,'b'} {a\\,b} {a,b ? * [a] [ $x $ `a`");
const WORD = fc.oneof(
  { weight: 8, arbitrary: BARE },
  { weight: 1, arbitrary: EXPANDED },
  { weight: 1, arbitrary: quoted('ab \\$`*?"!#~{},;|&<>=()[]\n\té😀').map((text) => `'${text}'`) },
  { weight: 1, arbitrary: quoted("ab *?'!#~{},;|&<>=()[]\n\té😀").map((text) => `"${text}"`) },
  { weight: 1, arbitrary: words('\\\\ \\$ \\` \\" \\a \\! "" \'\'').map((text) => `"a${text}b"`) },
  { weight: 1, arbitrary: characters("ab \\$*'\"#~;|&<>=!{}\n").map((char) => `\\${char}`) },
);
const REDIRECT = fc.oneof(
  words(">f 2>f >>f </dev/null 2>&1 >&2 1>&2 2>/dev/null 3>f 10>f a2>f '2'>f {a}>f"),
  fc.constantFrom("> f", "2> 'g h'", "2 >f", ">\tf", "<<'E'\n; p\n\\\nE\n", '<< "E"\n\tE\nE'),
);
const ARGUMENT = fc.oneof(
  { weight: 5, arbitrary: fc.array(WORD, { minLength: 1, maxLength: 2 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: REDIRECT },
);
const COMMAND = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(words(PROGRAMS.join(" ")), fc.array(ARGUMENT, { maxLength: 3 }))
      .map(([program, rest]) => [program, ...rest].join(" ")),
  },
  {
    weight: 1,
    arbitrary: words("a a/b .. b zz - / '' a/.. a/../b").map((folder) => `cd ${folder}`),
  },
  { weight: 1, arbitrary: fc.constantFrom("cd", "cd -P a", "cd -- b", "cd -L a b", "x=1 p", "x=1", ">f") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("echo a", "[ a = b ]", "test -n a", "true", ": a", "exit 3", "'p'", "r\\\n"),
  },
);
/** Words that start a process are rare, because processes are slow. */
const SEPARATOR = fc.oneof(
  { weight: 20, arbitrary: words("; && ||").map((operator) => ` ${operator} `) },
  {
    weight: 10,
    arbitrary: fc.constantFrom(";", "&&", "||", "\n", " &&\n", " # c\n", ";\n\n", " \\\n", "\\\n"),
  },
  { weight: 1, arbitrary: fc.constantFrom(" | ", "|", " & ", "&", "|\n\n", "&\n") },
);
const LIST = fc
  .tuple(fc.array(fc.tuple(COMMAND, SEPARATOR), { maxLength: 3 }), COMMAND)
  .map((parts) => parts.flat(2).join(""));
const MUTATED = fc
  .tuple(LIST, fc.nat(), characters("'\"\\ \n\t;&|<>#=~{}!()$12ab-"))
  .map(([text, where, char]) => {
    const at = where % (text.length + 1);
    return text.slice(0, at) + char + text.slice(at);
  });
const TEXT = fc.oneof(
  { weight: 3, arbitrary: LIST },
  { weight: 3, arbitrary: MUTATED },
  { weight: 1, arbitrary: SOUP },
);

function words(list: string): fc.Arbitrary<string> {
  return fc.constantFrom(...list.split(" "));
}

function characters(list: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(list));
}

function quoted(list: string): fc.Arbitrary<string> {
  return fc.string({ unit: characters(list), maxLength: 6 });
}

const COUNTS: Readonly<Record<ShellName, number>> = { bash: 2000, dash: 2000 };

for (const shell of ["bash", "dash"] as const) {
  test(
    `${shell} runs every proven text as exactly those commands, in those folders`,
    { skip: without(shell) },
    () => {
      const proven = fc.sample(TEXT, COUNTS[shell]).filter((text) => isToldBy(shell, text));
      assert(proven.length > COUNTS[shell] / 4, `only ${proven.length} texts were proven`);
      const runs = runInShell(shell, proven, PROGRAMS);
      assert.equal(runs.length, proven.length);
      for (const [index, { succeeding, failing }] of runs.entries()) {
        const text = proven[index] ?? "";
        assertWithin(text, succeeding);
        assertWithin(text, failing);
        assertWhole(text, succeeding, failing);
      }
    },
  );
}

function read(text: string, cwd: string): readonly SimpleCommand[] {
  const reading = readStrictly(text, { cwd, home: "/home" });
  return "doubt" in reading ? [] : reading.commands;
}

/** Dash does not report commands that it does not find, so only texts with known programs are compared. */
function isToldBy(shell: ShellName, text: string): boolean {
  const commands = read(text, "/");
  if (shell === "bash" || commands.length === 0) return commands.length > 0;
  return commands.every(({ words }) => [...PROGRAMS, "cd"].includes(words[0]?.text ?? "p"));
}

/** Asserts that every command that ran was predicted, in order and in one of the folders, and so was every written file. */
function assertWithin(text: string, run: ShellRun): void {
  const commands = read(text, run.folder);
  const shown = JSON.stringify({ text, run, commands });
  for (const { argv, folder } of run.started) {
    const match = commands.find((command) => same(argvOf(command), argv) && isIn(command, folder));
    assert(match !== undefined, `${JSON.stringify(argv)} ran in ${folder}: ${shown}`);
  }
  const isConcurrent = /[|&]/.test(text.replaceAll(/(?<!\\)(?:&&|\|\|)/g, ""));
  const order = run.started.map(({ argv }) => argv);
  if (!isConcurrent) assert(isSubsequence(order, commands.map(argvOf)), shown);
  for (const file of run.files) {
    assert(
      commands.some((command) => writes(command, file)),
      `${file} was written: ${shown}`,
    );
  }
}

/** Asserts that each predicted command ran in one of the two runs. */
function assertWhole(text: string, succeeding: ShellRun, failing: ShellRun): void {
  const commands = read(text, succeeding.folder);
  if (succeeding.isLost || failing.isLost || !commands.every(isObedient)) return;
  const all = commands.map(argvOf);
  for (const argv of all) {
    const due = count(all, argv);
    const ok = count(
      succeeding.started.map((one) => one.argv),
      argv,
    );
    const failed = count(
      failing.started.map((one) => one.argv),
      argv,
    );
    const shown = JSON.stringify({ text, argv, succeeding, failing });
    assert(ok <= due && failed <= due && ok + failed >= due, shown);
  }
}

/** Exits with the given status: it is not a builtin, and bash reports it. */
function isObedient({ words, redirects }: SimpleCommand): boolean {
  return words[0] !== undefined && !words[0].text.includes("/") && redirects.length === 0;
}

function argvOf({ words }: SimpleCommand): readonly string[] {
  return words.map(({ text }) => text);
}

function isIn({ cwds }: SimpleCommand, folder: string): boolean {
  return cwds.length === 0 || cwds.some((cwd) => resolve(cwd) === folder);
}

function writes({ redirects, cwds }: SimpleCommand, file: string): boolean {
  return redirects.some(
    ({ access, target }) =>
      access === "write" && (cwds.length === 0 || cwds.some((cwd) => resolve(cwd, target.text) === file)),
  );
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

function count(list: readonly (readonly string[])[], argv: readonly string[]): number {
  return list.filter((one) => same(one, argv)).length;
}

function isSubsequence(some: readonly (readonly string[])[], all: readonly (readonly string[])[]): boolean {
  let at = 0;
  for (const argv of all) if (at < some.length && same(argv, some[at] ?? [])) at += 1;
  return at === some.length;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME } from "../../test/support/engines/policy-jobs.ts";
import type { CommandReading, SimpleCommand } from "../core/command.ts";
import { readCommand } from "./reader.ts";
import { MAX_CHARACTERS } from "./syntax/budget.ts";

function read(text: string): CommandReading {
  return readCommand({ kind: "command", text, cwd: "/w" }, HOME);
}

/** Writes a command with what starts it in brackets, words that are guesses in `<>`, other folders and its input. */
function describe({ via, assignments, words, cwds, input }: SimpleCommand): string {
  const texts = words.map(({ text, literal }) => (literal ? text : `<${text}>`)).join(" ");
  const from = input === undefined ? "" : ` from ${input.literal ? JSON.stringify(input.text) : "?"}`;
  return [
    via.length > 0 ? `[${via.join(">")}] ` : "",
    ...assignments.map(({ text }) => `${text} `),
    texts,
    cwds.join() === "/w" ? "" : ` in ${cwds.join("|") || "?"}`,
    from,
  ].join("");
}

/** A text; its certainty and what else is known; its commands; its paths, `r:` read, `w:` written, `?` perhaps; and why it is not proven. */
const READINGS = [
  ["ls", "proven, reads, argv", "ls", "", ""],
  ["ls a b", "proven, reads, argv", "ls a b", "r:a r:b", ""],
  ["ls; pwd", "proven, reads", "ls; pwd", "", ""],
  ["ls > out", "proven", "ls", "w:out", ""],
  ["A=1 ls", "proven", "A=1 ls", "", ""],
  ["ls $x", "read", "ls <$x>; ls", "r?:$x", "$ may be expanded"],
  ["ls *", "read", "ls <*>", "r?:*", "* may be expanded to file names"],
  ["$x", "read", "<$x>", "", "$ may be expanded"],
  ["(ls", "unreadable", "ls in ?", "", "its syntax is not understood"],
  ["( ls )", "read", "ls", "", "parentheses make a subshell, a function or a list"],
  ["echo 'a", "unreadable", "echo a", "", "a ' is not closed"],
  ["sh -c 'ls a'", "read", "sh -c ls a; [sh] ls a", "r:a", "sh runs a script"],
  ['sh -c "ls $x"', "read, runs unknown", "sh -c <ls >; [sh] ls", "", "$ may be expanded"],
  ["eval ls", "read", "eval ls; [eval] ls", "", "eval may change the shell or run text in it"],
  ["eval $x", "read, runs unknown", "eval <$x>; eval; [eval] <$x>", "", "$ may be expanded"],
  ["bash -c 'sh -c ls'", "read", "bash -c sh -c ls; [bash] sh -c ls; [bash>sh] ls", "", "bash runs a script"],
  ["echo ls | sh", "read", 'echo ls; sh from "ls"; [sh] ls', "", "sh reads commands from its input"],
  ["echo $x | sh", "read", "echo <$x>; echo; sh from ?; [sh] <$x>", "", "sh runs its input"],
  ["sh a.sh", "proven, argv", "sh a.sh", "r:a.sh", ""],
  ["sh", "read", "sh", "", "sh reads commands from its input"],
  ["cd sub && ls", "proven, reads", "cd sub; ls in /w/sub", "r:sub", ""],
  ["cd sub || ls", "proven, reads", "cd sub; ls", "r:sub", ""],
  ["cd $x && ls", "read", "cd <$x>; cd; ls in ?", "r?:$x r:~", "$ may be expanded"],
  [
    "cd sub; sh -c ls",
    "read",
    "cd sub; sh -c ls in /w/sub|/w; [sh] ls in /w/sub|/w",
    "r:sub",
    "sh runs a script",
  ],
  [
    "cd sub || true; sh -c 'ls a'",
    "read",
    "cd sub; true; sh -c ls a in /w/sub|/w; [sh] ls a in /w/sub|/w",
    "r:sub r:a r:a",
    "sh runs a script",
  ],
  [
    "cd sub || true; sh -c 'cd x; ls'",
    "read",
    "cd sub; true; sh -c cd x; ls in /w/sub|/w; [sh] cd x in /w/sub|/w; [sh] ls in ?",
    "r:sub r:x r:x",
    "sh runs a script",
  ],
  [
    "env -C sub sh -c ls",
    "read",
    "env -C sub sh -c ls; [env] sh -c ls in /w/sub; [env>sh] ls in /w/sub",
    "r:sub",
    "sh runs a script",
  ],
  ["find . -exec ls {} ;", "proven, argv", "find . -exec ls {}; [find] ls <{}>", "r:. r?:{}", ""],
  ["xargs ls", "proven, argv", "xargs ls; [xargs] ls <>", "", ""],
  ["echo a | xargs ls", "proven", 'echo a; xargs ls from "a"; [xargs] ls <> <a> from "a"', "r?:a", ""],
  ["cpio -o", "proven, names unknown, argv", "cpio -o", "", ""],
  ["tar -T l -cf x", "proven, names unknown, argv", "tar -T l -cf x", "r:l w:x", ""],
  ["echo $((a[1]))", "read", "echo <0>", "", "$ may be expanded"],
  [
    "n='a[$(rm x)]' bash -c '((n))'",
    "read",
    "n=a[$(rm x)] bash -c ((n)); [subscript>substitution] rm x; [subscript] n=a[] ",
    "w:x",
    "bash runs a script",
  ],
  [
    "echo a | sh -c 'cat b'",
    "read",
    'echo a; sh -c cat b from "a"; [sh] cat b from "a"',
    "r:b",
    "sh runs a script",
  ],
  [
    "ls; n='a[$(rm x)]' bash -c '((n))'",
    "read",
    "ls; n=a[$(rm x)] bash -c ((n)); [subscript>substitution] rm x; [subscript] n=a[] ",
    "w:x",
    "bash runs a script",
  ],
  ["if a; then b; fi", "read", "a; b", "", "if is a keyword of the shell"],
  ["for i in a b; do ls $i; done", "read", "ls <a>; ls <b>; ls", "r?:a r?:b", "$ may be expanded"],
  ["ls $(cat a)", "read", "[substitution] cat a; ls <$(…)>; ls", "r:a r?:$(…)", "$ may be expanded"],
  ["ls `pwd`", "read", "[substitution] pwd; ls <$(…)>; ls", "r?:$(…)", "a substitution runs commands"],
  ["cat <<E\nx\nE", "read", 'cat from "x\\n"', "", "a here-document without quotes is expanded"],
  ["cat <<< a", "read", 'cat from "a"', "", "<<< is not a plain redirection"],
  ["sh <<< ls", "read", 'sh from "ls"; [sh] ls', "", "sh runs its input"],
  ["sh <<E\nls a\nE", "read", 'sh from "ls a\\n"; [sh] ls a', "r:a", "sh runs its input"],
  ["sudo sh -c ls", "read", "sudo sh -c ls; [sudo] sh -c ls; [sudo>sh] ls", "", "sh runs a script"],
  ["timeout 5 ls", "proven, reads, argv", "timeout 5 ls; [timeout] ls", "", ""],
  ["ls & pwd", "proven, reads", "ls; pwd", "", ""],
  ["ls | cat", "proven, reads", "ls; cat from ?", "", ""],
  ["ls 2>&1", "proven, reads", "ls", "", ""],
  ["-x", "read", "-x", "", "it begins like an option"],
  [
    "sh -c 'sh -c \"sh -c ls\"'",
    "read",
    'sh -c sh -c "sh -c ls"; [sh] sh -c sh -c ls; [sh>sh] sh -c ls; [sh>sh>sh] ls',
    "",
    "sh runs a script",
  ],
  ["python3 -c x", "proven, argv", "python3 -c x", "r?:x", ""],
  [
    "test -v 'a[$(x)]'",
    "read",
    "test -v a[$(x)]; [subscript>substitution] x; [subscript] <a[$(…)]>; [subscript] <a[]>",
    "",
    "a subscript may run commands",
  ],
  ["[[ a -eq b ]]", "read", "[[ a -eq b ]]", "r?:a r?:b", "[ may be expanded to file names"],
  ["let x", "read", "let x", "", "let may change the shell or run text in it"],
  ["echo a > f; sh f", "proven", "echo a; sh f", "w:f r:f", ""],
  ["alias ls=rm; ls", "read", "alias ls=rm; ls; [alias] rm", "", "an alias redefines a command"],
  ["f() { ls; }; f", "read", "[function] ls from ?; f", "", "a function redefines f"],
  [
    "trap 'ls a' EXIT",
    "read",
    "trap ls a EXIT; [trap] ls a",
    "r:a",
    "trap may change the shell or run text in it",
  ],
  ["ssh h 'ls a'", "read", "ssh h ls a; [ssh] ls a in ?", "r?:a", "ssh runs a script"],
] as const;

for (const [text, known, commands, paths, doubt] of READINGS)
  test(`${JSON.stringify(text)} is ${known}: ${commands}`, () => {
    const reading = read(text);
    const flags = [
      reading.certainty,
      reading.isReadOnly ? "reads" : "",
      reading.namesAllPaths === true ? "" : "names unknown",
      reading.runsUnknown === true ? "runs unknown" : "",
      reading.argv === undefined ? "" : "argv",
    ];
    assert.equal(flags.filter((one) => one !== "").join(", "), known);
    assert.equal(reading.commands.map(describe).join("; "), commands);
    const found = reading.paths.map(
      ({ access, suspected, text: path }) => `${access.charAt(0)}${suspected === true ? "?" : ""}:${path}`,
    );
    assert.equal(found.join(" "), paths);
    assert.equal(reading.doubt ?? "", doubt);
    assert.equal(Object.hasOwn(reading, "argv"), reading.argv !== undefined);
  });

test("a text that is too long is not read", () => {
  const long = (length: number) => read(`ls ${"a".repeat(length - 3)}`);
  assert.deepEqual(long(MAX_CHARACTERS + 1), {
    certainty: "unreadable",
    commands: [],
    paths: [],
    isReadOnly: false,
    doubt: `it is longer than ${MAX_CHARACTERS} characters`,
  });
  assert.notEqual(long(MAX_CHARACTERS).doubt, `it is longer than ${MAX_CHARACTERS} characters`);
});

for (const [what, text, count, doubt] of [
  ["scripts in scripts", (n: number) => `${"eval ".repeat(n)}ls`, 8, "its scripts are nested too deeply"],
  [
    "scripts",
    (n: number) => Array.from({ length: n }, (_, at) => `eval ls${at}`).join("; "),
    64,
    "its scripts are nested too deeply",
  ],
  [
    "paths",
    (n: number) => `cat ${Array.from({ length: n }, (_, at) => `a${at}`).join(" ")}`,
    2000,
    "it names more than 2000 paths",
  ],
] as const)
  test(`a command with up to ${count} ${what} is read, one with more cannot be`, () => {
    assert.notEqual(read(text(count)).certainty, "unreadable");
    const { certainty, doubt: found, paths } = read(text(count + 1));
    assert.deepEqual([certainty, found], ["unreadable", doubt]);
    assert.ok(paths.length <= 2000);
  });

test("a command whose parts are too many to look at cannot be read", () => {
  const { certainty, doubt } = read(Array.from({ length: 30_000 }, () => "a").join(";"));
  assert.equal(certainty, "unreadable");
  assert.match(doubt ?? "", /too/);
});

test("input for a running program is never proven", () => {
  const { certainty, doubt, isReadOnly } = readCommand({
    kind: "command",
    text: "ls",
    cwd: "/w",
    interactive: true,
  });
  assert.deepEqual([certainty, doubt, isReadOnly], ["read", "it is input for a running program", false]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SimpleCommand } from "../core/command.ts";
import { createBudget } from "./syntax/budget.ts";
import { readGreedily } from "./read-greedily.ts";

const PLACE = { cwd: "/w", home: "/home/me" };

function read(text: string): ReturnType<typeof readGreedily> {
  return readGreedily(text, PLACE, createBudget());
}

function words({ words }: SimpleCommand): string {
  return words.map(({ text }) => text).join(" ");
}

const HIDING_PLACES: Readonly<Record<string, string>> = {
  "behind a semicolon": "ls; rm -rf x",
  "behind an and": "ls && rm -rf x",
  "behind an or": "ls || rm -rf x",
  "in a pipeline": "ls | rm -rf x",
  "in a pipeline with errors": "ls |& rm -rf x",
  "in the background": "ls & rm -rf x &",
  "on the next line": "ls\nrm -rf x",
  "behind a comment": "ls #\nrm -rf x",
  "behind a comment with a quote": "ls # it's\nrm -rf x",
  "in a subshell": "(rm -rf x)",
  "in a subshell in a subshell": "((ls); rm -rf x)",
  "in a group": "{ rm -rf x; }",
  "in a condition": "if rm -rf x; then ls; fi",
  "in a then": "if ls; then rm -rf x; fi",
  "in an elif": "if a; then b; elif rm -rf x; then c; fi",
  "in an else": "if a; then b; else rm -rf x; fi",
  "behind a subshell without a separator": "if (ls) then rm -rf x; fi",
  "in a while": "while ls; do rm -rf x; done",
  "in an until": "until rm -rf x; do ls; done",
  "in a for": "for i in a b; do rm -rf x; done",
  "in a for without a list": "for i do rm -rf x; done",
  "in a for over lines": "for i\nin a b\ndo\nrm -rf x\ndone",
  "in a for of numbers": "for ((i=0; i<3; i++)); do rm -rf x; done",
  "in a for of numbers with braces": "for ((;;)) { rm -rf x; }",
  "in the head of a for of numbers": "for ((i=$(rm -rf x); i<3; i++)); do ls; done",
  "in a select": "select i in a b; do rm -rf x; done",
  "in a case": "case a in a) ls;; *) rm -rf x;; esac",
  "in a case with parentheses": "case a in (a|b) ls;& (*) rm -rf x; esac",
  "in the word of a case": "case $(rm -rf x) in a) ls;; esac",
  "in the pattern of a case": "case a in $(rm -rf x)) ls;; esac",
  "in a case in a substitution": 'echo "$(case a in a) rm -rf x;; esac)"',
  "in a function": "f() { rm -rf x; }",
  "in a function with a keyword": "function f { rm -rf x; }",
  "in a function that is a subshell": "f() (rm -rf x)",
  "in a coprocess": "coproc rm -rf x",
  "in a coprocess with a name": "coproc P { rm -rf x; }",
  "behind a not": "! rm -rf x",
  "behind a not before a group": "! { rm -rf x; }",
  "behind time": "time -p rm -rf x",
  "behind time before a group": "time { rm -rf x; }",
  "in a substitution": "ls $(rm -rf x)",
  "in a substitution between quotes": 'ls "$(rm -rf x)"',
  "in a substitution in a substitution": 'ls "$(ls "$(rm -rf x)")"',
  "in backticks": "ls `rm -rf x`",
  "in backticks in backticks": "ls `ls \\`rm -rf x\\``",
  "in backticks between quotes": 'ls "`rm -rf x`"',
  "in a process substitution": "cat <(rm -rf x)",
  "in an output process substitution": "ls > >(rm -rf x)",
  "in a default": "ls ${a:-$(rm -rf x)}",
  "in a default between quotes": 'ls "${a:-$(rm -rf x)}"',
  "in a pattern of an expansion": "ls ${a#$(rm -rf x)}",
  "in a replacement of an expansion": "ls ${a/b/`rm -rf x`}",
  "in an offset of an expansion": "ls ${a:$(rm -rf x)}",
  "in a subscript": "ls ${a[$(rm -rf x)]}",
  "in a subscript that is given a value": "a[$(rm -rf x)]=1",
  "in a list of values": "a=(1 $(rm -rf x) 2)",
  "in a value": "a=$(rm -rf x)",
  "in a value before a command": "a=$(rm -rf x) ls",
  "in an exported value": "export A=$(rm -rf x)",
  "in arithmetic": "ls $((1 + $(rm -rf x)))",
  "in old arithmetic": "ls $[1 + $(rm -rf x)]",
  "in an arithmetic command": "((a = $(rm -rf x)))",
  "in a test": "[[ $(rm -rf x) == a ]]",
  "in the regex of a test": "[[ a =~ ^(b|$(rm -rf x))$ ]]",
  "behind a test": "[[ a < b && ( c || d ) ]] && rm -rf x",
  "behind a test without a separator": "if [[ a ]] then rm -rf x; fi",
  "in the target of a redirect": "ls > $(rm -rf x)",
  "in the redirect of a group": "{ ls; } > $(rm -rf x)",
  "in a here-document": "cat <<E\na $(rm -rf x) b\nE",
  "in backticks in a here-document": "cat <<E\n`rm -rf x`\nE",
  "in a default in a here-document": "cat <<E\n${a:-$(rm -rf x)}\nE",
  "behind a here-document": "cat <<E; rm -rf x\nbody\nE",
  "in a pipeline behind a here-document": "cat <<E | rm -rf x\nbody\nE",
  "on the line after a here-document": "cat <<'E'\nbody\nE\nrm -rf x",
  "after two here-documents": "cat <<A <<-B\n1\nA\n\t2\n\tB\nrm -rf x",
  "in a here-document in a substitution": "ls $(cat <<E\n$(rm -rf x)\nE\n)",
  "in a here-string": "cat <<< $(rm -rf x)",
  "in a string with a language": 'ls $"a $(rm -rf x)"',
  "in braces": "ls {a,$(rm -rf x)}",
  "behind a quote that ends with a backslash": "ls 'a\\'; rm -rf x",
  "behind a bare dollar": "ls $; rm -rf x",
  "behind a word with a hash": "ls a#b; rm -rf x",
  "behind an escaped hash": "ls \\#; rm -rf x",
  "behind a no-break space and a hash": "ls \u00a0#; rm -rf x",
  "behind a carriage return": "ls\r; rm -rf x",
  "with a line joined in the middle of a word": "r\\\nm -rf x",
  "with a line joined in the middle of an opener": "ls $\\\n(rm -rf x)",
  "with a line joined in the middle of an operator": "ls &\\\n& rm -rf x",
};

for (const [place, text] of Object.entries(HIDING_PLACES)) {
  test(`a command ${place} is found, and the text is readable`, () => {
    const { commands, unreadable } = read(text);
    assert.ok(commands.map(words).includes("rm -rf x"), JSON.stringify(commands.map(words)));
    assert.equal(unreadable, undefined);
  });
}

const DATA: Readonly<Record<string, string>> = {
  "in single quotes": "echo '; rm -rf x; $(rm -rf x)'",
  "in double quotes": 'echo "; rm -rf x"',
  "in a comment": "echo a # ; rm -rf x",
  "in a comment behind a line that seems joined": "echo a # \\\n",
  "in a here-document with a quoted end": "cat <<'E'\n$(rm -rf x)\nE",
  "in a here-document with an escaped end": "cat <<\\E\nrm -rf x\n`rm -rf x`\nE",
  "in a here-document, as text": "cat <<E\nrm -rf x\nE",
  "escaped in a here-document": "cat <<E\n\\$(rm -rf x)\nE",
  "escaped in double quotes": 'echo "\\$(rm -rf x) \\`rm -rf x\\`"',
  "in a string with escapes": "echo $'\\'; rm -rf x'",
};

for (const [place, text] of Object.entries(DATA)) {
  test(`what looks like a command ${place} is not one`, () => {
    const { commands, scripts, unreadable } = read(text);
    assert.deepEqual(
      commands.filter(({ words: [first] }) => first?.text === "rm"),
      [],
    );
    assert.deepEqual([scripts, unreadable], [[], undefined]);
  });
}

const BROKEN: readonly string[] = [
  "ls 'a",
  'ls "a',
  "ls $'a",
  "ls `id",
  "ls $(id",
  "ls ${a",
  "ls $((1",
  "ls \\",
  "(ls",
  "ls)",
  "{ ls;",
  "if ls; then id",
  "ls; fi",
  "}",
  "case a in",
  "for i in a b; ls; done",
  "ls | | id",
  "ls <",
  "cat <<E\nbody",
  "cat <<E",
  "[[ a ; id ]]",
  "a=(1 ; id)",
  "ls (a)",
  "f() for i in a; do ls; done; }",
  "ls \0 id",
  "ls ${ id; }",
  "ls $((id); id)",
  "(((1)); id)",
  "ls $((1 + $(id # '\n)))",
  "ls $((1 + $(case a in a) id;; esac)))",
  'ls "${a:-"b"}"',
  "cat <<$(id)\nE",
];

for (const text of BROKEN) {
  test(`${JSON.stringify(text)} is unreadable, and its commands are still found`, () => {
    const { commands, unreadable } = read(text);
    assert.equal(typeof unreadable, "string");
    if (/\bls\b/.test(text)) assert.ok(commands.some((command) => words(command).startsWith("ls")));
    if (/\bid\b/.test(text)) assert.ok(commands.some((command) => /\bid\b/.test(words(command))));
  });
}

for (const [text, via] of [
  ["ls $(id)", ["substitution"]],
  ["ls $(ls `id`)", ["substitution", "substitution"]],
  ["cat <(id)", ["process substitution"]],
  ["f() { id; }", ["function"]],
  ["f() { ls $(id); }", ["function", "substitution"]],
  ["id", []],
] as const) {
  test(`in ${text} the reading names what starts id`, () => {
    assert.deepEqual(read(text).commands.find((command) => words(command) === "id")?.via, via);
  });
}

for (const [text, folders] of [
  ["cd a && id", ["/w/a"]],
  ["cd a; id", ["/w/a", "/w"]],
  ["cd a || id", ["/w"]],
  ["(cd a); id", ["/w"]],
  ["{ cd a; } && id", ["/w/a"]],
  ["cd a & id", ["/w"]],
  ["ls | cd a; id", ["/w"]],
  ["ls $(cd a); id", ["/w"]],
  ["ls $(cd a && id)", ["/w/a"]],
  ["if cd a; then id; fi", ["/w/a"]],
  ["if cd a; then ls; fi; id", ["/w/a", "/w"]],
  ["case b in b) cd a;; esac; id", ["/w", "/w/a"]],
  ["command cd a && id", ["/w/a"]],
  ["cd && id", ["/home/me"]],
  ["cd $x && id", []],
  ["cd a* && id", []],
  ["pushd a && id", []],
  ["while ls; do id; cd a; done", []],
  ["f() { cd a; }; f; id", []],
  ["eval cd a; id", []],
  [". a; id", []],
  ["$x a; id", []],
  ["CDPATH=/x; cd a && id", []],
  ["HOME=/x; cd && id", []],
] as const) {
  test(`in ${text} the folders of id are ${folders.join(" or ") || "unknown"}`, () => {
    const found = read(text).commands.find((command) => words(command) === "id");
    assert.deepEqual(found?.cwds, folders);
  });
}

for (const [text, access] of [
  ["ls > f", ["write"]],
  ["> f", ["write"]],
  ["ls >> f", ["write"]],
  ["ls >| f", ["write"]],
  ["ls &> f", ["write"]],
  ["ls &>> f", ["write"]],
  ["ls >& f", ["write"]],
  ["ls 2> f", ["write"]],
  ["ls {a}> f", ["write"]],
  ["> f ls", ["write"]],
  ["ls < f", ["read"]],
  ["ls <> f", ["read", "write"]],
  ["exec 3<> f", ["read", "write"]],
  ["{ ls; } > f", ["write"]],
  ["while ls; do id; done < f", ["read"]],
  ["f() { ls; } > f", ["write"]],
  ["[ a > f ]", ["write"]],
  ["ls 2>&1", []],
  ["ls 2>&-", []],
  ["ls <&3", []],
  ["cat <<< f", []],
  ["[[ a > f ]]", []],
] as const) {
  test(`${text} opens f for: ${access.join(" and ") || "nothing"}`, () => {
    const found = read(text).commands.flatMap(({ redirects }) => redirects);
    assert.deepEqual(
      found.filter(({ target }) => target.text === "f").map((redirect) => redirect.access),
      access,
    );
  });
}

test("words after a redirect belong to the command", () => {
  const [command] = read("echo a > f b 2>&1 c").commands;
  assert.ok(command);
  assert.equal(words(command), "echo a b c");
  assert.equal(command.rewired, true);
});

test("a function is doubted by its name, and its arguments may run", () => {
  const { commands, doubt } = read('git() { "$@"; }; git rm -rf x');
  assert.match(doubt ?? "", /git/);
  assert.ok(commands.map(words).includes("rm -rf x"));
});

test("the commands of a loop are in its order, with every value; too many cannot be read", () => {
  const loop = (count: number) =>
    read(
      `for i in ${Array.from({ length: count }, (_, index) => index + 1).join(" ")}; do echo line $i; done`,
    );
  assert.deepEqual(loop(3).commands.map(words), ["echo line 1", "echo line 2", "echo line 3", "echo line"]);
  assert.deepEqual(
    loop(300).commands.map(words).slice(0, 300),
    Array.from({ length: 300 }, (_, index) => `echo line ${index + 1}`),
  );
  assert.match(loop(2000).unreadable ?? "", /too long/);
});

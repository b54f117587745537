import assert from "node:assert/strict";
import { test } from "node:test";
import type { SimpleCommand } from "../core/command.ts";
import { readStrictly } from "./read-strictly.ts";

function prove(text: string): readonly SimpleCommand[] {
  const reading = readStrictly(text, { cwd: "/w", home: "/home/u" });
  assert("commands" in reading, `${JSON.stringify(text)}: ${"doubt" in reading ? reading.doubt : ""}`);
  return reading.commands;
}

function argvs(text: string): readonly (readonly string[])[] {
  return prove(text).map(({ words }) => words.map((word) => word.text));
}

function isDoubted(text: string): boolean {
  return "doubt" in readStrictly(text, { cwd: "/w" });
}

test("blanks, quotes, escapes and comments are removed from the words", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["git  \t diff ", ["git", "diff"]],
    ["r''m -rf x", ["rm", "-rf", "x"]],
    ["echo 'rm -rf ~' \"a 'b' c\"", ["echo", "rm -rf ~", "a 'b' c"]],
    ['p "" \'\' a""b', ["p", "", "", "ab"]],
    [String.raw`p a\ b \$HOME \* \'`, ["p", "a b", "$HOME", "*", "'"]],
    [String.raw`p "a\$b \"c\" \\ \n \!"`, ["p", 'a$b "c" \\ \\n \\!']],
    ["p \\\n  a\\\nb \"c\\\nd\" 'e\\\nf'", ["p", "ab", "cd", "e\\\nf"]],
    ["ls # ; rm -rf x", ["ls"]],
    ["p a#b '#' \\#", ["p", "a#b", "#", "#"]],
    ["# first\n\n  ls", ["ls"]],
    ["find . -exec grep -l x {} \\;", ["find", ".", "-exec", "grep", "-l", "x", "{}", ";"]],
    [
      "git show HEAD~2:a stash@{0} ! if =b c=d",
      ["git", "show", "HEAD~2:a", "stash@{0}", "!", "if", "=b", "c=d"],
    ],
    ["echo 'é 😀' \"\u00a0\"", ["echo", "é 😀", "\u00a0"]],
    ["[ -f a ]", ["[", "-f", "a", "]"]],
  ];
  for (const [text, argv] of cases) assert.deepEqual(argvs(text), [argv], text);
});

test("a list is its commands in order, with any separators", () => {
  const [a, b] = [
    ["p", "1"],
    ["q", "2"],
  ];
  for (const between of [
    ";",
    " ; ",
    "&&",
    "||",
    "|",
    "&",
    "\n",
    " &&\n\n",
    "|\n# c\n",
    " # c\n",
    ";\n",
    "&\n",
  ]) {
    assert.deepEqual(argvs(`p 1${between}q 2`), [a, b], between);
    assert.deepEqual(argvs(`\n p 1${between}q 2;`), [a, b], between);
  }
});

test("redirections are separate from the words, with their files", () => {
  const [command] = prove("p >a 2>>'b c' <d 2>&1 x");
  assert.deepEqual(
    command?.words.map(({ text }) => text),
    ["p", "x"],
  );
  assert.deepEqual(
    command?.redirects.map(({ access, target }) => [access, target.text]),
    [
      ["write", "a"],
      ["write", "b c"],
      ["read", "d"],
    ],
  );
  assert.equal(command?.rewired, true);
  assert.deepEqual(prove("> out.txt")[0]?.words, []);
  assert.deepEqual(argvs("p 2 >a; p a2>a; p '2' >a; p 2>&1|q"), [
    ["p", "2"],
    ["p", "a2"],
    ["p", "2"],
    ["p"],
    ["q"],
  ]);
});

test("a command with a redirected descriptor is marked, even without a file", () => {
  for (const text of ["p 2>&1", "p <<'E'\nE", "p | q", "q | p", "p &", "q && p & r"]) {
    const command = prove(text).find(({ words }) => words[0]?.text === "p");
    assert.equal(command?.rewired, true, text);
    assert.deepEqual(command.redirects, [], text);
  }
  for (const text of ["p >a", "p; q | r", "q & p", "q 2>&1 && p"]) {
    const command = prove(text).find(({ words }) => words[0]?.text === "p");
    assert.equal(command?.rewired, undefined, text);
  }
});

test("assignments before a command are separate; after it they are words", () => {
  const [command] = prove("A=1 B='x y' make C=2");
  assert.deepEqual(
    command?.assignments.map(({ text }) => text),
    ["A=1", "B=x y"],
  );
  assert.deepEqual(
    command?.words.map(({ text }) => text),
    ["make", "C=2"],
  );
  assert.deepEqual(prove("A=1")[0]?.words, []);
});

test("the body of a quoted here-document is data", () => {
  const [command, next, ...more] = prove("cat <<'E' | grep a && ls\nrm -rf ~ $(id)\n E\nE\n\nE2 b");
  assert.deepEqual(command?.words, [{ text: "cat", literal: true }]);
  assert.equal(command?.rewired, true);
  assert.deepEqual(command?.redirects, []);
  assert.equal(next?.words[0]?.text, "grep");
  assert.deepEqual(
    more.map(({ words }) => words[0]?.text),
    ["ls", "E2"],
  );
  assert.deepEqual(argvs("cat <<'E'\nrm -rf ~\nE"), [["cat"]]);
});

test("a here-document that is expanded, unclear, or run by its reader is doubted", () => {
  for (const text of [
    "cat <<E\n$(id)\nE",
    "cat <<'E'",
    "cat <<'E'\nno end",
    "cat <<'E'\nx\n E",
    "cat <<-'E'\nx\nE",
    "cat <<'E'F\nx\nEF",
    "cat <<'A' <<'B'\nA\nB",
    "cat <<'E' 'a\nb'\nx\nE",
    "cat <<'E' \\\na\nx\nE",
    "cat <<'E \n'\nx\nE",
    "cat 3<<'E'\nx\nE",
    "bash <<'E'\nrm -rf x\nE",
    "env -i /bin/sh <<'E'\nrm -rf x\nE",
    "xargs rm <<'E'\nx\nE",
  ]) {
    assert(isDoubted(text), text);
  }
});

test("text that a shell would expand, run or continue to read is doubted", () => {
  for (const text of [
    ...'$a|p $a|p "$a"|p "a$"|p $\'a\'|p `id`|p "`id`"|p $(id)|p *|p a?|p [a]|p a[1]|p {a,b}|p {1..3}|p {a,\'b\'}'.split(
      "|",
    ),
    ..."~|p ~|p ~/x|p ~u|p a=~|p --a=~/x|p a:~|p ''~|p <(id)|p >(id)|(p)|{ p; }|p() { q; }|p ()|f(){ q; }; f".split(
      "|",
    ),
    ..."! p|if p; then q; fi|for a in b; do p; done|while p|case a in|time p|coproc p|function f|select a|[[ a ]]|'if' a".split(
      "|",
    ),
    ..."a[0]=1 p|a+=1 p|a=(b)|1=2|a-b=c|\"a\"=b p|a\\=b p|a'='b|}|{a} b|%1|'%1' a|''|\"\" a".split("|"),
    ..."p <<<a|p <>a|p >&a|p >&-|p 2>&1-|p 2>&3|p 10>a|p 3>a|p '2'>a|p \\2>a|p {a}>b|p >|p > ; q|p >&1>a|p 0>a|p 1<a".split(
      "|",
    ),
    ..."p >''|p >{a}|p >/dev/tcp/h/80|p </dev/udp/h/1|p 'a|p \"a|p \\|p 'a\"|;|;p|p;;q|p & ; q|p &&|p && ; q|&& p".split(
      "|",
    ),
    "p &> a",
    "p |& q",
    "p >| a",
    "p ||",
    "p |",
    "p |\n",
    "| p",
    "p && # c",
    "",
    " \t\n",
    "# c",
  ]) {
    assert(isDoubted(text), text);
  }
});

test("invisible characters, and those that shells treat differently, are doubted", () => {
  for (const char of ["\0", "\u0001", "\u0007", "\b", "\v", "\f", "\r", "\u001b", "\u007f"]) {
    for (const text of [`p a${char}b`, `p 'a${char}b'`, `p # ${char}`])
      assert(isDoubted(text), JSON.stringify(text));
  }
  for (const text of ["p é", "p a\u00a0b", "p\u2003a", "p \\é", "p '\ud800'", "p\u2028q", 'p "é\\"; q "']) {
    assert(isDoubted(text), JSON.stringify(text));
  }
});

test("a text that begins like an option of the shell is doubted", () => {
  for (const text of ["-x", "--version", "-c id", "+x"]) assert(isDoubted(text), text);
  assert.deepEqual(argvs(" -x"), [["-x"]]);
});

test("a command that runs text in the shell or changes it is doubted in every spelling", () => {
  for (const text of [
    ..."eval 'rm x'|. ./x|source x|trap 'rm x' EXIT|alias ls=rm|set -e|shopt -s extglob|export PATH=/x|unset a".split(
      "|",
    ),
    ..."exec ls|command ls|builtin ls|enable -n ls|hash -p /x ls|read a|let a=1|declare a|local a|chdir /|e''val x|\\eval x".split(
      "|",
    ),
  ]) {
    assert(isDoubted(text), text);
  }
});

test("a builtin that names a variable is doubted: bash sets it, and runs its subscript as code", () => {
  for (const text of [
    ..."printf -v a x|printf -va x|printf ab%n PATH|printf '%-5.2ln' PATH|printf a x%n PATH|wait -p a".split(
      "|",
    ),
    ..."printf -v 'a[$(id)]' x|test -v 'a[$(id)]'|[ -v 'a[$(id)]' ]|[ a -o -v b ]".split("|"),
  ]) {
    assert(isDoubted(text), text);
  }
  assert.deepEqual(argvs("printf '%s\\n' no"), [["printf", "%s\\n", "no"]]);
  assert.deepEqual(argvs("printf %s a; test -n b"), [
    ["printf", "%s", "a"],
    ["test", "-n", "b"],
  ]);
});

test("a long text, and one of very many commands, is doubted", () => {
  assert.equal(prove(`p ${"a".repeat(16_000)}`).length, 1);
  assert(isDoubted(`p ${"a".repeat(17_000)}`));
  assert.equal(prove("p;".repeat(256)).length, 256);
  assert(isDoubted("p;".repeat(257)));
});

test("texts of the maximum length are read quickly", () => {
  const pieces = [
    "'a' ",
    "a\\\n",
    '"\\a"',
    '"a',
    "'",
    "{",
    "a",
    "2>&1 ",
    ">a ",
    "x=1 ",
    "\\\n",
    "# \n",
    "<<'E'\n",
    "p;",
    "\n",
    " ",
    "~",
    "a~",
    "cd a/..;",
  ];
  for (const piece of pieces) {
    const text = piece.repeat(16_384 / piece.length);
    for (const whole of [text, `p ${text}`.slice(0, 16_384), `p <<'E'\n${text}`.slice(0, 16_384)]) {
      // The minimum of several runs; a quadratic reader takes hundreds of milliseconds each time.
      const timesMs = Array.from({ length: 3 }, () => {
        const before = process.cpuUsage();
        readStrictly(whole, { cwd: "/w" });
        return process.cpuUsage(before).user / 1000;
      });
      assert(Math.min(...timesMs) < 50, `${JSON.stringify(piece)} took ${timesMs.join(", ")} ms`);
    }
  }
});

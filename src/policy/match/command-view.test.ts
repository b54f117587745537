import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWLEDGE, shellSubject } from "../../../test/support/engines/shell-subject.ts";
import type { CommandReading } from "../../core/command.ts";
import type { CommandFact } from "../../core/fact.ts";
import { CommandView } from "./command-view.ts";

const PROPERTIES = ["isUnknown", "isReadOnly", "runsCode", "runsWritten", "isAllCode", "isEditor"] as const;

/** What holds for each command. */
const FLAGS = [
  ["ls", "isReadOnly"],
  ["ls $x", ""],
  ["(ls", "isUnknown"],
  ["mytool a", "runsCode"],
  ["python3 a.py", "runsCode"],
  ["echo a > f; sh f", "runsCode runsWritten isAllCode"],
  ["echo a > f; ls; sh f", "runsCode runsWritten isAllCode"],
  ["echo a > f; cat f", "isAllCode"],
  ["mkdir a; ls", ""],
  ["touch a", ""],
  ["echo a | python3", "runsCode isAllCode"],
  ["echo a | mytool", "runsCode isAllCode"],
  ["echo a | cat", "isReadOnly"],
  ["echo a | tr a b > f", "isAllCode"],
  ["cat < f", "isReadOnly"],
  ["sed s/a/b/ f", "isReadOnly isEditor"],
  ["gsed p f", "isReadOnly isEditor"],
  ["vim x", "runsCode isEditor"],
  ["ls; vi x", "runsCode isEditor"],
  ["nvim x", "runsCode isEditor"],
  ["nvi x", "runsCode isEditor"],
  ["view x", "runsCode isEditor"],
  ["emacs x", "runsCode isEditor"],
  ["xed x", "runsCode"],
  ["edx x", "runsCode"],
  ["ed x", "runsCode isEditor"],
  ["ex x", "runsCode isEditor"],
  ["viewx x", "runsCode"],
] as const;

/** The arguments that may be code. */
const CODES = [
  ["ls a", []],
  ["python3 -c 'x' b", ["-c", "x"]],
  ["mytool a '' b", ["a", "b"]],
  ["mytool", []],
  ["mytool <<< b", ["b"]],
  ["python3 a.py b", ["b"]],
  ["ls a; mytool c", ["c"]],
  ["sed -n p f", ["-n", "p"]],
  ["gsed p f <<< x", ["p", "x"]],
  ["vim -c x f", ["-c", "x"]],
] as const;

/** The paths that the arguments may be. */
const PATHS = [
  ["ls a", []],
  ["cp a b", ["/w/a", "/w/b"]],
  ["mytool -fa --x:b c@d", ["/w/-fa", "/w/a", "/w/--x:b", "/w/b", "/w/c@d", "/w/d"]],
  ["cd sub; mytool a", ["/w/sub", "/w/sub/a", "/w/a"]],
  ["cd $x; mytool a", ["/w/$x", "/w/a"]],
  ["cat a; mytool b", ["/w/a", "/w/b"]],
  ["sleep a; mytool b", ["/w/b"]],
  ["A=f mytool", ["/w/A=f", "/w/f"]],
  ["A=f ls", ["/w/A=f", "/w/f"]],
  ["echo a > b; touch c", ["/w/c"]],
] as const;

/** The hosts that a command names. */
const HOSTS = [
  ["curl a.com", ["curl", "a.com"]],
  ["ls a.com", []],
  ["ls a.com; curl b.com", ["ls", "a.com", "curl", "b.com"]],
  ["mytool a.com", ["mytool", "a.com"]],
  ["cp a.com b", []],
  ["cp http://a.com b", ["a.com"]],
  ["FOO=http://a.com cp x y", ["a.com"]],
  ["cp x y > http://a.com/x", ["a.com"]],
  ["curl $x", ["curl", "x", "any"]],
  ["ls; curl $x", ["ls", "curl", "x", "any"]],
  ["python3 -c 'open(\"a.com\")'", ["python3", "-c", "open", "a.com"]],
  ["echo a > f; sh f a.com", ["echo", "a", "f", "sh", "a.com"]],
] as const;

/** The programs that the words of a command may name, with the places of the words. */
const PROGRAMS = [
  ["ls a", ["ls 0", "a 1"]],
  ["python3 -c 'rm x; rm y'", ["python3 0", "c 1", "rm 2 4", "x 3", "y 5"]],
  ["python3 -c \"r''m x\"", ["python3 0", "c 1", "r 2", "m 3", "x 4", "rm 7"]],
  ["python3 -c 'x/RM rm'", ["python3 0", "c 1", "rm 2 3"]],
  ["sed 1erm f", ["sed 0", "1erm 1", "rm 1", "f 2"]],
  ["mytool a@rm", ["mytool 0", "a@rm 1", "rm 1"]],
] as const;

/** The paths that the words of a command may name. */
const PATHS_IN_CODE = [
  ["mytool a", ["/w/mytool", "/w/a"]],
  [
    "cd sub; mytool a",
    ["/w/cd", "/w/sub/cd", "/w/sub", "/w/sub/sub", "/w/mytool", "/w/sub/mytool", "/w/a", "/w/sub/a"],
  ],
  ["sed r.env f", ["/w/sed", "/w/r.env", "/w/.env", "/w/f"]],
  ["ls; sed r.env f", ["/w/ls", "/w/sed", "/w/r.env", "/w/.env", "/w/f"]],
  ["cp r.env f; sed p x", ["/w/cp", "/w/r.env", "/w/f", "/w/sed", "/w/p", "/w/x"]],
  ["mytool x=a", ["/w/mytool", "/w/x=a", "/w/x", "/w/a"]],
] as const;

/** The words that an escape in code leads to, after the written ones. */
const DECODED = [
  ["python3 -c 'a\\\\nrm'", true],
  ["python3 -c 'a\\\\x0arm'", true],
  ["python3 -c 'a\\\\x0erm'", false],
  ["python3 -c 'a\\\\15rm'", true],
  ["python3 -c 'a\\\\015rm'", true],
  ["python3 -c 'a\\\\016rm'", false],
  ["python3 -c 'a\\\\u000arm'", true],
  ["python3 -c 'a\\\\u000erm'", false],
  ["python3 -c 'a\\\\qrm'", false],
  ["python3 -c 'a\\\\040rm'", true],
  ["python3 -c 'a\\\\\\\\nrm'", true],
  ["python3 -c 'a\\\\x20rm'", true],
  ["python3 -c 'a\\\\u0020rm'", true],
  ["python3 -c \"'\\x72m'\"", true],
] as const;

async function viewOf(text: string, changes: Partial<CommandFact> = {}): Promise<CommandView> {
  const [view] = (await shellSubject(text, [], changes)).commands;
  assert.ok(view !== undefined);
  return view;
}

for (const [text, expected] of FLAGS)
  test(`of ${text} holds: ${expected}`, async () => {
    const view = await viewOf(text);
    assert.equal(PROPERTIES.filter((property) => view[property]).join(" "), expected);
  });

for (const [text, expected] of CODES)
  test(`in ${text} may be code: ${expected.join(" ")}`, async () => {
    assert.deepEqual((await viewOf(text)).codes, expected);
  });

for (const [text, expected] of PATHS)
  test(`the arguments of ${text} may be the paths ${expected.join(" ")}`, async () => {
    const found: string[] = [];
    (await viewOf(text)).hasArgument(({ path }) => found.push(path) === 0);
    assert.deepEqual(found, expected);
  });

for (const [text, expected] of HOSTS)
  test(`${text} names the hosts ${expected.join(" ")}`, async () => {
    assert.deepEqual(
      (await viewOf(text)).hosts.map(({ name = "any" }) => name),
      expected,
    );
  });

for (const [text, expected] of PROGRAMS)
  test(`the words of ${text} may name the programs ${expected.join(", ")}`, async () => {
    const { wordPrograms } = await viewOf(text);
    assert.deepEqual(
      [...wordPrograms].map(([name, places]) => `${name} ${places.join(" ")}`),
      expected,
    );
  });

for (const [text, expected] of PATHS_IN_CODE)
  test(`the words of ${text} may name the paths ${expected.join(" ")}`, async () => {
    assert.deepEqual((await viewOf(text)).codePaths, expected);
  });

for (const [text, expected] of DECODED)
  test(`the escapes in ${text} lead to ${expected ? "the" : "no"} word rm`, async () => {
    assert.equal((await viewOf(text)).words.includes("rm"), expected);
  });

test("an argument of a program that is proven to read does not count, nor does one of a part that is not wanted", async () => {
  const view = await viewOf("cat a; mytool b");
  const isAt = (wanted: string, program?: string) =>
    view.hasArgument(
      ({ path }) => path === wanted,
      (part) => program === undefined || part.program === program,
    );
  assert.deepEqual(
    [isAt("/w/a"), isAt("/w/b"), isAt("/w/b", "cat"), isAt("/w/b", "mytool")],
    [false, true, false, true],
  );
  assert.equal(
    (await viewOf("cat a")).hasArgument(() => true),
    false,
  );
});

test("a command with more arguments than are compared may name any path", async () => {
  const names = (count: number) => `mytool ${Array.from({ length: count }, () => "a").join(" ")}`;
  assert.equal(
    (await viewOf(names(3999))).hasArgument(() => false),
    false,
  );
  assert.equal(
    (await viewOf(names(4000))).hasArgument(() => false),
    true,
  );
});

test("input for a running program and a command outside the sandbox are not proven to read", async () => {
  assert.equal((await viewOf("ls")).certainty, "proven");
  const typed = await viewOf("ls", { interactive: true });
  assert.deepEqual([typed.certainty, typed.isReadOnly], ["read", false]);
  assert.equal((await viewOf("(ls", { interactive: true })).certainty, "unreadable");
  assert.equal((await viewOf("ls", { outside: true })).isReadOnly, false);
  const read: CommandFact = { kind: "command", text: "ls", cwd: "/w" };
  assert.equal(new CommandView(read, KNOWLEDGE).certainty, "unreadable");
  assert.equal(new CommandView(read, undefined).certainty, "unread");
  const claimed: CommandReading = { certainty: "read", commands: [], paths: [], isReadOnly: true };
  assert.equal(new CommandView({ ...read, reading: claimed }, KNOWLEDGE).isReadOnly, false);
});

test("a command only reads in the box if its reading says so and the box is needed, and neither outside nor as input", () => {
  const reading: CommandReading = {
    certainty: "read",
    commands: [],
    paths: [],
    isReadOnly: false,
    readsInBox: true,
    box: "needed",
  };
  const { readsInBox: _, ...unheld } = reading;
  const isHeld = (one: CommandReading, changes: Partial<CommandFact> = {}) =>
    new CommandView({ kind: "command", text: "ls", cwd: "/w", reading: one, ...changes }, KNOWLEDGE)
      .readsInBox;
  assert.deepEqual(
    [
      isHeld(reading),
      isHeld({ ...reading, box: "useful" }),
      isHeld(unheld),
      isHeld(reading, { interactive: true }),
      isHeld(reading, { outside: true }),
    ],
    [true, false, false, false, false],
  );
});

test("the escapes of a long text are decoded once, though judging looks at its words for each rule and path", async (t) => {
  const [view] = (await shellSubject("python3 -c 'a\\n\\nb'")).commands;
  assert.ok(view !== undefined);
  const { words } = view;
  const replacing = t.mock.method(String.prototype, "replaceAll");
  assert.equal(view.words, words);
  assert.equal(replacing.mock.callCount(), 0);
});

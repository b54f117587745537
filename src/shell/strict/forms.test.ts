import assert from "node:assert/strict";
import { test } from "node:test";
import { readStrictly, readWithExpansions } from "../read-strictly.ts";

const PLACE = { cwd: "/w", home: "/h" };

/** Returns what a text is proven to be, without the folders; undefined if it is not proven. */
function proven(text: string, read: typeof readStrictly = readStrictly): unknown {
  const reading = read(text, PLACE);
  if (!("commands" in reading)) {
    assert.equal(typeof reading.doubt, "string");
    return undefined;
  }
  return reading.commands.map(({ cwds: _cwds, via: _via, ...command }) => command);
}

/** Returns a command of literal words, with nothing else. */
const plain = (...texts: readonly string[]) => ({
  words: texts.map((text) => ({ text, literal: true })),
  assignments: [],
  redirects: [],
});

/** Returns a command that reads a here-document. */
const fed = (body: string, ...texts: readonly string[]) => ({
  ...plain(...texts),
  rewired: true,
  input: { text: body, literal: true },
});

test("words, redirections and here-documents are read with their exact texts", () => {
  const expected: readonly (readonly [string, unknown])[] = [
    ["ls", [plain("ls")]],
    ["ls 2a", [plain("ls", "2a")]],
    ["MYHOME=x ls", [{ ...plain("ls"), assignments: [{ text: "MYHOME=x", literal: true }] }]],
    ["[ -f x ]", [plain("[", "-f", "x", "]")]],
    ["[\t-f x ]", [plain("[", "-f", "x", "]")]],
    ["true; [ -f x ]", [plain("true"), plain("[", "-f", "x", "]")]],
    [
      "ls 2a>x",
      [{ ...plain("ls", "2a"), redirects: [{ access: "write", target: { text: "x", literal: true } }] }],
    ],
    ["ls 2>&1", [{ ...plain("ls"), rewired: true }]],
    ["cat <<'E'\nx\nE\n", [fed("x\n", "cat")]],
    ["cat <<'EOF'\na\nb\nEOF\n", [fed("a\nb\n", "cat")]],
    ['cat <<"EOF"\na\nEOF\n', [fed("a\n", "cat")]],
    ["cat <<'E'\nE\n", [fed("", "cat")]],
    ["cat <<'E'\nEX\nE\n", [fed("EX\n", "cat")]],
    ["cat <<'E' 2>&1\nx\nE\n", [fed("x\n", "cat")]],
    ["cat push <<'E'\nx\nE\n", [fed("x\n", "cat", "push")]],
  ];
  for (const [text, commands] of expected) assert.deepEqual(proven(text), commands, text);
});

test("what shells read differently, or expand, is not proven", () => {
  const doubted = String.raw`cat > 2>&1
ls > /dev//tcp/h/80
ls > /dev/udp/h/80
cat 10<a
cat 01<a
ls 11>x
ls 21>x
ls 12>x
ls >&1<a
ls >&1>a
echo {a,b
echo a,b}
echo x..y}
echo {x..y
echo a=b~c
echo ""[ a
echo "${"`"}id${"`"}"
echo "a$b"
echo "a\
bash <<'E'
cat <<'E'
cat <<'E'x
cat 0<<'E'`
    .split("\n")
    .concat(
      "echo a\\\n[ b",
      'echo "`id` x"',
      'echo "x `id`"',
      "cat <<'E'\nx",
      "cat <<'E'x\nx\nE\n",
      "cat 0<<'E'\nx\nE\n",
      "cat <<'E' '\n'\nx\nE\n",
      "cat <<'E' \\\nx\nE\n",
      "cat <<'A' <<'B'\nA\nB\n",
      "/bin/bash <<'E'\nls\nE\n",
      "env bash <<'E'\nls\nE\n",
      "xargs rm <<'E'\nx\nE\n",
      "parallel <<'E'\nx\nE\n",
      "HOME=x ls",
      "CDPATH=x ls",
    );
  for (const text of doubted) assert.equal(proven(text), undefined, text);
});

test("where globs and variables may be expanded, they are words that are not literal", () => {
  const word = (text: string) => ({ text, literal: false });
  const expected: readonly (readonly [string, unknown])[] = [
    ["ls *.md", [{ ...plain("ls"), words: [{ text: "ls", literal: true }, word("*.md")] }]],
    ["ls a?b", [{ ...plain("ls"), words: [{ text: "ls", literal: true }, word("a?b")] }]],
    ['echo "$A"', [{ ...plain("echo"), words: [{ text: "echo", literal: true }, word("$A")] }]],
    ["echo x${A}y", [{ ...plain("echo"), words: [{ text: "echo", literal: true }, word("x${A}y")] }]],
  ];
  for (const [text, commands] of expected) assert.deepEqual(proven(text, readWithExpansions), commands, text);
  for (const text of [
    "*.sh",
    "$A x",
    "ls > *.md",
    "ls < $A",
    'echo "$A',
    'echo $A"',
    'echo "$A b"',
    "echo $1",
  ])
    assert.equal(proven(text, readWithExpansions), undefined, text);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME, jobOf, pathFact } from "../../../test/support/engines/policy-jobs.ts";
import { shellSubject } from "../../../test/support/engines/shell-subject.ts";
import type { PathFact } from "../../core/fact.ts";
import type { Rule } from "../../core/rule.ts";
import { compileRestrictedPaths, PathView } from "./match-path.ts";
import { hasUnknownFolder, mayTouch } from "./may-touch.ts";
import { toSubject, type Subject } from "./subject.ts";

function touches(pattern: string, subject: Subject, access?: Rule["access"]): boolean {
  return mayTouch(compileRestrictedPaths([pattern], { workspace: ["/w"], home: HOME }), access, subject);
}

/** The pattern of a rule, a command, the access of the rule, and whether the command may touch a matching path that is not in its facts. */
const CASES: readonly (readonly [
  pattern: string,
  command: string,
  access: Rule["access"],
  expected: boolean,
])[] = [
  ["**/.env", "grep -r x .", undefined, true],
  ["/other/.env", "grep -r x .", undefined, false],
  ["/other/.env", "grep -R x .", undefined, true],
  ["/other/a/.env", "grep -r x /other/a", undefined, true],
  ["**/.env", "grep x a", undefined, false],
  ["**/.env", "rg x", undefined, true],
  ["sub/.env", "cd sub && grep -r x .", undefined, true],
  ["sub/.env", "cd other && grep -r x .", undefined, false],
  ["**/.env", "echo a b | cpio -o", undefined, false],
  ["**/.env", "echo .env | cpio -o", undefined, true],
  ["**/.env", "echo a .env | cpio -o", undefined, true],
  ["sub/.env", "cd sub && echo .env | cpio -o", undefined, true],
  ["sub/.env", "echo .env | cpio -o", undefined, false],
  ["**/.env", "cat x | cpio -o", undefined, true],
  ["**/.env", "tar cf x -T list", undefined, true],
  ["**/.env", "echo 'a\\nb' | cpio -o", undefined, true],
  ["sub/.env", "cd sub || true; echo .env | cpio -o", undefined, true],
  ["**/.env", "echo a | tar cf x -T list", undefined, true],
  ["**/.env", "echo 'a\\0b' | cpio -o", undefined, false],
  ["**/.env", "echo 'a\\0.env' | cpio -o", undefined, true],
  ["**/.env", "echo 'a\\00.env' | cpio -o", undefined, true],
  ["**/.env", "echo 'a%' | cpio -o", undefined, true],
  ["**/.env", "echo 'a*' | cpio -o", undefined, true],
  ["b", "echo 'a%b' | cpio -o", undefined, true],
  ["**/.env", "echo a=.env | cpio -o", undefined, true],
  ["**/.env", "cd $x; echo a | cpio -o", undefined, true],
  ["**/.env", "cat x | python3 -c 'print(1)'", undefined, false],
  ["**/.env", "echo a | python3 -c 'open(x)'", undefined, false],
  ["**/.env", "cat x | sed p", undefined, false],
  ["**/.env", "cat x | sed 1e", undefined, true],
  ["**/.env", "cat x | gsed 1e", undefined, true],
  ["**/.env", "cat x | sed 's/a/b/e'", undefined, true],
  ["**/.env", "cat x | wc", undefined, false],
  ["**/.env", "cat x | awk '{ print | \"y\" }'", undefined, true],
  ["**/.env", "cat x | awk '{ print |  \"y\" }'", undefined, true],
  ["**/.env", "cat x | awk '{ \"y\"  | z }'", undefined, true],
  ["**/.env", "cat x | awk '{ print }'", undefined, false],
  ["**/.env", "cat x | perl -e '`y`'", undefined, true],
  ["**/.env", "cat $x", undefined, true],
  ["**/.env", "cat a", undefined, false],
  ["**/.env", "mytool a", undefined, false],
  ["**/.env", "mytool -c.env", undefined, true],
  ["**/.env", "cat a > $x", undefined, true],
  ["**/.env", "cat a > $x", "read", false],
  ["**/.env", "cat a > $x", "write", true],
  ["**/.env", "cat a < $x", "read", true],
  ["**/.env", "cat a < $x", "write", false],
  ["**/.env", "echo $x", undefined, false],
  ["**/.env", "> $x", undefined, true],
  ["**/.env", "cd $x; cat a", undefined, true],
  ["**/.env", "cd $x; cat /a", undefined, true],
  ["**/.env", "cd $x; echo a", undefined, true],
  ["**/.env", "cd $x; > a", undefined, true],
  ["**/.env", "cd $x; > /a", undefined, true],
  ["**/.env", "cd $x; cat /a > b", "read", true],
  ["**/.env", "ls | xargs cat a", undefined, true],
  ["**/.env", "$x", undefined, true],
  ["**/.env", "(cat a", undefined, true],
  ["**/.env", "echo a > f; sh f", undefined, true],
  ["**/.env", "python3 -c 'x(\".env\")'", undefined, true],
  ["**/.env", "python3 -c 'x(\"env\")'", undefined, false],
  ["**/.env", "diff a b", undefined, true],
  ["**/.env", "diff a", undefined, true],
];
for (const [pattern, command, access, expected] of CASES)
  test(`${command} ${expected ? "may" : "cannot"} ${access ?? "touch"} ${pattern}`, async () => {
    assert.equal(touches(pattern, await shellSubject(command), access), expected);
  });

for (const [code, expected] of [
  ["open('x')", true],
  ["fopen(x)", true],
  ["readText(x)", true],
  ["read_file(x)", true],
  ["readFileSync(x)", true],
  ["read_lines(x)", true],
  ["readbytes(x)", true],
  ["createReadStream(x)", true],
  ["create_read_stream(x)", true],
  ["execFile(x)", true],
  ["exec(x)", true],
  ["spawn(x)", true],
  ["spawnSync(x)", true],
  ["Path(x)", true],
  ["opening(x)", false],
  ["paths(x)", false],
  ["myread_file(x)", false],
  ["x(1)", false],
] as const)
  test(`code with ${code} that reads an unknown text may ${expected ? "open a file" : "only compute"}`, async () => {
    assert.equal(touches("**/.env", await shellSubject(`cat x | python3 -c "${code}"`)), expected);
  });

for (const [text, access, expected] of [
  ["cat a", undefined, true],
  ["cat /a", undefined, false],
  ["/a", undefined, false],
  ["cat /a > b", "write", true],
  ["cat /a > b", "read", false],
  ["cat /a > /b", "write", false],
  ["echo a", undefined, false],
] as const)
  test(`as input for a running program, whose folder is unknown, ${text} ${expected ? "may" : "cannot"} touch a file`, async () => {
    assert.equal(touches("/x/.env", await shellSubject(text, [], { interactive: true }), access), expected);
  });

test("a part of a command has an unknown folder if it starts a program that opens files after an unknown cd", async () => {
  for (const [text, expected] of [
    ["cd $x; ls", [false, false, true]],
    ["cd $x; echo a", [false, false, false]],
    ["cd $x; > f", [false, false, false]],
    ["cd sub; ls", [false, false]],
  ] as const)
    assert.deepEqual((await shellSubject(text)).parts.map(hasUnknownFolder), expected, text);
});

/** Returns what a command names, resolved: `files` are regular files. */
async function resolved(
  text: string,
  files: readonly string[],
  names: readonly string[] = [],
): Promise<Subject> {
  const subject = await shellSubject(text);
  const paths = subject.paths.map(({ path, access }) => {
    const size = files.includes(path) ? { size: 1 } : {};
    return new PathView({ kind: "path", path, access, inode: 1, ...size, names });
  });
  return { ...subject, paths };
}

test("diff reads what is in folders, and nothing more of two files", async () => {
  const [a, b] = ["/w/a", "/w/b"];
  assert.equal(touches("**/.env", await resolved("diff a b", [a, b])), false);
  for (const files of [[], [a], [b]])
    assert.equal(touches("**/.env", await resolved("diff a b", files)), true);
  assert.equal(touches("**/.env", await resolved("diff a", [a])), true);
  assert.equal(touches("**/.env", await resolved("diff a b c", [a, b, "/w/c"])), false);
  assert.equal(
    touches("**/.env", await resolved("cd sub || true; diff a b", [a, b, "/w/sub/a", "/w/sub/b"])),
    true,
  );
});

test("diff of a link is a comparison of what the link leads to, by its name too", async () => {
  const subject = await shellSubject("diff a b");
  const view = (path: string, names: readonly string[]) =>
    new PathView({ kind: "path", path, access: "read", inode: 1, size: 1, names });
  const of = (...paths: readonly PathView[]) => touches("**/.env", { ...subject, paths });
  assert.equal(of(view("/w/c", ["/w/x", "/w/a"]), view("/w/b", [])), false);
  assert.equal(of(view("/w/c", ["/w/x"]), view("/w/b", [])), true);
});

test("a search begins in folders alone", async () => {
  assert.equal(touches("/other/a/.env", await resolved("grep -r x /other/a", [])), true);
  assert.equal(touches("/other/a/.env", await resolved("grep -r x /other/a", ["/other/a"])), false);
});

test("a folder that is written as a whole is touched with everything in it, for rules about writing", () => {
  const folder: PathFact = { ...pathFact("/w/sub", "write"), inode: 1 };
  const of = (fact: PathFact, access?: Rule["access"]) =>
    touches("sub/.env", toSubject(jobOf([fact]), undefined), access);
  assert.deepEqual([of(folder), of(folder, "write"), of(folder, "read")], [true, true, false]);
  assert.equal(of({ ...folder, size: 1 }), false);
  assert.equal(of({ ...folder, path: "/w/other" }), false);
});

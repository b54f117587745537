import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWLEDGE, shellSubject } from "../../../test/support/engines/shell-subject.ts";
import { compileCommand, matchLiterally, matchTokens, programOf, weaker } from "./match-command.ts";

/** The tokens of a rule, exact after `=`; a command; how a deny rule matches each part of it, and whether an allow rule covers the part. */
const MATCHES = [
  ["rm -rf", "rm -r -f x", "certain", "false"],
  ["rm -rf", "rm -fr x", "certain", "false"],
  ["rm -rf", "rm -r x", "none", "false"],
  ["rm -rf", "rm --recursive --force x", "certain", "false"],
  ["rm -r", "rm -rf x", "certain", "false"],
  ["rm -rf", "rm -r $x", "possible none", "false false"],
  ["rm", "rmdir x", "none", "false"],
  ["rm", "$x", "possible", "false"],
  ["rm", "/bin/rm x", "certain", "false"],
  ["rm", "./rm x", "certain", "false"],
  ["mytool -xy", "mytool -x -y", "certain", "false"],
  ["mytool -xy", "mytool -yx", "certain", "false"],
  ["mytool -x", "mytool -xy", "certain", "false"],
  ["mytool -x=5", "mytool -x=5", "certain", "true"],
  ["mytool -x=5", "mytool -x=6", "none", "false"],
  ["mytool --long", "mytool --long", "certain", "true"],
  ["mytool --long", "mytool --lon", "none", "false"],
  ["git push", "git push", "certain", "true"],
  ["git push", "git -C . push", "certain", "false"],
  ["git push", "git log push", "possible", "false"],
  ["git push", "git log x push y", "possible", "false"],
  ["git push origin", "git push x origin", "possible", "false"],
  ["git push origin", "git push origin x", "certain", "true"],
  ["git push origin", "git origin push", "none", "false"],
  ["git push --force", "git push -f", "certain", "false"],
  ["git push --force", "git push --force-with-lease", "none", "false"],
  ["git push -f", "git push --force origin", "certain", "false"],
  ["A=1 make", "A=1 make", "certain", "true"],
  ["A=1 make", "A=2 make", "none", "false"],
  ["A=1 make", "make", "none", "false"],
  ["A=1 make", "A=$x make", "possible", "false"],
  ["A=1 make", "B=$x make", "possible", "false"],
  ["A=1 make", "env A=1 make", "none certain", "false true"],
  ["A+=1 make", "A+=1 make", "certain", "true"],
  ["A=1", "A=1", "certain", "false"],
  ["A=1", "A=1 ls", "certain", "false"],
  ["x-A=1 y", "x-A=1 y", "certain", "true"],
  ["-A=1 y", "-A=1 y", "certain", "true"],
  ["make all", "make $x", "possible none", "false false"],
  ["= make", "make $x", "possible certain", "false true"],
  ["= make all", "make all", "certain", "true"],
  ["= make all", "make all -j4", "none", "false"],
  ["= make all -j4", "make all -j 4", "none", "false"],
  ["= make all", "make all x", "none", "false"],
  ["= ls -la", "ls -l -a", "certain", "false"],
  ["= ls -la", "ls -l -a x", "none", "false"],
  ["= ls -l", "ls -la", "none", "false"],
  ["= ls -la x", "ls -al x", "certain", "false"],
  ["ls", "ls $x", "certain certain", "false true"],
  ["ls -l a", "ls -l b", "none", "false"],
  ["ls a", "ls b a", "possible", "false"],
  ["cat a", "xargs cat a", "none certain", "false false"],
  ["cat b", "ls | xargs cat a", "none none possible", "false false false"],
  ["curl -X POST", "curl -XPOST http://a", "certain", "false"],
  ["curl -X POST", "curl --request POST http://a", "certain", "false"],
  ["curl -X POST", "curl -X GET http://a", "none", "false"],
  ["npm run x", "npm run x -- y", "certain", "true"],
  ["npm run", "npm -s run x", "certain", "false"],
  ["docker run --privileged", "docker run --privileged=true x", "certain", "false"],
  ["docker run", "docker container run x", "possible", "false"],
  ["ls a", "ls b", "none", "false"],
  ["make", "make $x", "certain certain", "false true"],
  ["ls", "ls -- a", "certain", "true"],
  ["./b.sh", "./b.sh a", "certain", "true"],
  ["./b.sh", "cd sub; ./b.sh", "none certain", "false false"],
  ["./b.sh", "cd /w; ./b.sh", "none certain", "false true"],
  ["sub/b.sh", "sub/b.sh", "certain", "true"],
  ["/usr/bin/make", "/usr/bin/make all", "certain", "true"],
  ["/usr/bin/make", "cd sub; /usr/bin/make", "none certain", "false true"],
  ["git diff --output=f", "git diff --output=f a", "certain", "true"],
  ["git diff --output=f", "git diff --output=f -- a", "certain", "false"],
  ["git diff --output=f", "git diff --output=f a -x", "certain", "false"],
  ["git diff --output=f", "git diff --output=f a-b", "certain", "true"],
  ["git diff --output=f", "git diff --output=f +c", "certain", "false"],
  ["git diff --output=f", "git diff --output=f a b=c", "certain", "false"],
  ["git diff", "git diff --output=f", "certain", "false"],
  ["git -C sub log", "git -C sub log a", "certain", "true"],
  ["git log", "git -C sub log", "certain", "false"],
  ["find . -delete", "find . -delete -x", "certain", "false"],
  ["find . -delete", "find . -delete", "certain", "true"],
  ["find .", "find . -delete", "certain", "false"],
  ["find . -delete", "find . -delete -exec x ;", "certain none", "false false"],
  ["git -C a diff --output=f", "git -C a diff --output=f a", "certain", "true"],
  ["git diff --ext-diff --output=f", "git diff --ext-diff --output=f a", "certain", "true"],
  ["git diff --ext-diff", "git diff --ext-diff --output=f a", "certain", "false"],
  ["sudo", "sudo ls", "certain none", "true false"],
  ["ls", "sudo ls", "none certain", "false true"],
  ["kubectl delete", "kubectl -n x delete pod y", "certain", "false"],
] as const;

for (const [rule, text, deny, allow] of MATCHES)
  test(`the tokens ${rule} match the parts of ${text} like this: ${deny}; allowed: ${allow}`, async () => {
    const { parts } = await shellSubject(text);
    const tokens = rule.replace(/^= /, "").split(" ");
    const pattern = compileCommand(tokens, rule.startsWith("= "), KNOWLEDGE);
    assert.equal(parts.map((part) => matchTokens(pattern, part)).join(" "), deny);
    const isAllowed = parts.map((part) => matchLiterally(pattern, part, KNOWLEDGE, ["/w"]));
    assert.equal(isAllowed.join(" "), allow);
  });

test("a rule without tokens allows no command, and one without tables knows no program", async () => {
  const { parts } = await shellSubject("ls a");
  const empty = compileCommand([], false, KNOWLEDGE);
  assert.deepEqual([empty.program, empty.tokens, empty.assignments], ["", [], []]);
  assert.equal(
    parts.some((part) => matchLiterally(empty, part, KNOWLEDGE, ["/w"])),
    false,
  );
  assert.deepEqual(compileCommand(["ls", "-la", "a"], false, undefined), {
    assignments: [],
    tokens: ["ls", "-la", "a"],
    program: "ls",
    operands: ["a"],
    flags: ["-la"],
    isExact: false,
  });
});

test("the program of a rule is its first token that is no assignment, by its folded base name", () => {
  for (const [tokens, program] of [
    [["A=1", "/bin/RM", "x"], "rm"],
    [["A=1"], undefined],
    [["a-b=1"], "a-b=1"],
    [[], undefined],
  ] as const)
    assert.equal(programOf(tokens), program);
});

test("of two matches the less certain one counts", () => {
  for (const [one, other, expected] of [
    ["certain", "certain", "certain"],
    ["certain", "possible", "possible"],
    ["possible", "certain", "possible"],
    ["possible", "none", "none"],
    ["none", "certain", "none"],
    ["certain", "none", "none"],
  ] as const)
    assert.equal(weaker(one, other), expected);
});

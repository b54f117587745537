import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME } from "../../../test/support/engines/policy-jobs.ts";
import { KNOWLEDGE, shellSubject } from "../../../test/support/engines/shell-subject.ts";
import { compileRestrictedHosts } from "../../util/text/host/host-pattern.ts";
import type { CommandView } from "./command-view.ts";
import { namesCommand, namesHost, namesPath } from "./match-code.ts";
import { compileCommand } from "./match-command.ts";
import { compileRestrictedPaths } from "./match-path.ts";

async function viewOf(text: string): Promise<CommandView> {
  const [view] = (await shellSubject(text)).commands;
  assert.ok(view !== undefined);
  return view;
}

async function names(rule: string, text: string): Promise<boolean> {
  return namesCommand(await viewOf(text), compileCommand(rule.split(" "), false, KNOWLEDGE), KNOWLEDGE);
}

/** The tokens of a rule, a command, and whether code in it may start what the rule names. */
const COMMANDS = [
  ["rm -rf", "python3 -c 'system(\"rm -rf x\")'", true],
  ["rm -rf", 'python3 -c \'run(["rm", "-rf", "x"])\'', true],
  ["rm -rf", "python3 -c 'rm -r x'", false],
  ["rm", "make rm", false],
  ["rm", "python3 rm", false],
  ["rm", "mytool rm", true],
  ["rm", "mytool 'a; rm x'", true],
  ["rm", "python3 -c 'x' rm", false],
  ["rm", "python3 -c 'rm' rm", false],
  ["rm", "echo rm | python3", true],
  ["rm", "python3 -c '/bin/RM x'", true],
  ["rm", "sed 1erm f", true],
  ["rm", "python3 -c 'rmx'", false],
  ["rm -rf", "python3 -c 'rm a b c d e f g h i j k l m n -rf'", true],
  ["rm -rf", "python3 -c 'rm a b c d e f g h i j k l m n o -rf'", false],
  ["rm x", "python3 -c 'x rm y'", true],
  ["rm -rf", "python3 -c 'rm a; rm -rf b'", true],
  ["rm", "ls rm; python3 -c 'x'", false],
  ["rm", "make 'a rm'", true],
  ["rm", "make a=rm", false],
  ["git push", "python3 -c 'git(\"push\")'", true],
  ["rm", "mytool a", false],
  ["rm", "ls", false],
  ["rm", "sed ereboot f", false],
  ["reboot", "sed 1ereboot f", true],
  ["reboot", "perl -eexec+reboot", true],
  ["reboot", "python3 x-reboot", true],
  ["rm", "cp a=rm b; python3 x", false],
  ["rm", "python3 x/rm", false],
  ["rm x", "python3 -c 'rm y; rm x'", true],
  ["rm", "cp a b; python3 -c 'rm y'", true],
  ["rm", "cp 'x;rm' b; python3 y", true],
  ["rm", "cp 'rm;x' b; python3 y", true],
] as const;

/** A pattern, a command, whether there is a home folder, and whether a word of the code may name a matching path. */
const PATHS = [
  ["**/.env", "python3 -c 'open(\".env\")'", true, true],
  ["**/.env", "python3 -c 'open(\"env\")'", true, false],
  ["~/.ssh/**", "python3 -c 'open(\"~/.ssh/id\")'", true, true],
  ["~/.ssh/**", "python3 -c 'HOME+\"/.ssh/id\"'", true, true],
  ["~/.ssh/**", "python3 -c '.ssh/id'", true, false],
  ["~/.ssh/**", "python3 -c 'a~/.ssh/id'", true, false],
  ["~/x", "python3 -c 'a /x'", true, true],
  ["~", "python3 -c '~'", true, false],
  ["/x", "python3 -c '/x'", false, true],
  ["/a/x", "python3 -c '~/x'", false, false],
  ["sub/a", "cd sub; python3 -c 'a'", true, true],
] as const;

/** Commands, and whether they may reach a.com. */
const HOSTS = [
  ["curl a.com", true],
  ["curl b.com", false],
  ["ls a.com", false],
  ["echo a.com", false],
  ["echo http://a.com", false],
  ["echo http://a.com > x", false],
  ["echo http://a.com > $x", true],
  ["echo x > /dev/tcp/a.com/80", true],
  ["cat < /dev/tcp/a.com/80", true],
  ["echo a.com | cat", false],
  ["mytool http://a.com", true],
  ["cp http://a.com b", true],
  ["(curl b.com", true],
  ["A=http://a.com", true],
  ["A=http://a.com ls", true],
  ["ls; curl a.com", true],
  ["ls > http://a.com", false],
  ["curl b.com > http://a.com", true],
  ["echo x > /dev/tcp/a.com/80 2> b", true],
  ["echo a.com; echo x > f", false],
] as const;

for (const [rule, text, expected] of COMMANDS)
  test(`code in ${text} ${expected ? "may start" : "does not start"} ${rule}`, async () => {
    assert.equal(await names(rule, text), expected);
  });

for (const [pattern, text, hasHome, expected] of PATHS)
  test(`a word of ${text} ${expected ? "may be" : "is not"} ${pattern}`, async () => {
    const bases = { workspace: ["/w"], home: hasHome ? HOME : undefined };
    assert.equal(namesPath(await viewOf(text), compileRestrictedPaths([pattern], bases)), expected);
  });

for (const [text, expected] of HOSTS)
  test(`${text} ${expected ? "may reach" : "does not reach"} a.com`, async () => {
    assert.equal(namesHost(await viewOf(text), compileRestrictedHosts(["a.com"]), KNOWLEDGE), expected);
  });

test("a name that occurs more often than it is looked at may be a command", async () => {
  const code = (count: number) => `python3 -c '${"rm ".repeat(count)}'`;
  assert.deepEqual([await names("rm -v", code(100)), await names("rm -v", code(101))], [false, true]);
});

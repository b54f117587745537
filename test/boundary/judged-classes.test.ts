import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../src/core/rule.ts";
import { DISASTER_RULES } from "../../src/shell/programs/disasters/disaster-rules.ts";
import { judgeShell } from "../support/engines/judge-shell.ts";

const layersWith = (...rules: readonly Rule[]) => [
  { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
  { name: "user", rules, mayAllow: true },
];

/** What a proof would rest on a guess for. */
const NOT_PROVEN: Readonly<Record<string, readonly string[]>> = {
  "a flag that is not known": ["ls --shiny", "cat -Q a", "git log --shiny", "column -n -c /etc/passwd a"],
  "the end of options": ["cat -- a", "git diff -- a", "find -- . -delete", "grep -- x a"],
  "arguments from a file": ["strings @a", "cat @a", "ls @a"],
  "the input of an interpreter": [
    "echo x | node --version",
    "python3 --version < a",
    "bash --version < a",
    "echo x | python3",
  ],
  "links that are followed": [
    "grep -R x .",
    "grep --dereference-recursive x .",
    "rg -L x",
    "rg --follow x",
    "find -L .",
    "find . -follow",
    "ls -LR",
    "du -L",
    "tree -l",
    "diff -r a b",
  ],
  "answers that a sandbox changes": [
    "ps e",
    "ps auxe",
    "ps eww",
    "pgrep x",
    "ss -l",
    "pidof x",
    "df --files0-from=x",
    "who",
    "ulimit -a",
    "lsblk",
  ],
  "paths from the top of the repository": ["git show HEAD:a", "git diff :/", "git log ':(top)a'"],
  "packages and their logs": ["npm ls", "npm ls -- --prefix=x"],
  "a write to what standard input is": ["echo x < a > /dev/stdin", "cat a > /dev/fd/0"],
};

for (const [what, commands] of Object.entries(NOT_PROVEN)) {
  for (const command of commands) {
    test(`mode auto: ${command} does not run without approval: ${what}`, async () => {
      assert.notEqual((await judgeShell(command, layersWith())).kind, "allow");
    });
  }
}

for (const command of ["cd && ls", "cd; grep -r x", "cd -- && ls", "cd ~ && ls"]) {
  test(`a part that runs outside the workspace is not proven: ${command}`, async () => {
    assert.notEqual((await judgeShell(command, layersWith())).kind, "allow");
  });
}

for (const command of [
  "ls -la src",
  "cat a | head -n 5 | wc -l",
  "grep -rn x src",
  "rg -n x src",
  "find . -name '*.ts' -type f",
  "git status --short && git log --oneline -5 && git diff --stat",
  "git show HEAD && git branch -a && git blame a",
  "pwd; echo x; which node; stat a; file a; du -sh a; date +%s; uname -a",
  "sort a | uniq -c | cut -d: -f1 | tr a b; diff a b; jq .x a; test -f a",
  "node --version && npm --version && python3 --version 2>&1",
  "timeout 5 ls",
  "cd src && ls",
]) {
  test(`mode auto: ${command} is proven to only read`, async () => {
    const { kind, reason } = await judgeShell(command, layersWith());
    assert.equal(kind, "allow", reason);
  });
}

/** Under a deny of `rm`: what a shell would make of it is only known at run time. */
for (const command of [
  "env $(echo rm -rf victim|cat)",
  "nice `echo rm -rf victim|cat`",
  "for f in $(ls -A); do $f; done",
  'eval "$(cat x)"',
  'bash -c "$(cat x)"',
  'sh -c "$x"',
  "bash <(cat x)",
  "source <(cat x)",
  'python3 -c "$(cat x)"',
  "echo x | xargs -I{} sh -c '{}'",
  "unheard-of rm -rf victim",
  "unheard-of --then 'rm -rf victim'",
  "strace -o '|rm -rf victim' true",
  "echo $(echo rm -rf victim|cat) > y; sh y",
  "BASH_ENV=<(echo rm -rf victim) bash -c :",
  "env BASH_ENV=<(echo rm -rf victim) bash -c :",
  "export BASH_ENV=<(echo rm -rf victim); bash -c :",
  "BASH_ENV=<(echo rm -rf victim); export BASH_ENV; bash -c :",
  "echo 'rm -rf victim' > y; BASH_ENV=y bash -c :",
]) {
  test(`yolo with a deny of rm: ${command} needs approval`, async () => {
    const { kind } = await judgeShell(command, layersWith({ command: ["rm"], decision: "deny" }), "yolo");
    assert.notEqual(kind, "allow");
  });
}

for (const command of ['eval "$(cat x)"', 'bash -c "$(cat x)"', "unheard-of rm x", 'python3 -c "$x"']) {
  test(`yolo without a deny of the user: ${command} runs`, async () => {
    assert.equal((await judgeShell(command, layersWith(), "yolo")).kind, "allow");
  });
}

for (const command of [
  "for f in $(ls -A); do cat $f; done",
  "cat $(ls -A | head -1)",
  "shuf .env",
  "cc -E -x c .env",
  "ip -b .env",
  "unheard-of --config=.env",
  "unheard-of -f.env",
  "unheard-of name=@.env",
  "unheard-of user:.env",
  "strings @.env",
]) {
  test(`yolo with a deny of .env: ${command} needs approval`, async () => {
    const { kind } = await judgeShell(command, layersWith({ path: "**/.env", decision: "deny" }), "yolo");
    assert.notEqual(kind, "allow");
  });
}

for (const command of [
  `curl http://a.int''ernal/x`,
  `wget "a.in"ternal`,
  String.raw`ssh a\.internal ls`,
  `h=a.internal; curl "http://$h/"`,
]) {
  test(`yolo with a denied host: ${command} needs approval`, async () => {
    const { kind } = await judgeShell(
      command,
      layersWith({ domain: "*.internal", decision: "deny" }),
      "yolo",
    );
    assert.notEqual(kind, "allow");
  });
}

for (const command of [
  String.raw`awk 'BEGIN{system("r\\\\m -rf victim")}'`,
  String.raw`awk 'BEGIN{system("sh <<E\nrm -rf victim\nE")}'`,
  String.raw`python3 -c 'import os; os.system("true;\x20rm -rf victim")'`,
  `python3 -c 'import os; os.system("r\u0022\u0022m -rf victim")'`,
  "python3 -c 'import os; os.system(\"${nothing:-rm} -rf victim\")'",
]) {
  test(`yolo with a deny of rm: escapes in code hide nothing: ${command}`, async () => {
    const { kind } = await judgeShell(command, layersWith({ command: ["rm"], decision: "deny" }), "yolo");
    assert.notEqual(kind, "allow");
  });
}

test("a long run of escapes in code is searched in linear time", async () => {
  const command = `python3 -c 'a${"\\".repeat(60_000)} '`;
  const { kind } = await judgeShell(command, layersWith({ command: ["rm"], decision: "deny" }), "yolo");
  assert.equal(kind, "allow");
});

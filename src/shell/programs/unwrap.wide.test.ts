import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { commandOf } from "../../../test/support/generators/command-words.ts";
import type { SimpleCommand } from "../../core/command.ts";
import { createBudget } from "../syntax/budget.ts";
import { parseCommand } from "./parse-command.ts";
import { unwrap as unwrapKnown } from "./unwrap.ts";

const NOTHING = { commands: [], scripts: [], doubt: undefined, fault: undefined, runsUnknown: false };

function unwrap(command: SimpleCommand) {
  const { commands, ...rest } = unwrapKnown(parseCommand(command), createBudget());
  return { ...rest, commands: commands.map((known) => known.command) };
}

const textsOf = (text: string): readonly string[] =>
  unwrap(commandOf(text)).commands.map(({ words }) =>
    words
      .map((word) => word.text)
      .join(" ")
      .trim(),
  );
const scriptsOf = (text: string): readonly string[] =>
  unwrap(commandOf(text)).scripts.map((script) => script.text.text);

for (const text of [
  "env rm -rf x",
  "env -i -u HOME A=1 B=2 rm -rf x",
  "env - rm -rf x",
  "env -C sub rm -rf x",
  "env --chdir=sub -- rm -rf x",
  "env -S 'rm -rf x'",
  "env '-S rm -rf' x",
  "env -vS 'A=1 rm -rf x'",
  "sudo rm -rf x",
  "sudo -u a rm -rf x",
  "sudo -nEu a -g b A=1 rm -rf x",
  "sudo --user=a -- rm -rf x",
  "doas -u a rm -rf x",
  "timeout 5 rm -rf x",
  "timeout -k 2 -s KILL 5s rm -rf x",
  "nice rm -rf x",
  "nice -n 3 rm -rf x",
  "nice -19 rm -rf x",
  "ionice -c3 rm -rf x",
  "nohup rm -rf x",
  "setsid -w rm -rf x",
  "stdbuf -oL rm -rf x",
  "time -p rm -rf x",
  "chroot /mnt rm -rf x",
  "unshare -r --net rm -rf x",
  "nsenter -t 1 -m rm -rf x",
  "strace -f -o log rm -rf x",
  "ltrace -f rm -rf x",
  "busybox rm -rf x",
  "toybox rm -rf x",
  "command rm -rf x",
  "command -p rm -rf x",
  "builtin rm -rf x",
  "exec -a name rm -rf x",
  "flock /tmp/lock rm -rf x",
  "flock -n /tmp/lock -- rm -rf x",
  "systemd-run --user --scope rm -rf x",
  "taskset -c 0 rm -rf x",
  "chrt -f 10 rm -rf x",
  "runuser -u bob -- rm -rf x",
  "git bisect run rm -rf x",
  "docker run --rm -it image rm -rf x",
  "docker exec -u root box rm -rf x",
  "docker compose -f a.yml exec web rm -rf x",
  "podman run -e A=1 image rm -rf x",
  "kubectl exec -it pod -c web -- rm -rf x",
  "npx -y rm -rf x",
  "npm exec -- rm -rf x",
  "pnpm dlx rm -rf x",
  "yarn dlx rm -rf x",
  "bunx rm -rf x",
  "uvx rm -rf x",
  "pipx run rm -rf x",
  "uv run -- rm -rf x",
  "poetry run rm -rf x",
  "bundle exec rm -rf x",
  "cross-env A=1 rm -rf x",
  "direnv exec . rm -rf x",
  "ip netns exec blue rm -rf x",
  "perf stat rm -rf x",
  "watch -x rm -rf x",
  "/usr/bin/env rm -rf x",
]) {
  test(`${text} starts rm -rf x`, () => {
    assert.deepEqual(textsOf(text), ["rm -rf x"]);
    assert.equal(unwrap(commandOf(text)).doubt, undefined);
  });
}

for (const [text, ...expected] of [
  ["bash -c 'rm -rf x'", "rm -rf x"],
  ["bash -lc 'rm -rf x'", "rm -rf x"],
  ["bash -ec 'rm -rf x'", "rm -rf x"],
  ["bash -euo pipefail -c 'rm -rf x'", "rm -rf x"],
  ["bash -oc pipefail 'rm -rf x'", "rm -rf x"],
  ["bash -c -e 'rm -rf x'", "rm -rf x"],
  ["bash +x --norc --rcfile f -c 'rm -rf x' name a", "rm -rf x"],
  ["sh -c 'rm -rf x'", "rm -rf x"],
  ["zsh -fc 'rm -rf x'", "rm -rf x"],
  ["dash -c 'rm -rf x'", "rm -rf x"],
  ["fish --command='rm -rf x'", "rm -rf x"],
  ["fish -C 'rm -rf y' -c 'rm -rf x'", "rm -rf y", "rm -rf x"],
  ["eval rm -rf x", "rm -rf x"],
  ["trap 'rm -rf x' EXIT", "rm -rf x"],
  ["ssh -p 22 host rm -rf x", "rm -rf x"],
  ["ssh host -p 22 rm -rf x", "rm -rf x"],
  ["su -c 'rm -rf x' bob", "rm -rf x"],
  ["su - bob --command='rm -rf x'", "rm -rf x"],
  ["script -qc 'rm -rf x' out", "rm -rf x"],
  ["flock f -c 'rm -rf x'", "rm -rf x"],
  ["watch -n 1 rm -rf x", "rm -rf x"],
  ["entr -s 'rm -rf x'", "rm -rf x"],
  ["git rebase -x 'rm -rf x' main", "rm -rf x"],
  ["git rebase --exec='rm -rf x' main", "rm -rf x"],
  ["git submodule foreach rm -rf x", "rm -rf x"],
  ["git filter-branch --tree-filter 'rm -rf x' HEAD", "rm -rf x"],
  ["git difftool -x 'rm -rf x'", "rm -rf x"],
  ["npm exec -c 'rm -rf x'", "rm -rf x"],
  ["sort --compress-program='rm -rf x' f", "rm -rf x"],
  ["rg --pre 'rm -rf x' y", "rm -rf x"],
  ["tar -I 'rm -rf x' -xf a", "rm -rf x"],
  ["rsync -e 'rm -rf x' a b", "rm -rf x"],
  ["concurrently 'rm -rf x' 'rm -rf y'", "rm -rf x", "rm -rf y"],
  ["make --eval='rm -rf x' all", "rm -rf x"],
  ["sudo sh -c 'rm -rf x'", "rm -rf x"],
] as const) {
  test(`${text} passes to a shell: ${expected.join(" and ")}`, () =>
    assert.deepEqual(scriptsOf(text), expected));
}

for (const text of [
  "git -c alias.x='!rm -rf x' x",
  "git -c core.pager='rm -rf x' log",
  "tar --checkpoint-action=exec='rm -rf x' -cf a b",
  "ssh -o 'ProxyCommand rm -rf x' host ls",
  "ssh -oProxyCommand='rm -rf x' host ls",
  "alias ll='rm -rf x'",
  "parallel rm -rf x",
  "parallel ::: 'rm -rf x'",
  "make SHELL='rm -rf x' all",
]) {
  test(`among the texts of ${text} is rm -rf x`, () => assert.ok(scriptsOf(text).includes("rm -rf x")));
}

for (const [text, expected] of [
  ["xargs rm -rf", "rm -rf"],
  ["xargs -0 -n1 -P 4 rm -rf", "rm -rf"],
  ["xargs -I Z rm -rf Z/a", "rm -rf Z/a"],
  ["find . -exec rm -rf {} +", "rm -rf {}"],
  ["find . -name x -execdir rm -rf {} ;", "rm -rf {}"],
  ["find . -ok rm -rf a/{} ; -print", "rm -rf a/{}"],
  ["fd x -x rm -rf", "rm -rf"],
  ["fd x --exec-batch rm -rf {}", "rm -rf {}"],
] as const) {
  test(`${text} starts ${expected} with unknown arguments`, () => {
    const [started] = unwrap(commandOf(text)).commands;
    assert.equal(
      started?.words
        .map((word) => word.text)
        .join(" ")
        .trim(),
      expected,
    );
    assert.ok(started?.words.some(({ literal }) => !literal));
  });
}

test("find starts each of its commands", () => {
  assert.deepEqual(textsOf("find . -exec ls {} ; -exec rm {} +"), ["ls {}", "rm {}"]);
});

for (const text of [
  "sudo --unheard-of rm -rf x",
  "sudo --unheard-of value rm -rf x",
  "timeout -Q 5 rm -rf x",
  "sudo $options rm -rf x",
  "timeout $seconds rm -rf x",
  "env $assignments rm -rf x",
  "bash -c '\"$@\"' name rm -rf x",
]) {
  test(`${text} is doubted, and rm -rf x is still found`, () => {
    assert.ok(textsOf(text).includes("rm -rf x"), textsOf(text).join(" | "));
    assert.notEqual(unwrap(commandOf(text)).doubt, undefined);
  });
}

for (const text of [
  "$program -rf x",
  "bash",
  "sh -s",
  "sudo -s",
  "ssh host",
  "source x.sh",
  ". ./x.sh",
  "alias ls=rm",
  "export PATH=/x",
  "hash -p /x/git git",
  "git $subcommand",
  "bash $options",
  "env -S 'rm ${X}'",
  "pwsh -Command ls",
]) {
  test(`${text} is doubted`, () => assert.notEqual(unwrap(commandOf(text)).doubt, undefined));
}

test("setting a variable for later commands is doubted", () => {
  assert.notEqual(
    unwrap(commandOf("", { assignments: [{ text: "PATH=/x", literal: true }] })).doubt,
    undefined,
  );
});

for (const text of [
  "ls -la",
  "git diff",
  "rm -rf x",
  "command -v ls",
  "bash --version",
  "bash x.sh",
  "echo sudo rm",
  "timeout 5",
]) {
  test(`${text} starts nothing and is not doubted`, () => {
    assert.deepEqual(unwrap(commandOf(text)), NOTHING);
  });
}

test("a started command inherits the origin, the variables and the folder", () => {
  const outer = commandOf("sudo -D /srv env A=1 -C sub rm x", {
    via: ["eval"],
    assignments: [{ text: "B=2", literal: true }],
  });
  const inner = unwrap({ ...outer, words: commandOf("sudo -D /srv env -C sub A=1 rm x").words }).commands.at(
    -1,
  );
  assert.deepEqual(inner?.via, ["eval", "sudo", "env"]);
  assert.deepEqual(
    inner.assignments.map(({ text }) => text),
    ["B=2", "A=1"],
  );
  assert.deepEqual(inner.cwds, ["/srv/sub"]);
});

test("an unknown folder or another machine gives no folder", () => {
  assert.deepEqual(unwrap(commandOf("env -C $dir rm x")).commands[0]?.cwds, []);
  assert.deepEqual(unwrap(commandOf("ssh host rm x")).scripts[0]?.cwds, []);
  assert.deepEqual(unwrap(commandOf("docker exec box rm x")).commands[0]?.cwds, []);
});

const WRAPPERS = [
  "sudo",
  "sudo -u a",
  "env",
  "env -i A=1",
  "timeout -s KILL 5",
  "nice -n 3",
  "nohup",
  "setsid",
  "stdbuf -o0",
  "time",
  "xargs -n1",
  "busybox",
  "command",
  "strace -f",
  "npx -y",
  "flock l",
  "docker run --rm i",
  "/usr/bin/env",
];

test("the innermost command is found in any nesting of wrappers", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WRAPPERS), { minLength: 1, maxLength: 12 }), (wrappers) => {
      const { commands } = unwrap(commandOf(`${wrappers.join(" ")} rm -rf x`));
      assert.equal(commands.length, wrappers.length);
      assert.deepEqual(
        commands
          .at(-1)
          ?.words.slice(0, 3)
          .map(({ text }) => text),
        ["rm", "-rf", "x"],
      );
      assert.equal(commands.at(-1)?.via.length, wrappers.length);
    }),
  );
});

test("a thousand wrappers are too many to find every command, and cost no more than the budget", () => {
  const { fault, commands } = unwrap(commandOf(`${"sudo --odd ".repeat(1_000)} rm`));
  assert.notEqual(fault, undefined);
  assert.ok(commands.length < 1_000, String(commands.length));
});

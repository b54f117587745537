import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../test/support/generators/command-words.ts";
import { mayTakeCommand, ownWords } from "./started-words.ts";

/** The last word of a runner's own; undefined if all are. */
const RUNNERS: Readonly<Record<string, string | undefined>> = {
  "lerna exec rm x": "exec",
  "nx execute rm x": "execute",
  "bun x rm x": "x",
  "pnpm dlx rm x": "dlx",
  "cargo run rm": "run",
  "cargo watch rm": "watch",
  "podman unshare rm x": "unshare",
  "cmake -E env rm x": "-E",
  "fab -- rm x": "--",
  "just -c rm x": "-c",
  "just --command rm x": "--command",
  "just --shell rm x": "--shell",
  "fd --exec rm": "--exec",
  "cargo watch-x -x rm": "-x",
  "npm --call rm": "--call",
  "docker rm y": undefined,
  "npm rm y": undefined,
  "make -C y rm": undefined,
  "exec rm": undefined,
  "docker --execx rm": undefined,
  "docker -cx rm": undefined,
};

for (const [line, expected] of Object.entries(RUNNERS)) {
  test(`a command may follow ${expected ?? "no word"} in ${line}`, () => {
    const command = commandOf(line);
    const own = ownWords(command.words[0]?.text, command, true);
    assert.equal(own.length === command.words.length ? undefined : own.at(-1)?.text, expected);
    assert.ok(mayTakeCommand(command.words[0]?.text, command, true));
  });
}

for (const line of [
  "git remote-ext o rm",
  "git merge-index rm x",
  "git submodule--helper foreach rm",
  "git for-each-repo --config=a.b rm",
  "git instaweb -b rm",
  "git daemon --access-hook=rm",
  "git fetch-pack --upload-pack=rm .",
  "git send-pack --exec=rm .",
  "git hook run x",
  "git --config-env=alias.x=V x",
  "gcloud compute ssh x --command=rm",
  "aws ssm start-session",
  "doppler run --command=rm",
  "glab alias set x y",
]) {
  test(`${line} may take a command`, () => {
    const command = commandOf(line);
    assert.ok(mayTakeCommand(command.words[0]?.text, command, false));
  });
}

for (const line of [
  "ls exec rm",
  "git rm x",
  "git log -- daemonx",
  "git log xdaemon",
  "tar x rm",
  "grep -c rm x",
  "cp run rm",
]) {
  test(`${line} takes no command`, () => {
    const command = commandOf(line);
    assert.ok(!mayTakeCommand(command.words[0]?.text, command, false));
    assert.deepEqual(ownWords(command.words[0]?.text, command, false), command.words);
  });
}

test("later options without a value are words of the runner", () => {
  const texts = ownWords("npm", commandOf("npm run my-rm --no-rm --x=rm"), true).map(({ text }) => text);
  assert.deepEqual(texts, ["npm", "run", "--no-rm"]);
});

test("a variable before a command may be a command", () => {
  const assignments = [{ text: "RUSTC_WRAPPER=rm", literal: true }];
  assert.ok(mayTakeCommand("ls", commandOf("ls", { assignments }), false));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../../test/support/generators/command-words.ts";
import { findDisaster } from "./disasters.ts";

const find = (...texts: readonly string[]): string => {
  const found = findDisaster(
    texts.map((text) => commandOf(text)),
    texts.join("; "),
  );
  return found === undefined ? "none" : `${found.decision} ${found.id.replace("disaster.", "")}`;
};

/** Commands one character or option away from a disaster, or from a harmless one. */
const NEAR = [
  ["kill -s 1 500", "none"],
  ["kill -n 1 500", "none"],
  ["kill x-n 1", "deny kill-everything"],
  ["kill -sx 1", "deny kill-everything"],
  ["kill -0 1", "none"],
  ["kill -l 1", "none"],
  ["kill x-l 1", "deny kill-everything"],
  ["kill -lx 1", "deny kill-everything"],
  ["mkswap x", "deny format"],
  ["xmkswap x", "none"],
  ["mkswapx x", "none"],
  ["find / -execrmx rmx ;", "none"],
  ["find / x-delete", "none"],
  ["find . -delete", "none"],
  ["find ./ -delete", "none"],
  ["find / -Px -delete", "deny remove-system"],
  ["find a / -delete", "deny remove-system"],
  ["find / -O12 -delete", "deny remove-system"],
  ["find -O12 / -delete", "deny remove-system"],
  ["find x-P -delete", "none"],
  ["find -Ox / -delete", "none"],
  ["find a -newer / -delete", "none"],
  ["find .. -delete", "deny remove-system"],
  ["find ./.. -delete", "deny remove-system"],
  ["mv ../.. x", "deny remove-system"],
  ["mv ./.. x", "deny remove-system"],
  ["chmod -R 777 ..", "deny change-system-rights"],
  ["chmod -R 777 ./..", "deny change-system-rights"],
  ["find / -namex y -delete", "deny remove-system"],
  ["mv . x", "none"],
  ["mv ./ ../ x", "none"],
  ["mv ..x /etc y", "deny remove-system"],
  ["chmod -R 777 .", "none"],
  ["chmod -R 777 ./", "none"],
  ["chmod -R / x", "none"],
  ["chmod -R --reference=/ x", "none"],
  ["tee a dev/x", "none"],
] as const;

for (const [text, expected] of NEAR)
  test(`${text} gets: ${expected}`, () => assert.equal(find(text), expected));

test("a disaster that is denied comes before one that needs approval", () => {
  assert.equal(find("rm -rf *", "rm -rf /"), "deny remove-system");
  assert.equal(find("rm -rf *", "ls"), "ask remove-everything-here");
});

test("one of several redirects to a disk is enough", () => {
  const to = (...texts: readonly string[]) =>
    commandOf("echo x", {
      redirects: texts.map((text) => ({ access: "write", target: { text, literal: true } }) as const),
    });
  assert.equal(findDisaster([to("a", "/dev/sda")], "")?.id, "disaster.write-disk");
  assert.equal(findDisaster([to("a", "b")], ""), undefined);
});

for (const [texts, isAsked] of [
  [["curl https://x", "bash a $x"], true],
  [["curl https://x", "python3 -c x"], false],
  [["curl https://x", "python3 -"], true],
  [["curl https://x", "python3 a -s"], true],
  [["curl https://x", "python3 -ab"], true],
  [["curl https://x", "python3 -a1"], false],
  [["curl https://x", "python3 a--b"], false],
  [["curl https://x", "python3 --x"], true],
  [["curl https://x", "unset a"], false],
] as const)
  test(`${texts.join(" | ")} ${isAsked ? "may run" : "does not run"} a download`, () => {
    assert.equal(find(...texts), isAsked ? "ask download-to-shell" : "none");
  });

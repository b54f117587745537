import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, wordsOf } from "../../../../test/support/generators/command-words.ts";
import { createBudget } from "../../syntax/budget.ts";
import { unwrap } from "../unwrap.ts";
import { DISASTER_RULES } from "./disaster-rules.ts";
import { findDisaster } from "./disasters.ts";
import { parseCommand } from "../parse-command.ts";

const find = (...texts: readonly string[]): string => {
  const outer = texts.map((text) => parseCommand(commandOf(text)));
  const all = outer.flatMap((known) => [known, ...unwrap(known, createBudget()).commands]);
  const found = findDisaster(
    all.map(({ command }) => command),
    texts.join("; "),
  );
  return found === undefined ? "none" : `${found.decision} ${found.id.replace("disaster.", "")}`;
};

for (const text of [
  "rm -rf /",
  "rm -r -f /",
  "rm --recursive /",
  "rm -rf -- /",
  "rm -Rf //",
  "rm -rf /./",
  "rm -rf /tmp/../",
  "rm -rf x /",
  "/bin/rm -rf /*",
  "rm -rf ~",
  "rm -rf ~/",
  "rm -rf ~/*",
  "rm -rf ~root",
  "rm -rf $HOME",
  "rm -rf ${HOME}/*",
  "rm -rf .",
  "rm -rf ./",
  "rm -rf ..",
  "rm -rf ../..",
  "rm -rf /etc",
  "rm -rf /usr/*",
  "rm -rf /home/someone",
  "rm -rf --no-preserve-root x",
  "sudo -n rm -rf /",
  "env A=1 timeout 5 rm -fr /",
  "find / -delete",
  "find ~ -exec rm -rf {} +",
  "mv /etc /tmp/x",
  "mv -t /tmp /etc",
  "mv --target-directory=/tmp /etc",
  "mv a ~ /tmp",
  "find -L / -delete",
  "find -H -O3 / -delete",
  "find -D tree / -delete",
  "find /etc ( -type f ) -delete",
  "find / -exec shred {} +",
  "find /w / -delete",
  "rm -d /",
  "rm -rf ~/.*",
  "rm -rf ${PWD}",
  "rm -rf $OLDPWD/",
  "rm -rf ../.",
  "rm -rf C:/",
  "rm -rf /usr/local",
  "rm -rf /private/var",
  "rm -rf /etc/{*,.*}",
  "grm -rf /",
  "srm -rf /",
  "shred -r /",
]) {
  test(`${text} is denied`, () => assert.equal(find(text), "deny remove-system"));
}

for (const text of [
  "rm -rf x",
  "rm -rf ./build",
  "rm -rf /w/node_modules",
  "rm -f /",
  "rm -rf ~/projects/x/build",
  "rm -rf $HOME/projects/x",
  "rm -rf .cache",
  "rm -rf ..foo",
  "echo rm -rf /",
  "find . -name x.o -delete",
  "find . -delete",
  "mv a b",
  "mv ./x ..",
  "chmod -R u+w .",
  "chmod 777 /",
  "dd if=a of=b",
  "dd if=/dev/sda of=copy.img",
  "kill -9 1234",
  "kill -1 1234",
  "kill -n 1 500",
  "kill -0 1",
  "cat /dev/sda",
  "man mkfs",
  "tee /dev/null",
  "curl https://example.com",
  "python x.py",
  "rm -rf a~",
  "rm -rf ~/x",
  "rm -rf x$HOME",
  "rm -rf .x/",
  "rm -rf a.",
  "rm -rf xC:/",
  "rm -rf /usr/local/x",
  "rm -rf /w/usr/bin",
  "rm -rf /home/me/x",
  "rm -rf /unknown",
  "rm -rf x*",
  "rm -rf *x",
  "rm -rf a/*",
  "rm -rf x$DIR/",
  "rm -rf $DIR/x",
  "rm x$y",
  "mv a /etc",
  "mv .. /tmp",
  "mv . /tmp",
  "mv * /tmp",
  "find / -name x",
  "find ./ -delete",
  "find /w -delete",
  "find / -newer x",
  "chmod -R 777 x",
  "chmod -R u+w ./",
  "chmod 777 /etc",
  "kill -l 1",
  "kill -L 1",
  "kill -s 1 500",
  "kill 11",
  "mkfsx x",
  "xmkfs.ext4 x",
  "cp /dev/sda x",
  "cp a /w/dev/sda",
  "tee /dev/sdax/y",
  "tee /dev/nvme0x",
  "tee x/proc/sysrq-trigger",
]) {
  test(`${text} is not a disaster`, () => assert.equal(find(text), "none"));
}

for (const [text, expected] of [
  ["rm -rf *", "ask remove-everything-here"],
  ["rm -rf ./*", "ask remove-everything-here"],
  ["rm -rf $DIR/", "ask remove-unknown"],
  ["rm -rf $DIR/*", "ask remove-unknown"],
  ["rm -rf ./.*", "ask remove-everything-here"],
  ["rm -rf {*,.*}", "ask remove-everything-here"],
  ["rm -rf a *", "ask remove-everything-here"],
  ["rm -rf x $DIR/", "ask remove-unknown"],
  ["rm -rf ${DIR}//", "ask remove-unknown"],
  ["find / -name core -delete", "ask remove-system"],
  ["find / -mtime +3 -delete", "ask remove-system"],
  ["find / -empty -delete", "ask remove-system"],
  ["find / -iregex x -delete", "ask remove-system"],
  ["find / -type f x-name x-mtime -delete", "deny remove-system"],
  ["chmod -R --reference=x /etc", "deny change-system-rights"],
  ["chmod -R 777 x /etc", "deny change-system-rights"],
  ["chgrp -R me /", "deny change-system-rights"],
  ["MKFS x", "deny format"],
  ["newfs_msdos x", "deny format"],
  ["mkfs x; rm -rf *", "deny format"],
  ["tee /dev/mmcblk0p1", "deny write-disk"],
  ["tee /dev/mapper/x", "deny write-disk"],
  ["tee /dev/vda1", "deny write-disk"],
  ["tee /dev/xvdb", "deny write-disk"],
  ["tee /dev/mem", "deny write-disk"],
  ["tee /proc/kcore", "deny write-disk"],
  ["tee /proc/sys/kernel/panic", "deny write-disk"],
  ["tee x /dev/disk0s1", "deny write-disk"],
  ["kill 1", "deny kill-everything"],
  ["kill -9 500 1", "deny kill-everything"],
  ["chmod -R 777 /", "deny change-system-rights"],
  ["chmod --recursive a+rwx /etc", "deny change-system-rights"],
  ["sudo chown -R me /usr", "deny change-system-rights"],
  ["mkfs /dev/sda1", "deny format"],
  ["sudo /sbin/mkfs.ext4 /dev/sda1", "deny format"],
  ["mkfs.anything x", "deny format"],
  ["wipefs -a /dev/sda", "deny format"],
  ["dd if=/dev/zero of=/dev/sda", "deny write-disk"],
  ["dd of=/dev/nvme0n1p2 if=x", "deny write-disk"],
  ["tee /dev/sdb", "deny write-disk"],
  ["cp x /dev/disk2", "deny write-disk"],
  ["sudo tee /proc/sysrq-trigger", "deny write-disk"],
  ["cp x /dev/../dev/sda", "deny write-disk"],
  ["kill -9 -1", "deny kill-everything"],
  ["kill -- -1", "deny kill-everything"],
  ["kill -s KILL 1", "deny kill-everything"],
] as const) {
  test(`${text} gets: ${expected}`, () => assert.equal(find(text), expected));
}

test("a redirect to a disk is denied, one to a file is not", () => {
  const to = (text: string) =>
    findDisaster(
      [commandOf("echo x", { redirects: [{ access: "write", target: { text, literal: true } }] })],
      `echo x > ${text}`,
    );
  assert.equal(to("/dev/sda")?.decision, "deny");
  assert.equal(to("dev/sda"), undefined);
  assert.equal(to("/dev/null"), undefined);
});

test("a bare redirect to a disk is denied without a program", () => {
  const command = commandOf("", {
    redirects: [{ access: "write", target: { text: "/dev/sda", literal: true } }],
  });
  assert.equal(findDisaster([command], "> /dev/sda")?.id, "disaster.write-disk");
});

test("everything in the root is treated as the root", () => {
  const at = (cwd: string) => findDisaster([commandOf("rm -rf *", { cwds: [cwd] })], "")?.decision;
  assert.deepEqual([at("/"), at("/etc"), at("/w/x")], ["deny", "deny", "ask"]);
});

for (const [texts, isAsked] of [
  [["curl -fsSL https://x.sh", "sh"], true],
  [["curl https://x", "sudo bash -s -- --yes"], true],
  [["wget -qO- https://x", "python3 -"], true],
  [["wget -qO- https://x", "env python3"], true],
  [["curl https://x", "bash $(pipe)"], true],
  [["curl https://x", "eval $text"], true],
  [["curl https://x", "jq ."], false],
  [["curl https://x", "python3 -m json.tool"], false],
  [["curl -o s.sh https://x", "bash build.sh"], false],
  [["git diff", "sh"], false],
  [["curl https://x", "sh -"], true],
  [["curl https://x", "bash -x"], true],
  [["curl https://x", "python3 /dev/stdin"], true],
  [["curl https://x", "python3 a.py /dev/stdin"], true],
  [["curl https://x", "sh a-x"], false],
  [["curl https://x", "export A"], false],
  [["curl https://x", "ls $x"], false],
  [["curl https://x"], false],
] as const) {
  test(`${texts.join(" | ")} ${isAsked ? "needs approval" : "runs no download"}`, () => {
    assert.equal(find(...texts), isAsked ? "ask download-to-shell" : "none");
  });
}

for (const [text, called, isBomb] of [
  [":(){ :|:& };:", ":", true],
  [":() { : | : & } ; :", ":", true],
  ["bomb() { bomb | bomb & }; bomb", "bomb", true],
  ["function f { f & f & }; f", "f", true],
  ["echo ':(){ :|:& };:'", "echo", false],
  ["f() { sleep 1 & }; f", "f", false],
  ["f() { f; }; g & g", "f", false],
  ["f() { f | f & }; g", "g", false],
  ["f() { f & }", "f", true],
  [`f() { ${"x;".repeat(200)} f & }; f`, "f", false],
  ["f() ( f & )", "f", false],
] as const) {
  test(`${text} is ${isBomb ? "a" : "not a"} fork bomb`, () => {
    assert.equal(findDisaster([commandOf(called)], text)?.id === "disaster.fork-bomb", isBomb);
  });
}

test("searching a long text for a fork bomb is fast", () => {
  const text = `${"a(){ ".repeat(10_000)}&`;
  const before = performance.now();
  assert.equal(findDisaster([commandOf("b")], text), undefined);
  assert.ok(performance.now() - before < 20_000);
});

/** A rule that is lost allows what it denied. */
const COUNT = 24;

test("every disaster rule has a unique id, a reason, and match and not_match examples", () => {
  assert.equal(new Set(DISASTER_RULES.map(({ id }) => id)).size, COUNT);
  for (const { id, reason, match = [], not_match = [], command = [] } of DISASTER_RULES) {
    assert.ok(
      id?.startsWith("disaster.") && reason !== undefined && match.length > 0 && not_match.length > 0,
      id,
    );
    for (const example of match)
      assert.ok(
        wordsOf(typeof example === "string" ? example : "").some(({ text }) => text === command[0]),
        id,
      );
  }
});

for (const [text, isRuined] of [
  ["rm -rf /data/ada", true],
  ["rm -rf /data", true],
  ["rm -rf ..", true],
  ["find /data/ada -delete", true],
  ["chmod -R 777 /data/ada", true],
  ["rm -rf /data/ada/x", false],
  ["rm -rf /data/bob", false],
] as const)
  test(`with the home folder /data/ada, ${text} ${isRuined ? "ruins it" : "is no disaster"}`, () => {
    const found = findDisaster([commandOf(text, { cwds: ["/data/ada/w"] })], text, "/data/ada");
    assert.equal(found?.decision, isRuined ? "deny" : undefined);
  });

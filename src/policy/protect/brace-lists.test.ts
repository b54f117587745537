import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeShell } from "../../../test/support/engines/judge-shell.ts";
import { mayBecomeProtected, mayExpandTo } from "./protected.ts";

const list = (count: number, last: string): string =>
  `{${Array.from({ length: count }, (_, index) => `a${index}`).join(",")},${last}}`;

for (const count of [1, 30, 300, 3000])
  test(`the last of ${count + 1} alternatives in braces is judged, or the command needs approval`, async () => {
    for (const [command, rule] of [
      [`cat ${list(count, ".env")}`, "protected-read"],
      [`cp x ${list(count, ".git")}/hooks/x`, "protected-target"],
      [`cat ${list(count, "/x/y")}`, "workspace-boundary"],
      [`cat {a,b}${list(count, "/../../x/y")}`, "workspace-boundary"],
    ] as const) {
      const verdict = await judgeShell(command, [], "yolo");
      assert.equal(verdict.kind, "ask", verdict.reason);
      assert.equal(verdict.rule, count > 1000 ? "unreadable-command" : rule, verdict.reason);
    }
  });

test("many braces in a word need approval, a long sequence of numbers needs none", async () => {
  const nested = `cat ${"{a,".repeat(17)}.env${"}".repeat(17)}`;
  assert.equal((await judgeShell(nested, [], "yolo")).rule, "unreadable-command");
  assert.equal((await judgeShell("mkdir d{1..5000}", [], "yolo")).kind, "allow");
  assert.equal((await judgeShell("cat .en{a..z}", [], "yolo")).rule, "protected-read");
  assert.equal((await judgeShell("cat .{A..z}nv", [], "yolo")).rule, "protected-read");
});

test("a path that may expand to too many others may become a protected one; unmatched braces are literal", () => {
  assert.equal(mayBecomeProtected(`/w/${list(300, "x")}/a`), true);
  assert.equal(mayBecomeProtected(`/w/${list(200, "x")}/a`), false);
  assert.equal(mayBecomeProtected("/w/{.g*t/hooks/x"), false);
  assert.equal(mayBecomeProtected("/w/{/.g*t/hooks/x"), true);
  assert.equal(mayBecomeProtected("/w/a/.git/modules/sub/{hooks,x}/a"), true);
  assert.equal(mayBecomeProtected("/w/.git/hoo*"), true);
  assert.equal(mayBecomeProtected("/w/*git/hooks/x"), false);
  assert.equal(
    mayExpandTo("a", () => true),
    false,
  );
});

for (const name of ["a[", "[", "b\\", "a[b*", "a{[,b}"])
  test(`the invalid pattern ${name} is a name, and does not hide a protected one`, async () => {
    assert.equal(mayBecomeProtected(`/w/${name}/x`), false);
    assert.equal(mayBecomeProtected(`/w/${name}/.g*t/hooks/x`), true);
    assert.equal((await judgeShell(`ls '${name}'; cat .env*`, [], "yolo")).rule, "protected-read");
  });

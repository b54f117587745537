import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { describe, test, type TestContext } from "node:test";
import { AS_USER, USER, withoutUser } from "./ordinary-user.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import type { TriedKind } from "./try-escapes.ts";

const FEWEST = 150;
/** Of the sandbox as bubblewrap alone makes it: so many show that the attempts are real. */
const FEWEST_WITHOUT = 20;
/** What a kind does not refuse. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  // It makes sandboxes of its own with user namespaces; what is tried inside one begins with `nested`.
  browser: ["unshare user", "clone user", "unshare user with high bits"],
  // The engine's libseccomp may be older than this call, which does nothing without a capability.
  podman: ["call open_tree_attr"],
};

const isRoot = process.getuid?.() === 0;
const USERS = [
  { user: "root", line: [], skip: isRoot ? false : "the tests do not run as root" },
  { user: "an ordinary user", line: isRoot ? AS_USER : [], skip: isRoot && withoutUser() },
] as const;

/** Tries to get out of these kinds of sandboxes, as root and as an ordinary user; no attempt may succeed. */
export function sandboxEscapes(kinds: readonly string[]): void {
  for (const { user, line, skip } of USERS)
    describe(`attempts to get out of sandboxes as ${user}`, { skip }, async () => {
      let tried: readonly TriedKind[] = [];
      test("are made", (t) => {
        tried = tryAll(t, kinds, line);
        assert.ok(tried.length > 0);
      });
      for (const kind of kinds)
        test(`${kind}: none succeeds`, (t) => {
          const found = tried.find((one) => one.kind === kind);
          assert.ok(found, `${kind} was tried`);
          const { reason, attempts = [], printed } = found;
          if (reason !== undefined) return t.skip(reason);
          assert.ok(attempts.length >= FEWEST, printed);
          const isExpected = (name: string): boolean => EXPECTED[kind]?.includes(name) === true;
          const succeeded = attempts.filter(([name, isDone]) => isDone && !isExpected(name));
          t.diagnostic(`${attempts.length} attempts, ${succeeded.length} succeeded`);
          assert.deepEqual(
            succeeded.map(([name]) => name),
            [],
            printed,
          );
        });
      test("the attempts succeed where nothing prevents them", (t) => {
        const { attempts = [], reason } = tried.find(({ kind }) => kind === "control") ?? {};
        if (reason !== undefined) return t.skip(reason);
        assert.ok(attempts.filter(([, isDone]) => isDone).length >= FEWEST_WITHOUT);
      });
    });
}

function tryAll(t: TestContext, kinds: readonly string[], line: readonly string[]): readonly TriedKind[] {
  const home = temporaryFolder(t);
  if (line.length > 0) chownSync(home, USER, USER);
  const [file = "", ...args] = [...line, process.execPath, "test/support/sandboxes/try-escapes.ts", ...kinds];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: "/tmp", CI: process.env["CI"] ?? "" };
  const { stdout, stderr } = spawnSync(file, args, { encoding: "utf8", env, maxBuffer: 64 * 1024 * 1024 });
  const output = stdout.trim().split("\n").at(-1) ?? "";
  assert.match(output, /^\[/, stderr);
  return JSON.parse(output) as readonly TriedKind[];
}

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HOME } from "../../../test/support/engines/policy-jobs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { SimpleCommand } from "../../core/command.ts";
import { findsProtected } from "./finds-protected.ts";

function search(cwd: string, text = "grep -r x"): SimpleCommand {
  const words = text.split(" ").map((word) => ({ text: word, literal: true }));
  return { words, assignments: [], redirects: [], cwds: [cwd], via: [] };
}

test("a search finds protected files only in a folder that has them; a folder that does not exist has none", async (t) => {
  const root = temporaryFolder(t);
  for (const name of ["clean", "secret"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "clean/a.ts"), "x");
  writeFileSync(join(root, "secret/.env"), "x");
  const finds = (name: string, text?: string) => findsProtected([search(join(root, name), text)], HOME);
  assert.deepEqual(await Promise.all(["clean", "secret", "missing"].map((name) => finds(name))), [
    false,
    true,
    false,
  ]);
  assert.equal(
    await findsProtected([search(join(root, "missing")), search(join(root, "secret"))], HOME),
    true,
  );
  assert.equal(await finds("secret", "grep x a"), false);
});

test("what is no folder, or cannot be looked at, counts as one with protected files", async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(join(root, "file"), "x");
  assert.equal(await findsProtected([search(join(root, "file"))], HOME), true);
  assert.equal(await findsProtected([search(join(root, "file/sub"))], HOME), true);
});

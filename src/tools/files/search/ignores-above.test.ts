import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { hasIgnoresAbove } from "./list-files.ts";

for (const name of [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"]) {
  test(`a ${name} in a parent folder can have rules for a folder, one in the folder itself does not count`, (context) => {
    const root = temporaryFolder(context);
    const folder = join(root, "a", "b");
    mkdirSync(folder, { recursive: true });
    const write = (place: string): void => {
      mkdirSync(join(place, ".git/info"), { recursive: true });
      writeFileSync(join(place, name), "*.log\n");
    };
    write(folder);
    const before = hasIgnoresAbove(folder);
    write(root);
    assert.equal(hasIgnoresAbove(folder), true);
    assert.equal(before, hasIgnoresAbove(root));
  });
}

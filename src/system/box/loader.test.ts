import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withoutBoxes } from "../../../test/support/sandboxes/boxes.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findProgram } from "./find-program.ts";
import { copyLoader, throughLoader } from "./loader.ts";

/** Prints whether a program that it starts can read its environment and its memory. */
const INSPECTED = `
const script = 'for one in environ mem; do (exec 3< /proc/' + process.pid + '/$one) 2> /dev/null && echo reads $one; done; echo done';
process.stdout.write(require("node:child_process").execFileSync("sh", ["-c", script]));`;
const CREATOR = findProgram("bwrap", "/usr/bin:/bin") ?? "";
const BARE = "--unshare-all --die-with-parent --cap-drop ALL --ro-bind / / --proc /proc --dev /dev".split(
  " ",
);

test(
  "a process that was started through a copy of the loader cannot be read by those that it starts",
  { skip: withoutBoxes },
  (t) => {
    const program = { file: process.execPath, args: ["-e", INSPECTED], cwd: "/", environment: {} };
    const inspect = ({ file, args }: Pick<typeof program, "file" | "args">): string =>
      spawnSync(CREATOR, [...BARE, file, ...args], { encoding: "utf8" }).stdout;
    assert.equal(inspect(program), "reads environ\nreads mem\ndone\n");
    const { file, args } = throughLoader(program, temporaryFolder(t));
    assert.equal(inspect({ file, args: [...args] }), "done\n");
  },
);

test("a program that has no loader, or cannot be read, is started as it is", (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "script"), "#!/bin/sh\n");
  mkdirSync(join(folder, "folder"));
  for (const name of ["script", "folder", "nothing"])
    assert.equal(copyLoader(join(folder, name), folder), undefined);
});

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { seatbeltProfile } from "./seatbelt.ts";

test("the rules of a macOS sandbox hide the home, then show what is readable, then hide secrets", (t) => {
  const home = temporaryFolder(t);
  const file = join(home, ".gitconfig");
  writeFileSync(file, "");
  const program = { file: "ls", args: [], cwd: join(home, "a"), environment: { HOME: home } };
  const box = { workspace: [], readable: [file, join(home, 'q"q')], hidden: [join(home, "a/.state")] };
  const lines = seatbeltProfile(program, { ...box, hasNetwork: false }).split("\n");
  const order = [
    "(deny default)",
    `(deny file-read* (subpath "${home}"))`,
    `(allow file-read* (literal "${file}"))`,
    `(allow file-read* (subpath "${home}/q\\"q"))`,
    `(allow file-read* (subpath "${home}/a"))`,
    `(deny file-read* file-write* (subpath "${home}/a/.state"))`,
    "(deny network*)",
  ].map((line) => lines.indexOf(line));
  assert.ok(order.every((index) => index >= 0));
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.equal(lines.filter((line) => line.includes("allow file-read* file-write*")).length, 0);
});

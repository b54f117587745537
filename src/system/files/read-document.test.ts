import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readDocument, readSmallFile } from "./read-document.ts";

const maxBytes = 1024;

test("a regular file is read up to the limit, and none is no error", (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "a");
  writeFileSync(file, "x".repeat(maxBytes));
  assert.equal(readDocument(file, { maxBytes })?.length, maxBytes);
  writeFileSync(file, "x".repeat(maxBytes + 1));
  assert.throws(() => readDocument(file, { maxBytes }), {
    code: "INVALID_INPUT",
    message: `${file} is over 1 KB`,
  });
  assert.equal(readDocument(join(folder, "none"), { maxBytes }), undefined);
  assert.equal(readDocument(join(file, "below"), { maxBytes }), undefined);
});

test("a link is followed, but not out of the folder that is given", (t) => {
  const [folder, outside] = [temporaryFolder(t), temporaryFolder(t)];
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep/a"), "inside");
  writeFileSync(join(outside, "a"), "outside");
  symlinkSync("deep/a", join(folder, "in"));
  symlinkSync(join(outside, "a"), join(folder, "out"));
  symlinkSync(outside, join(folder, "parent"));
  assert.equal(readDocument(join(folder, "in"), { maxBytes, folder })?.toString(), "inside");
  assert.equal(readDocument(join(folder, "out"), { maxBytes })?.toString(), "outside");
  for (const name of ["out", "parent/a"])
    assert.throws(() => readDocument(join(folder, name), { maxBytes, folder }), {
      message: `${join(folder, name)} is a link that leads out of ${folder}`,
    });
  assert.equal(readSmallFile(join(folder, "in"), maxBytes), undefined);
});

test("anything but a regular file is refused by its kind, without blocking", async (t) => {
  const folder = temporaryFolder(t);
  assert.equal(spawnSync("mkfifo", [join(folder, "pipe")]).status, 0);
  mkdirSync(join(folder, "folder"));
  const server = createServer().listen(join(folder, "socket"));
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  symlinkSync("/dev/zero", join(folder, "zero"));
  symlinkSync("/proc/self/pagemap", join(folder, "pagemap"));
  symlinkSync("loop", join(folder, "loop"));
  writeFileSync(join(folder, "sparse"), "");
  truncateSync(join(folder, "sparse"), 10 * 1024 ** 3);
  for (const [name, why] of [
    ["pipe", "is a named pipe, not a regular file"],
    ["folder", "is a folder, not a regular file"],
    ["socket", "is a socket, not a regular file"],
    ["zero", "is a device, not a regular file"],
    ["pagemap", "is a file of the kernel, not a regular file"],
    ["loop", "cannot be read (ELOOP)"],
    ["sparse", "is over 1 KB"],
  ] as const) {
    assert.throws(() => readDocument(join(folder, name), { maxBytes }), {
      message: `${join(folder, name)} ${why}`,
    });
    assert.equal(readSmallFile(join(folder, name), maxBytes), undefined);
  }
});

test("the caller's check sees the open file", (t) => {
  const file = join(temporaryFolder(t), "a");
  writeFileSync(file, "12345");
  const check = ({ size }: { readonly size: number }) => ({ why: `has ${size} bytes`, hint: "none" });
  assert.throws(() => readDocument(file, { maxBytes, check }), {
    message: `${file} has 5 bytes`,
    hint: "none",
  });
});

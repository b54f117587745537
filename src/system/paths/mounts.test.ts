import assert from "node:assert/strict";
import { test } from "node:test";
import { mountsUnder, parseMountPoints } from "./mounts.ts";

test("mount points of Linux are parsed", () => {
  const text = [
    "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
    "23 22 0:20 / /mnt/with\\040blank\\011tab\\134 rw - tmpfs tmpfs rw",
    "",
  ].join("\n");
  assert.deepEqual(parseMountPoints(text), ["/", "/mnt/with blank\ttab\\"]);
});

test(
  "mount points at and below a path are found, and no others",
  { skip: process.platform === "linux" ? false : "only Linux lists them" },
  async () => {
    assert.ok((await mountsUnder("/")).includes("/proc"));
    assert.ok((await mountsUnder("/proc")).includes("/proc"));
    assert.deepEqual(await mountsUnder("/pro"), []);
    assert.deepEqual(await mountsUnder("/proc/self"), []);
  },
);

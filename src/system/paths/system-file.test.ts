import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { isSystemPath } from "../../util/text/paths/system-path.ts";
import { resolveTarget } from "./paths.ts";
import { isOpenToAll, isSystemFile } from "./system-file.ts";

const withoutLinux = process.platform === "linux" ? false : "these are files of Linux";

test(
  "files of the operating system that every user may read are such, and missing ones",
  { skip: withoutLinux },
  async () => {
    for (const path of ["/etc/passwd", "/etc", "/usr/bin", "/proc/cpuinfo", "/usr/no-such-folder/a"])
      assert.equal(await isSystemFile(path), true, path);
  },
);

test("other files, and those that not every user may read, are none", { skip: withoutLinux }, async () => {
  const closed = ["/etc/shadow", "/etc/ssl/private", "/etc/sudoers", "/etc/sudoers.d"].filter((one) =>
    existsSync(one),
  );
  for (const path of [
    "/root",
    "/home",
    "/tmp",
    "/var/log",
    "/proc",
    "/proc/self/status",
    "/dev/null",
    "/",
    ...closed,
  ])
    assert.equal(await isSystemFile(path), false, path);
});

test("a path that only begins like one of the system, or goes back, is no system path", () => {
  for (const path of [
    "/etcetera",
    "/usr/../root",
    "/usr/..",
    "/home/etc",
    "/proc/cpuinfo/x",
    "/usrlocal/x",
    "usr/x",
  ])
    assert.equal(isSystemPath(path), false, path);
  for (const path of ["/etc", "/usr/..x", "/usr/a..b/c"]) assert.equal(isSystemPath(path), true, path);
});

test(
  "a resolved path says that it is one of the system, by what it leads to and only for reading",
  { skip: withoutLinux },
  async (t) => {
    const folder = temporaryFolder(t);
    symlinkSync("/etc/passwd", join(folder, "link"));
    const resolve = (path: string, access: "read" | "write" = "read") =>
      resolveTarget(path, { cwd: folder, access });
    const found = await resolve("link");
    assert.deepEqual([found.path, found.isSystem], ["/etc/passwd", true]);
    assert.ok(
      found.names?.some((name) => name.endsWith("/link")),
      "policy sees the link too",
    );
    assert.equal((await resolve("/etc/passwd", "write")).isSystem, undefined);
    assert.equal((await resolve("/usr/../etc/shadow")).isSystem, undefined);
    assert.equal((await resolve(".")).isSystem, undefined);
  },
);

test("a file without the right to read for everyone is not open to all", (t) => {
  const folder = temporaryFolder(t);
  const [file, closed] = [join(folder, "a"), join(folder, "closed")];
  writeFileSync(file, "");
  chmodSync(file, 0o644);
  mkdirSync(closed);
  chmodSync(closed, 0o711);
  assert.deepEqual(
    [isOpenToAll(file), isOpenToAll(closed), isOpenToAll(join(folder, "none"))],
    [true, false, false],
  );
  chmodSync(file, 0o640);
  assert.equal(isOpenToAll(file), false);
});

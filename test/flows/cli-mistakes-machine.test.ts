// What a machine lacks: room, a folder, a program. Each answer says what to do. The faults are mounts that only the program sees.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { findProgram } from "../../src/system/box/find-program.ts";
import { loadRipgrep } from "../../src/system/native-packages.ts";
import { createPlace, runProcess, type Place } from "./support/cli.ts";

const UNSHARE = ["unshare", "--map-root-user", "--mount"];
const canMount =
  spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
const skip = canMount ? false : "this user may not mount";

/** Runs the command line after a shell script has made the fault, where nothing else sees it. */
const runWith = (place: Place, script: string, args: readonly string[]) =>
  runProcess(place, args, {
    under: [...UNSHARE, "sh", "-c", `${script} && exec "$@"`, "sh"],
    environment: { HOME: place.home },
  });

const fill = (folder: string): string =>
  `mount -t tmpfs -o size=64k tmpfs ${folder} && { dd if=/dev/zero of=${folder}/full bs=4k 2>/dev/null; cd ${folder}; }`;
const protect = (folder: string): string =>
  `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}`;

const CASES: readonly {
  readonly what: string;
  readonly script: (place: Place) => string | Promise<string>;
  readonly args: readonly string[];
  readonly says: RegExp;
}[] = [
  {
    what: "a full disk under the store",
    script: ({ home }) => fill(home),
    args: ["call", "ls"],
    says: /the store .* cannot be opened: .*full\n {2}free space on the disk, or use a store on another disk: --store/,
  },
  {
    what: "a full disk under a file",
    script: ({ folder }) => fill(folder),
    args: ["call", "write_file", "path=a", "content=text", "--mode", "edits"],
    says: /cannot write .*\/a: the disk is full; nothing was changed\n {2}free space on the disk/,
  },
  {
    what: "a read-only home",
    script: ({ home }) => protect(home),
    args: ["call", "ls"],
    says: /of the store cannot be created: EROFS.*\n {2}make its folder writable for this user, or use another store: --store/,
  },
  {
    what: "a read-only home, and a setting",
    script: ({ home }) => protect(home),
    args: ["config", "set", "mode", "edits"],
    says: /config\.json: the file system is read-only; nothing was changed\n {2}use a folder that can be written/,
  },
  {
    what: "a read-only home, and init",
    script: ({ home }) => protect(home),
    args: ["init", "--user"],
    says: /config\.json: the file system is read-only\n {2}make its folder writable .* TOOLWRIGHT_HOME/,
  },
  {
    what: "a folder that was deleted",
    script: () => "mount -t tmpfs tmpfs /mnt && mkdir /mnt/gone && cd /mnt/gone && rmdir /mnt/gone",
    args: ["call", "ls"],
    says: /the current folder is gone\n {2}cd to one that exists/,
  },
  {
    what: "a ripgrep that cannot run",
    script: async () => `mount --bind /dev/null ${(await loadRipgrep()).rgPath}`,
    args: ["call", "grep", "x"],
    says: /cannot start .*rg: permission denied.*\n {2}ripgrep is a part of Toolwright: install Toolwright again/,
  },
];

for (const { what, script, args, says } of CASES)
  test(`${what}: the answer names the next step`, { skip }, async (t) => {
    const place = createPlace(t);
    const { code, stderr } = await runWith(place, await script(place), args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /internal error|\n\s+at /);
  });

const bwrap = findProgram("bwrap", process.env["PATH"] ?? "");

test(
  "a sandbox without bubblewrap: the answer names the package, and doctor does",
  { skip: bwrap === undefined ? "bubblewrap is not installed" : skip },
  async (t) => {
    const place = createPlace(t);
    const hide = `mount --bind /dev/null ${bwrap}`;
    const refused = await runWith(place, hide, ["call", "shell", "ls", "--sandbox", "bubblewrap"]);
    assert.match(
      refused.stderr,
      /bubblewrap is not installed\n {2}install bubblewrap \(package bubblewrap\)/,
    );
    const doctor = await runWith(place, hide, ["doctor", "--offline"]);
    assert.match(
      doctor.stdout,
      /sandbox: bubblewrap is not installed: only basic commands.*\n +install bubblewrap/,
    );
  },
);

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createPlace, runProcess, withoutProc, type Place } from "../flows/support/cli.ts";

const CANARY = "canary-of-another-folder";
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

/** What an untrusted folder may contain in place of a small file, and what is said about it. */
const KINDS: Readonly<
  Record<string, { readonly put: (path: string, outside: string) => void; readonly says: RegExp }>
> = {
  "a link to a file of the kernel": {
    put: (path) => symlinkSync("/proc/self/pagemap", path),
    says: /is a link/,
  },
  "a link to a device": { put: (path) => symlinkSync("/dev/zero", path), says: /is a link/ },
  "a link out of the folder": { put: (path, outside) => symlinkSync(outside, path), says: /is a link/ },
  "a named pipe": { put: (path) => void spawnSync("mkfifo", [path]), says: /is a named pipe/ },
  "a folder": { put: (path) => mkdirSync(path), says: /is a folder/ },
  "a file of 10 GB": {
    put(path) {
      writeFileSync(path, "");
      truncateSync(path, 10 * 1024 ** 3);
    },
    says: /is over/,
  },
  "deeply nested JSON": {
    put: (path) => writeFileSync(path, `{"mcpServers": ${DEEP}}`),
    says: /nested too deeply/,
  },
};

/** Files that a command needs: without them, what they forbid is unknown. And the others that are read because of their name. */
const REQUIRED = [".toolwright/config.json", ".toolwright/policy.json"];
const OTHERS = [
  ".mcp.json",
  ".gitignore",
  ".toolwright/tools/program",
  ".toolwright/extensions/extension.js",
  ".toolwright/skills/one/SKILL.md",
];

function put(place: Place, names: readonly string[], kind: string): void {
  const outside = join(place.home, "outside.json");
  writeFileSync(outside, JSON.stringify({ mcpServers: { [CANARY]: { command: CANARY } } }));
  for (const name of names) {
    mkdirSync(dirname(join(place.folder, name)), { recursive: true });
    KINDS[kind]?.put(join(place.folder, name), outside);
  }
}

const megabytes = (text: string): number => Number(/maxrss=(\d+)/.exec(text)?.[1]) / 1024;
const REPORT = "process.on('exit',()=>process.stderr.write('maxrss='+process.resourceUsage().maxRSS+'\\n'))";
const MEASURED = `--import=data:text/javascript,${encodeURIComponent(REPORT)}`;
const [skip, timeout] = [withoutProc, 120_000];
const options = { environment: { NODE_OPTIONS: MEASURED } };

for (const [kind, { says }] of Object.entries(KINDS)) {
  for (const name of REQUIRED)
    test(`${kind} in place of ${name} is an error that names the file`, { skip, timeout }, async (t) => {
      const place = createPlace(t);
      put(place, [name], kind);
      const { code, stdout, stderr } = await runProcess(place, ["call", "ls", "path=."], options);
      assert.notEqual(code, 0);
      assert.match(stderr, says);
      assert.ok(stderr.includes(join(place.folder, name)), stderr);
      assert.ok(megabytes(stderr) < 400, stderr);
      assert.doesNotMatch(stdout + stderr, /RangeError|Maximum call stack|canary/);
    });

  test(
    `${kind} in place of any other file of a project is reported and not read`,
    { skip, timeout },
    async (t) => {
      const place = createPlace(t);
      put(place, OTHERS, kind);
      const listed = await runProcess(place, ["call", "ls", "path=."], options);
      assert.equal(listed.code, 0, listed.stderr);
      assert.ok(megabytes(listed.stderr) < 400, listed.stderr);
      const trust = await runProcess(place, ["trust"], options);
      const all = [listed, trust].map(({ stdout, stderr }) => stdout + stderr).join("\n");
      assert.match(all, says);
      assert.ok(all.includes(join(place.folder, ".mcp.json")), all);
      assert.doesNotMatch(all, /RangeError|Maximum call stack|canary/);
    },
  );
}

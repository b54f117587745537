import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli } from "./support/cli.ts";

const NPMRC = ".npmrc, which can contain secrets";

for (const [command, answer] of [
  ["cat @REAL@/.npmrc", NPMRC],
  ["cd @REAL@; cat .npmrc", NPMRC],
  ["cd ..; cat .npmrc", NPMRC],
  ["tar c @REAL@", "may do what is denied"],
  ["rm -rf @REAL@", "removes the root, a home"],
  ["mv @REAL@ x", "removes the root, a home"],
  ["cat @REAL@/notes.txt", "is denied"],
  ["cat @REAL@/other.txt", "mode yolo allows it"],
  ["echo x > @STATE@/policy.json", "can run code or change permissions"],
] as const)
  test(`a home folder that is a link is protected by its own path: ${command}`, async (t) => {
    const { folder, home } = createPlace(t);
    const state = join(folder, "state");
    for (const path of [join(home, "work"), state]) mkdirSync(path);
    writeFileSync(join(home, ".npmrc"), "");
    writeFileSync(
      join(state, "policy.json"),
      JSON.stringify({ rules: [{ path: "~/notes.txt", decision: "deny" }] }),
      { mode: 0o600 },
    );
    const links = { home: join(folder, "home-link"), state: join(folder, "state-link") };
    symlinkSync(home, links.home);
    symlinkSync(state, links.state);
    const written = command.replace("@REAL@", home).replace("@STATE@", state);
    const { stdout } = await runCli(
      { folder: join(home, "work"), home: links.home, write: () => undefined },
      ["explain", "--mode", "yolo", "shell", `command=${written}`],
      { environment: { TOOLWRIGHT_HOME: links.state } },
    );
    assert.ok(stdout.includes(answer), stdout);
  });

import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { until } from "../../../../test/flows/support/cli.ts";
import { call, codeOf } from "../../../../test/support/engines/engine.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { createEngine } from "../../../engine/engine.ts";
import { builtInTools } from "../../../tools/built-in.ts";
import { createFileWatcher } from "./watch-files.ts";

interface Place {
  readonly engine: Engine;
  readonly told: string[];
  readonly write: (name: string, text: string) => void;
  /** Waits until a change that is made now has been told: then so has everything before it. */
  readonly settled: () => Promise<void>;
}

function openPlace(t: TestContext, patterns: readonly string[], folder = temporaryFolder(t)): Place {
  const engine = createEngine({
    mode: "yolo",
    workspace: [folder],
    tools: builtInTools({ root: folder, environment: {} }),
  });
  const told: string[] = [];
  engine.on((event) => {
    if (event.type === "file.changed") told.push(`${event.change} ${event.path.slice(folder.length + 1)}`);
  });
  const watcher = createFileWatcher({ folder, patterns: [...patterns, "settled"], home: folder, engine });
  t.after(async () => {
    watcher.close();
    await engine.close();
  });
  let count = 0;
  return {
    engine,
    told,
    write: (name, text) => writeFileSync(join(folder, name), text),
    async settled() {
      const before = told.filter((line) => line.endsWith(" settled")).length;
      writeFileSync(join(folder, "settled"), "x".repeat((count += 1)));
      await until(
        "the watcher tells",
        () => told.filter((line) => line.endsWith(" settled")).length > before,
      );
    },
  };
}

const changes = ({ told }: Place): readonly string[] => told.filter((line) => !line.endsWith(" settled"));

test("files that somebody makes, changes and deletes are told, each as what it is", async (t) => {
  const place = openPlace(t, ["*.ts"]);
  place.write("a.ts", "1");
  await place.settled();
  place.write("a.ts", "22");
  await place.settled();
  assert.deepEqual(changes(place), ["created a.ts", "changed a.ts"]);
});

test("a deleted file is told, and a file that was there before is not told as new", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "old.ts"), "1");
  const place = openPlace(t, ["*.ts"], folder);
  await place.settled();
  assert.deepEqual(changes(place), []);
  rmSync(join(folder, "old.ts"));
  await place.settled();
  assert.deepEqual(changes(place), ["deleted old.ts"]);
});

test("several writes at once are told as one change, and a file replaced by another as changed", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a.ts"), "1");
  const place = openPlace(t, ["*.ts"], folder);
  for (let size = 2; size < 9; size += 1) place.write("a.ts", "x".repeat(size));
  writeFileSync(join(folder, "a.ts.tmp"), "new");
  renameSync(join(folder, "a.ts.tmp"), join(folder, "a.ts"));
  await place.settled();
  assert.deepEqual(changes(place), ["changed a.ts"]);
});

test("new folders are watched with all that is in them, and their end is told file by file", async (t) => {
  const folder = temporaryFolder(t);
  const place = openPlace(t, ["src/**"], folder);
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  place.write("src/deep/a", "1");
  await place.settled();
  place.write("src/deep/b", "1");
  await place.settled();
  rmSync(join(folder, "src"), { recursive: true });
  await place.settled();
  assert.deepEqual(changes(place).toSorted(), [
    "created src/deep/a",
    "created src/deep/b",
    "deleted src/deep/a",
    "deleted src/deep/b",
  ]);
});

test("what no pattern names, what git and npm keep, and what a link leads to is not told", async (t) => {
  const folder = temporaryFolder(t);
  const elsewhere = temporaryFolder(t);
  for (const name of [".git", "node_modules", "lib"]) mkdirSync(join(folder, name));
  symlinkSync(elsewhere, join(folder, "link"));
  const place = openPlace(t, ["**/*.ts"], folder);
  for (const name of [".git/a.ts", "node_modules/a.ts", "lib/a.md", "link/a.ts"]) place.write(name, "1");
  await place.settled();
  place.write("lib/a.ts", "1");
  await place.settled();
  assert.deepEqual(changes(place), ["created lib/a.ts"]);
});

test("what the engine's own tools change is told once", async (t) => {
  const place = openPlace(t, ["**"]);
  const write = (content: string) => place.engine.run(call("write_file", { path: "a.txt", content }));
  assert.equal(codeOf(await write("1")), "ok");
  assert.equal(codeOf(await write("22")), "ok");
  await place.settled();
  place.write("a.txt", "333");
  await place.settled();
  assert.deepEqual(changes(place), ["created a.txt", "changed a.txt", "changed a.txt"]);
});

test("a watcher that is closed tells nothing any more", async (t) => {
  const folder = temporaryFolder(t);
  const told: string[] = [];
  const engine = {
    on: () => () => undefined,
    fileChanged: ({ path }: { path: string }) => void told.push(path),
  };
  const watcher = createFileWatcher({ folder, patterns: ["**"], home: folder, engine });
  watcher.close();
  const other = openPlace(t, [], folder);
  writeFileSync(join(folder, "a"), "1");
  await other.settled();
  assert.deepEqual(told, []);
});

test("a folder that cannot be watched is told as a problem", () => {
  const problems: string[] = [];
  const engine = { on: () => () => undefined, fileChanged: () => undefined };
  const folder = "/no/such/folder";
  createFileWatcher({
    folder,
    patterns: ["**"],
    home: "/",
    engine,
    onProblem: (one) => problems.push(one),
  }).close();
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /\/no\/such\/folder cannot be watched/);
});

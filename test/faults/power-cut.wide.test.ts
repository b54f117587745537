import { recordWrites } from "../support/faults/power-cut/record-writes.ts";
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { editConfigFile } from "../../src/app/config/files/config-file.ts";
import { readSpool, openSpool } from "../../src/store/journal/spool.ts";
import { currentProcess } from "../../src/system/process/identity.ts";
import { createFileOperations, type FileOperations } from "../../src/system/files/operations.ts";
import { replaceFiles } from "../../src/system/files/replace.ts";
import { resolveTarget } from "../../src/system/paths/paths.ts";
import { createDiskArtifacts } from "../../src/store/artifacts/artifacts.ts";
import { openArtifact } from "../../src/store/artifacts/artifact-file.ts";
import { toRow } from "../../src/store/journal/call-row.ts";
import { crashStates, type CrashState } from "../support/faults/power-cut/crash-states.ts";
import { isLong } from "../support/property-runs.ts";
import { runCli } from "../flows/support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const OPTIONS = { maxLost: 2, random: Array.from({ length: isLong ? 200 : 10 }, (_, seed) => seed + 1) };
const ANSWERED = "answered";

/** A way in which files are written: what is there before, the work, and what must hold after a power cut. */
interface WritePath {
  readonly before: Readonly<Record<string, string>>;
  readonly work: (root: string, operations: FileOperations, tell: (what: string) => void) => Promise<unknown>;
  /** Returns what is wrong in a state; undefined if nothing is. */
  readonly problem: (state: CrashState) => string | undefined;
}

/** Writes files as the edit tools do, and tells that it is done. */
function edits(changes: Readonly<Record<string, string | undefined>>): WritePath["work"] {
  return async (root, operations, tell) => {
    const facts = await Promise.all(
      Object.keys(changes).map((path) => resolveTarget(path, { cwd: join(root, "work"), access: "write" })),
    );
    const all = Object.values(changes).map((content, index) => ({ fact: facts[index] as never, content }));
    await replaceFiles(all, { operations });
    tell(ANSWERED);
  };
}

/** Each file has its old content or its new one, and after the answer the new one. */
function oldOrNew(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string | undefined>>,
): WritePath["problem"] {
  return ({ files, told }) => {
    for (const [path, wanted] of Object.entries(after)) {
      const found = files.get(`work/${path}`);
      if (told.has(ANSWERED) && found !== wanted) return `${path} was answered and is ${show(found)}`;
      if (found !== wanted && found !== before[`work/${path}`]) return `${path} is ${show(found)}`;
    }
    const isMarked = [...files.keys()].some((path) => path.endsWith(".commit"));
    return told.has(ANSWERED) && isMarked ? "the next start would undo an answered change" : undefined;
  };
}

const show = (text: string | undefined): string =>
  text === undefined ? "missing" : JSON.stringify(text.slice(0, 40));

const OLD = { "work/a.txt": "old a", "work/b.txt": "old b", "work/c.txt": "old c" };
const PATCH = { "a.txt": "new a", "b.txt": undefined, "d.txt": "new d" };
const CONFIG = { "config.json": '{ "mode": "ask", "keepDays": 5 }\n' };

/** A command that writes new files: each is missing or whole, and after its end all are there. */
function command(...args: readonly string[]): WritePath {
  const wanted = new Map<string, string>();
  return {
    before: {},
    async work(root, _operations, tell) {
      const [folder, home] = [join(root, "work"), `${root}-home`];
      mkdirSync(home);
      writeFileSync(join(home, "turns.jsonl"), `{"text":"${"the answer ".repeat(1000)}"}\n`);
      const model = ["--model", `scripted/${join(home, "turns.jsonl")}`];
      const place = { folder, home, write: () => undefined };
      const { code, stderr } = await runCli(place, args[0] === "run" ? [...args, ...model] : args);
      assert.equal(code, 0, stderr);
      tell(ANSWERED);
      rmSync(home, { recursive: true });
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
        if (statSync(join(folder, name)).isFile())
          wanted.set(`work/${name}`, readFileSync(join(folder, name), "latin1"));
    },
    problem({ files, told }) {
      for (const [path, content] of wanted) {
        const found = files.get(path);
        if (found !== content && (found !== undefined || told.has(ANSWERED)))
          return `${path} is ${show(found)}`;
      }
      return undefined;
    },
  };
}

const PATHS: Readonly<Record<string, WritePath>> = {
  "an edit of a file": {
    before: OLD,
    work: edits({ "a.txt": "new a" }),
    problem: oldOrNew(OLD, { "a.txt": "new a" }),
  },
  "a new file": { before: OLD, work: edits({ "n.txt": "new" }), problem: oldOrNew(OLD, { "n.txt": "new" }) },
  "a new file in new folders": {
    before: OLD,
    work: edits({ "x/y/n.txt": "new" }),
    problem: oldOrNew(OLD, { "x/y/n.txt": "new" }),
  },
  "the answer of run --output": command("run", "go", "--output", "answer.txt"),
  "what init writes": command("init"),
  "what tool new writes": command("tool", "new", "greet", "--lang", "sh", "--dir", "tools"),
  "a patch of three files": { before: OLD, work: edits(PATCH), problem: oldOrNew(OLD, PATCH) },
  "a setting": {
    before: CONFIG,
    async work(root, _operations, tell) {
      const file = join(root, "config.json");
      await editConfigFile(file, { changesFolder: join(root, "changes") }, () => ({
        path: ["keepDays"],
        value: 7,
      }));
      tell(ANSWERED);
    },
    problem({ files, told }) {
      const found = files.get("config.json");
      const [before, after] = [CONFIG["config.json"], CONFIG["config.json"].replace("5", "7")];
      if (told.has(ANSWERED)) return found === after ? undefined : `answered, and it is ${show(found)}`;
      return found === before || found === after ? undefined : `it is ${show(found)}`;
    },
  },
};

async function tryPath(
  t: TestContext,
  { before, work, problem }: WritePath,
  change: (operations: FileOperations) => Partial<FileOperations> = () => ({}),
) {
  const root = realpathSync(temporaryFolder(t));
  mkdirSync(join(root, "work"));
  for (const [path, content] of Object.entries(before)) writeFileSync(join(root, path), content);
  const operations = createFileOperations(join(root, "changes"));
  const recorded = await recordWrites(root, (tell) =>
    work(root, { ...operations, ...change(operations) }, tell),
  );
  let states = 0;
  const problems: string[] = [];
  for (const state of crashStates(recorded, OPTIONS)) {
    states += 1;
    const found = problem(state);
    if (found !== undefined) problems.push(`${found} (${state.where})`);
  }
  return { states, problems, recorded };
}

for (const [name, path] of Object.entries(PATHS))
  test(`after a power cut ${name} is there whole or not at all, and if it was answered it is there`, async (t) => {
    const { states, problems, recorded } = await tryPath(t, path);
    t.diagnostic(`${recorded.writes.length} writes, ${states} states`);
    assert.ok(states > 5, `${states} states`);
    assert.deepEqual(problems.slice(0, 3), []);
  });

test("planted faults are found: a folder that is not synced, and a rename before the sync", async (t) => {
  const edit = PATHS["an edit of a file"];
  assert.ok(edit);
  const nothing = async (): Promise<void> => undefined;
  const unsynced = await tryPath(t, edit, () => ({ syncFolder: nothing }));
  assert.match(unsynced.problems.join(), /a\.txt was answered and is "old a"/);
  const early = await tryPath(t, edit, () => ({ sync: nothing }));
  assert.match(early.problems.join(), /a\.txt (?:was answered and )?is "(?:new)?"/);
});

test("after a power cut an artifact is whole, refused or unknown, never cut", async (t) => {
  const root = realpathSync(temporaryFolder(t));
  const text = "a long answer\n".repeat(2000);
  const { states, problems } = await tryArtifact(t, root, text);
  t.diagnostic(`${states} states`);
  assert.deepEqual(problems, []);
});

async function tryArtifact(t: TestContext, root: string, text: string) {
  const artifacts = await createDiskArtifacts({ folder: join(root, "artifacts") });
  t.after(() => artifacts.close());
  let id = "";
  const recorded = await recordWrites(root, async (tell) => {
    const writer = artifacts.create();
    ({ id } = writer);
    await writer.write(text);
    await writer.close();
    tell(ANSWERED);
  });
  const problems: string[] = [];
  let states = 0;
  for (const { files, where } of crashStates(recorded, OPTIONS)) {
    states += 1;
    const after = join(realpathSync(temporaryFolder(t)), "artifacts");
    mkdirSync(after);
    for (const [path, content] of files)
      writeFileSync(join(after, path.slice("artifacts/".length)), content, "latin1");
    const size = await openArtifact(after, id).then(
      async (file) => {
        await file?.[Symbol.asyncDispose]();
        return file?.text.size;
      },
      () => undefined,
    );
    if (size !== undefined && size !== text.length) problems.push(`${size} bytes (${where})`);
  }
  return { states, problems };
}

const OWNER = { ...currentProcess(), id: 1 };

/** Records calls in a spool, and tells of each that is stored. */
async function trySpool(t: TestContext, isEarly: boolean) {
  const root = realpathSync(temporaryFolder(t));
  const folder = join(root, "spool");
  mkdirSync(folder);
  const recorded = await recordWrites(root, async (tell) => {
    const spool = openSpool(folder, OWNER);
    for (let number = 1; number <= 4; number += 1) {
      const place = spool.enter(number);
      if (isEarly) tell(`${number}`);
      place.write(
        toRow({ callId: `call-${number}`, name: "ls", input: {}, receivedAt: number, session: undefined }),
      );
      if (!isEarly) tell(`${number}`);
    }
  });
  const problems: string[] = [];
  let states = 0;
  // First what the end of the process leaves, which loses no write, then what a power cut leaves.
  for (const [isKill, options] of [
    [true, { maxLost: 0, random: [] }],
    [false, OPTIONS],
  ] as const)
    for (const { files, told, where } of crashStates(recorded, options)) {
      if (isKill && !where.endsWith("lost ")) continue;
      states += 1;
      const after = realpathSync(temporaryFolder(t));
      for (const [path, content] of files)
        writeFileSync(join(after, path.slice("spool/".length)), content, "latin1");
      const found = readSpool(after, OWNER).map(({ number, row }) => `${number}${row.callId}`);
      if (found.some((one) => !/^(\d)call-\1$/.test(one))) problems.push(`${found.join()} (${where})`);
      if (isKill && [...told].some((number) => !found.includes(`${number}call-${number}`)))
        problems.push(`told ${[...told].join()}, found ${found.join()} (${where})`);
    }
  return { states, problems };
}

test("a spool has every call that was told stored when its process is killed, and none that is damaged after a power cut", async (t) => {
  const { states, problems } = await trySpool(t, false);
  t.diagnostic(`${states} states`);
  assert.deepEqual(problems, []);
});

test("a planted fault is found: an answer before the spool", async (t) => {
  assert.match((await trySpool(t, true)).problems.join(), /told 1, found/);
});

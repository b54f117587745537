import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { write } from "../app/host/testing/contracts/artifact-texts.ts";
import { answer, call } from "../app/host/testing/contracts/journal-calls.ts";
import { runScript, runScriptAsNobody, sourceUrl } from "../../test/support/faults/child-script.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./replaceable-store.ts";

const UNAVAILABLE = { code: "UNAVAILABLE" };
const NO_PROC = process.platform === "linux" ? false : "needs /proc";
const DAY_MS = 24 * 60 * 60 * 1000;

test("a store has its calls and artifacts in one folder, for its owner only, also when it is opened again", async (context) => {
  const folder = join(temporaryFolder(context), "deep", "state");
  const first = await openStore({ folder });
  await first.journal.receive(call("a")).settle(answer("a", "done"));
  const { id } = await write(first.artifacts, ["text"]);
  await first.close();
  await first.close();
  assert.deepEqual(readdirSync(folder), ["artifacts", "last-use", "spool", "toolwright.db"]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, "artifacts")).mode & 0o777, 0o700);

  const second = await openStore({ folder });
  assert.equal((await second.journal.list()).length, 1);
  assert.equal((await second.artifacts.read(id, 0, 10))?.text, "text");
  await second.close();
});

const LOSSES: Readonly<Record<string, (folder: string) => void>> = {
  "is deleted": (folder) => rmSync(folder, { recursive: true }),
  "is moved": (folder) => renameSync(folder, `${folder}.moved`),
  "loses its database file": (folder) => rmSync(join(folder, "toolwright.db")),
};

for (const [what, lose] of Object.entries(LOSSES)) {
  test(`a store that ${what} is reported within a second, and calls fail`, async (context) => {
    const folder = join(temporaryFolder(context), "state");
    const { promise: reported, resolve: onProblem } = Promise.withResolvers<string>();
    const store = await openStore({ folder, onProblem });
    const early = store.journal.receive(call("early"));
    await early.start("unsafe");
    lose(folder);
    assert.match(await reported, /toolwright\.db was deleted or moved; calls fail/);
    assert.throws(() => store.journal.receive(call("late")), UNAVAILABLE);
    assert.throws(() => early.settle(answer("early", "done")), UNAVAILABLE);
    await assert.rejects(store.journal.list(), UNAVAILABLE);
    await assert.rejects(store.collections.open("x").set("a", 1), UNAVAILABLE);
    await store.close();
  });

  test(`if a store ${what}, calls go to a new one if the setting says so, also those that had begun`, async (context) => {
    const folder = join(temporaryFolder(context), "state");
    const { promise: reported, resolve: onProblem } = Promise.withResolvers<string>();
    const store = await openStore({ folder, onProblem, ifLost: "new" });
    const early = store.journal.receive(call("early"));
    await early.start("unsafe");
    const documents = store.collections.open("x");
    lose(folder);
    assert.match(await reported, /a new one is created/);
    while (!(await isUsable(store))) await setImmediate();
    await early.settle(answer("early", "done"));
    await store.journal.receive(call("late")).settle(answer("late", "done"));
    await documents.set("a", 1);
    const { id } = await write(store.artifacts, ["text"]);
    await store.close();
    const next = await openStore({ folder });
    const records = await next.journal.list();
    assert.deepEqual(
      records.map((one) => one.answer),
      [answer("late", "done"), answer("early", "done")],
    );
    assert.equal(await next.collections.open("x").get("a"), 1);
    assert.equal((await next.artifacts.read(id, 0, 10))?.text, "text");
    await next.close();
  });
}

for (const ifLost of ["fail", "new"] as const) {
  test(`a store that was moved has everything that was stored before (${ifLost})`, async (context) => {
    const root = temporaryFolder(context);
    const [folder, moved] = [join(root, "state"), join(root, "moved")];
    const { promise: reported, resolve: onProblem } = Promise.withResolvers<string>();
    const store = await openStore({ folder, onProblem, ifLost });
    await store.collections.open("x").set("a", 1);
    mkdirSync(moved);
    renameSync(join(folder, "toolwright.db"), join(moved, "toolwright.db"));
    await reported;
    if (ifLost === "new") while (!(await isUsable(store))) await setImmediate();
    await store.close();
    const found = await openStore({ folder: moved });
    assert.equal(await found.collections.open("x").get("a"), 1);
    await found.close();
  });
}

test("a lost store is reported once, however often a new one cannot be created", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const folder = join(temporaryFolder(context), "state");
  const problems: string[] = [];
  const store = await openStore({ folder, ifLost: "new", onProblem: (problem) => problems.push(problem) });
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in the way");
  for (let check = 0; check < 200; check += 1) {
    context.mock.timers.tick(500);
    await setImmediate();
  }
  assert.equal(problems.length, 1);
  await store.close();
});

test(
  "a store that is closed while it is replaced leaves no file open",
  { skip: NO_PROC },
  async (context) => {
    context.mock.timers.enable({ apis: ["setInterval"] });
    const folder = join(temporaryFolder(context), "state");
    const store = await openStore({ folder, ifLost: "new" });
    rmSync(folder, { recursive: true });
    context.mock.timers.tick(500);
    await store.close();
    for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    const open = readdirSync("/proc/self/fd").map((name) => targetOf(`/proc/self/fd/${name}`));
    assert.deepEqual(
      open.filter((path) => path.startsWith(folder)),
      [],
    );
  },
);

/** A file may be closed while the list is read. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

async function isUsable(store: Store): Promise<boolean> {
  return store.journal.list().then(
    () => true,
    () => false,
  );
}

test("one damaged line of a killed process is set aside and reported, and its other calls are stored", async (context) => {
  const folder = join(temporaryFolder(context), "state");
  runScript(`
    const { openStore } = await import(${JSON.stringify(sourceUrl("src/store/open-store.ts"))});
    const { journal } = await openStore({ folder: ${JSON.stringify(folder)} });
    for (const callId of ["a", "b"])
      await journal.receive({ callId, name: "x", input: {}, session: undefined, receivedAt: 1 }).start("unsafe");
    process.kill(process.pid, "SIGKILL");
  `);
  const [file = ""] = readdirSync(join(folder, "spool"));
  const path = join(folder, "spool", file);
  const [first = "", second = "", third = ""] = readFileSync(path, "utf8").split("\n");
  const damaged = second.replace('"open"', '"opem"');
  assert.notEqual(damaged, second);
  writeFileSync(path, [first, damaged, third].join("\n"));
  const problems: string[] = [];
  const store = await openStore({ folder, onProblem: (problem) => problems.push(problem) });
  assert.deepEqual(
    (await store.journal.list()).map(({ callId, state }) => [callId, state]),
    [["b", "interrupted"]],
  );
  await store.close();
  assert.match(
    problems.join("\n"),
    /^the journal of a process that has ended had 1 damaged line, now in .*damaged$/,
  );
  assert.equal(readFileSync(`${path}.damaged`, "utf8"), damaged);
});

test("a clock far ahead deletes no call and no artifact, and is reported", async (context) => {
  const folder = join(temporaryFolder(context), "state");
  const first = await openStore({ folder, keepCallsMs: DAY_MS });
  await first.journal.receive(call("a", { receivedAt: Date.now() })).settle(answer("a", "done"));
  const { id } = await write(first.artifacts, ["text"]);
  await first.close();
  const ahead = Date.now() + 4000 * DAY_MS;
  context.mock.timers.enable({ apis: ["Date"], now: ahead });
  const problems: string[] = [];
  for (const receivedAt of [ahead, ahead + 1]) {
    const store = await openStore({
      folder,
      keepCallsMs: DAY_MS,
      onProblem: (problem) => problems.push(problem),
    });
    await store.journal.receive(call("b", { receivedAt })).settle(answer("b", "done"));
    assert.equal((await store.journal.list({ callId: "a" })).length, 1);
    assert.equal((await store.artifacts.read(id, 0, 10))?.text, "text");
    await store.close();
  }
  assert.equal(problems.length, 2);
  assert.match(problems.join("\n"), /the clock is 4000 days after the last use/);
});

test("a folder that cannot be created is reported with the reason", async (context) => {
  const path = join(temporaryFolder(context), "file");
  writeFileSync(path, "not a folder");
  await assert.rejects(openStore({ folder: path }), { code: "UNAVAILABLE", message: /cannot be created/ });
});

test("a folder without write permission is reported with a hint", (context) => {
  const parent = temporaryFolder(context);
  const made = join(parent, "made");
  mkdirSync(made, { mode: 0o555 });
  chmodSync(parent, 0o555);
  for (const folder of [made, join(parent, "missing")]) {
    const script = `
      const { openStore } = await import(${JSON.stringify(sourceUrl("src/store/open-store.ts"))});
      const error = await openStore({ folder: ${JSON.stringify(folder)} }).catch((reason) => reason);
      console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));`;
    const child = runScriptAsNobody(script);
    assert.notEqual(child.stdout, "", child.stderr);
    const { code, message, hint } = JSON.parse(child.stdout);
    assert.equal(code, "UNAVAILABLE");
    assert.ok(message.includes(folder), message);
    assert.match(hint, /writable/);
  }
  assert.deepEqual(readdirSync(parent), ["made"]);
  assert.deepEqual(readdirSync(made), []);
});

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-store-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

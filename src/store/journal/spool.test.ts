import assert from "node:assert/strict";
import fs, {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { CallRow } from "./call-row.ts";
import { removeSettledSpools, openSpool, readSpool } from "./spool.ts";

const OWNER = { pid: 7, start: "12.5 a", boot: "b/c", id: 3 };
const ALL = (): boolean => true;

function row(callId: string, more: Partial<CallRow> = {}): CallRow {
  const open = { startedAt: null, effects: null, state: "open", answer: null, outcome: null } as const;
  const origin = { session: null, folder: null, subject: null, machine: null, usage: null };
  return { callId, name: "ls", input: "{}", ...origin, receivedAt: 1, ...open, ...more };
}

const rowsOf = (folder: string, owner = OWNER): readonly CallRow[] =>
  readSpool(folder, owner).map(({ row: found }) => found);

const answered = (callId: string): CallRow => row(callId, { state: "answered", answer: "{}", outcome: "ok" });

test("the last row of each call is read back, in any order of writing", (t) => {
  const folder = join(temporaryFolder(t), "spool");
  const spool = openSpool(folder, OWNER);
  const [a, b, c] = [spool.enter(1), spool.enter(2), spool.enter(3)];
  a.write(row("a"));
  b.write(row("b", { input: '{"__proto__":1,"text":"ä\\n"}' }));
  c.write(row("c"));
  c.write(answered("c"));
  spool.turn();
  a.write(answered("a"));
  assert.deepEqual(rowsOf(folder, OWNER), [
    answered("a"),
    row("b", { input: '{"__proto__":1,"text":"ä\\n"}' }),
    answered("c"),
  ]);
  assert.deepEqual(rowsOf(folder, { ...OWNER, id: 4 }), [], "another journal of the process has its own");
  assert.deepEqual(rowsOf(folder, { ...OWNER, pid: 77 }), []);
  removeSettledSpools(folder, ALL);
  assert.deepEqual(readdirSync(folder), []);
});

test("calls are identified by their numbers and returned in that order", (t) => {
  const folder = temporaryFolder(t);
  const spool = openSpool(folder, OWNER);
  const [first, second] = [spool.enter(1), spool.enter(2)];
  second.write(answered("same"));
  spool.turn();
  first.write(row("same"));
  assert.deepEqual(readSpool(folder, OWNER), [
    { owner: OWNER.id, number: 1, row: row("same") },
    { owner: OWNER.id, number: 2, row: answered("same") },
  ]);
});

test("a file that is being read when the database has its calls never changes under the reader", (t) => {
  const folder = temporaryFolder(t);
  const spool = openSpool(folder, OWNER);
  spool.enter(1).write(row("a"));
  const [file = ""] = readdirSync(folder);
  const reader = openSync(join(folder, file), "r");
  t.after(() => closeSync(reader));
  const before = readFileSync(join(folder, file), "utf8");
  spool.turn()();
  spool.turn()();
  spool.enter(2).write(row("b"));
  assert.equal(readFileSync(reader, "utf8"), before);
  assert.deepEqual(rowsOf(folder), [row("b")]);
});

test("rows that the database has are removed, and later ones are not", (t) => {
  const folder = temporaryFolder(t);
  const spool = openSpool(folder, OWNER);
  spool.enter(1).write(row("a"));
  const forget = spool.turn();
  spool.enter(2).write(row("b"));
  forget();
  assert.deepEqual(
    rowsOf(folder, OWNER).map(({ callId }) => callId),
    ["b"],
  );
});

test("spools of live processes and other files are not touched, and damaged lines of the others are set aside", (t) => {
  const folder = temporaryFolder(t);
  const spool = openSpool(folder, OWNER);
  spool.enter(1).write(row("a"));
  const [file = ""] = readdirSync(folder);
  appendFileSync(join(folder, file), '\n[1,{"ok":true]\n[9,{}]\n{}\n[2,["b","ls",nul');
  for (const name of ["notes.jsonl", "7.%ZZ..3.0.jsonl"]) writeFileSync(join(folder, name), "{}\n");
  removeSettledSpools(folder, () => false);
  assert.deepEqual(rowsOf(folder, OWNER), [row("a")]);
  const [problem = "", ...more] = removeSettledSpools(folder, (owner) => isDeepStrictEqual(owner, OWNER));
  const aside = `${file}.damaged`;
  assert.deepEqual(readdirSync(folder).toSorted(), ["7.%ZZ..3.0.jsonl", aside, "notes.jsonl"]);
  assert.match(problem, /2 damaged lines/);
  assert.deepEqual(more, []);
  assert.equal(readFileSync(join(folder, aside), "utf8"), '[1,{"ok":true]\n{}');
});

test("a damaged last line is set aside too, unless it was cut off", (t) => {
  for (const [damage, problems] of [
    [(line: string) => line.replace('"open"', '"npen"'), 1],
    [(line: string) => line.slice(0, -1), 0],
  ] as const) {
    const folder = temporaryFolder(t);
    const spool = openSpool(folder, OWNER);
    for (const [index, id] of ["a", "b"].entries()) spool.enter(index + 1).write(row(id));
    const [file = ""] = readdirSync(folder);
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    const last = lines.pop() ?? "";
    const damaged = damage(last);
    assert.notEqual(damaged, last);
    writeFileSync(join(folder, file), [...lines, damaged].join("\n"));
    assert.equal(removeSettledSpools(folder, () => true).length, problems);
    const aside = join(folder, `${file}.damaged`);
    assert.deepEqual(existsSync(aside) ? readFileSync(aside, "utf8") : "", problems === 1 ? damaged : "");
  }
});

test("from any prefix of a file exactly the complete rows are read", (t) => {
  const folder = temporaryFolder(t);
  const spool = openSpool(folder, OWNER);
  const [a, b] = [spool.enter(1), spool.enter(2)];
  a.write(row("a", { input: '{"text":"ä]"}' }));
  b.write(row("b", { session: "s", startedAt: 2, effects: "unsafe" }));
  a.write(row("a", { input: '{"text":"ä]"}', state: "answered", answer: '{"ok":true,"content":["]"]}' }));
  const [file = ""] = readdirSync(folder);
  const whole = readFileSync(join(folder, file));
  const ends = [...whole.keys(), whole.length].filter((at) => at === whole.length || whole[at] === 10);
  for (let length = 0; length <= whole.length; length += 1) {
    writeFileSync(join(folder, file), whole.subarray(0, length));
    const lines = ends.filter((end) => end > 0 && end <= length).length;
    const states = rowsOf(folder, OWNER).map(({ callId, state }) => `${callId} ${state}`);
    const known = [[], ["a open"], ["a open", "b open"], ["a answered", "b open"]][lines];
    assert.deepEqual(states, known, `${length} bytes`);
  }
});

test("an invalid line does not affect the others", (t) => {
  const folder = temporaryFolder(t);
  const spool = openSpool(folder, OWNER);
  spool.enter(1).write(row("a"));
  const [file = ""] = readdirSync(folder);
  const odd = [
    "[]",
    "[5]",
    "[1,2,3,4]",
    '[6,["x"],{},null]',
    '[7,[null,"ls",null,1,null,null,"open"],{},null]',
    '[8,["x","ls",null,1,null,null,"sideways"],{},null]',
    '[8,["x","ls",null,1,null,null,"answered"],{},null]',
    '[8,["x","ls",null,1,null,null,"open"],{},{"ok":true}]',
  ];
  appendFileSync(join(folder, file), odd.map((line) => `\n${line}`).join(""));
  assert.deepEqual(rowsOf(folder, OWNER), [row("a")]);
});

test("an unused spool creates no file, and a closed one leaves none", (t) => {
  const folder = join(temporaryFolder(t), "spool");
  const idle = openSpool(folder, OWNER);
  idle.turn()();
  idle.close();
  assert.equal(existsSync(folder), false);
  const used = openSpool(folder, OWNER);
  used.enter(1).write(row("a"));
  used.close();
  assert.deepEqual(readdirSync(folder), []);
});

test("a folder that is not writable does not throw", (t) => {
  const file = join(temporaryFolder(t), "file");
  writeFileSync(file, "");
  const spool = openSpool(join(file, "spool"), OWNER);
  spool.enter(1).write(row("a"));
  spool.turn()();
  spool.close();
});

test("after a write that was cut short none of its calls is in the spool, and later ones are", (t) => {
  const folder = temporaryFolder(t);
  const spool = openSpool(folder, OWNER);
  const [a, b, c] = [spool.enter(1), spool.enter(2), spool.enter(3)];
  a.write(row("a"));
  const write = fs.writeSync;
  const cut = t.mock.method(fs, "writeSync", (file: number, text: string) => write(file, text.slice(0, -10)));
  syncBuiltinESMExports();
  const isWritten = spool.writeAll([
    { spooled: b, row: row("b") },
    { spooled: c, row: row("c") },
  ]);
  cut.mock.restore();
  syncBuiltinESMExports();
  assert.equal(isWritten, false);
  assert.deepEqual(rowsOf(folder), [row("a")]);
  assert.equal(c.write(row("c")), true);
  assert.deepEqual(rowsOf(folder), [row("a"), row("c")]);
});

test(
  "a file that cannot be emptied or closed is no failure here",
  { skip: !existsSync("/proc/self/fd") },
  (t) => {
    const folder = temporaryFolder(t);
    const spool = openSpool(folder, OWNER);
    spool.enter(1).write(row("a"));
    const [file = ""] = readdirSync(folder);
    const isOurs = (fd: string): boolean => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === join(folder, file);
      } catch {
        return false;
      }
    };
    closeSync(Number(readdirSync("/proc/self/fd").find(isOurs)));
    spool.turn()();
    spool.close();
    assert.deepEqual(readdirSync(folder), []);
  },
);

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { originOf, type EngineEvent } from "../../../core/events.ts";
import { createEventLog, describeEvent } from "./event-log.ts";

const received: EngineEvent = {
  ...originOf(),
  type: "call.received",
  callId: "1",
  name: "ls",
  input: {},
  session: undefined,
};
const progressed: EngineEvent = { ...originOf(), type: "call.progressed", callId: "1", progress: "half" };
const lost: EngineEvent = { ...originOf(), type: "journal.failed", callId: "1", message: "the disk is full" };

const LEVELS: readonly (readonly ["error" | "info" | "debug", readonly string[]])[] = [
  ["error", ["journal.failed"]],
  ["info", ["call.received", "journal.failed"]],
  ["debug", ["call.received", "call.progressed", "journal.failed"]],
];
for (const [level, types] of LEVELS) {
  test(`level ${level} logs ${types.join(", ")}`, () => {
    const lines: string[] = [];
    const log = createEventLog({ level }, (line) => lines.push(line));
    for (const event of [received, progressed, lost]) log(event);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as EngineEvent).type),
      types,
    );
  });
}

test("a log file gets one line an event and is added to", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "events");
  for (let round = 0; round < 2; round += 1) createEventLog({ level: "info", file }, assert.fail)(lost);
  assert.equal(readFileSync(file, "utf8").trimEnd().split("\n").length, 2);
});

test("a log file that cannot be written is told once", () => {
  const told: string[] = [];
  const log = createEventLog({ level: "info", file: "/dev/null/log" }, (line) => told.push(line));
  log(lost);
  log(lost);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /warning: the log cannot be written/);
});

test("a line for a person holds no escapes and is bounded", () => {
  const event: EngineEvent = {
    ...originOf(),
    type: "call.progressed",
    callId: "1",
    progress: `\u{9b}31m${"x".repeat(9999)}`,
  };
  const line = describeEvent(event);
  assert.ok(line.length < 500);
  assert.doesNotMatch(line, /\p{Cc}/u);
});

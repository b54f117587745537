import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, call } from "../../host/testing/contracts/journal-calls.ts";
import type { CallRecord } from "../../../core/store/journal.ts";
import { createMemoryJournal } from "../../../store/in-memory.ts";
import { callLines, shortId } from "./call-lines.ts";
import { showCall } from "./show-call.ts";
import { timesOf, tracePage } from "./trace-page.ts";
import { watchCalls } from "./watch-calls.ts";

function record(parts: Partial<CallRecord>): CallRecord {
  const common = { position: 1, callId: "a", name: "read_file", input: { path: "a" }, session: null };
  const origin = { folder: null, subject: null, machine: null, usage: null };
  const open = { ...origin, state: "open", startedAt: null, answer: null, trace: null } as const;
  return { ...common, ...open, receivedAt: Date.now(), ...parts };
}

test("a call is shown with its user, machine, worker, model and the stages that it waited for", () => {
  const stages = [
    { stage: "approve", from: 1, to: 2501 },
    { stage: "execute", from: 2501, to: 2512 },
  ];
  const text = showCall(
    record({
      subject: "ada",
      machine: "mill",
      usage: { model: "x/small", inputTokens: 1200.5, outputTokens: 30, cost: 0.00125 },
      answer: answer("a", ""),
      trace: { stages, ranOn: { worker: "w1", machine: "barn" } },
    }),
    [],
    undefined,
  );
  for (const line of [
    /^user +ada$/m,
    /^machine +mill$/m,
    /^waited for +approve 2\.5s, execute 11ms$/m,
    /^ran on +barn, worker w1$/m,
    /^model +x\/small: 1201 tokens in, 30 out, \$0\.0013$/m,
  ])
    assert.match(text, line);
  assert.doesNotMatch(showCall(record({}), [], undefined), /user|machine|waited|ran on|model/);
});

test("a page says as a shown call does who approved a call", () => {
  const approval = { askedAt: 1, answeredAt: 2501, approved: true, by: "ada", scope: "session" } as const;
  const approved = record({ trace: { approval } });
  assert.match(tracePage([approved]), /<li>approval: approved \(session\) by ada after 2\.5s<\/li>/);
  assert.match(showCall(approved, [], undefined), /^approval +approved \(session\) by ada after 2\.5s$/m);
});

test("a page may have more calls than a function has arguments", () => {
  const one = record({ receivedAt: 7 });
  const calls = Array.from({ length: 300_000 }, () => one);
  assert.deepEqual(timesOf(calls), { from: 7, to: 8 });
});

test("a list of calls fits 80 columns: time, id, tool, input, outcome and duration", () => {
  const error = { code: "MISSING_CREDENTIALS", message: "no ".repeat(100) } as const;
  const failed = { ...answer("b", ""), ok: false, error } as const;
  const lines = callLines(
    [
      record({ callId: "toolu_01ABCDEFGHIJ", answer: answer("a", ""), state: "answered" }),
      record({ name: "an_mcp_tool_with_a_very_long_name", input: { command: "git\nlog ".repeat(50) } }),
      record({ callId: "b.12", answer: failed, state: "answered" }),
    ],
    80,
  );
  for (const { text } of lines) assert.ok(text.length <= 80, text);
  assert.match(lines[0]?.text ?? "", /^\d\d:\d\d:\d\d  CDEFGHIJ  read_file +a +ok +[\d.]+ms$/);
  assert.match(lines[1]?.text ?? "", /^\S+  a +an_mcp_tool_wit…  git log .*…  open$/);
  assert.match(lines[2]?.text ?? "", /^\S+  b\.12 +read_file +a +MISSING_CREDENTIALS  [\d.]+ms$/);
  assert.deepEqual(
    lines.map(({ isFailed }) => isFailed),
    [false, false, true],
  );
  const [wide] = callLines([record({ answer: failed })], 160);
  assert.match(wide?.text ?? "", /MISSING_CREDENTIALS  [\d.]+ms  no no .*…$/);
});

test("a list with calls of other days has the date, and lines of a growing list have fixed columns", () => {
  const [old] = callLines([record({ receivedAt: new Date(2026, 2, 1, 12, 30).getTime() })], 80);
  assert.match(old?.text ?? "", /^03-01 12:30  a /);
  const [open] = callLines([record({})], 80, true);
  assert.equal(open?.text.indexOf("read_file"), 20);
  const [done] = callLines([record({ answer: answer("a", "") })], 80, true);
  assert.equal(done?.text.indexOf("  ok"), open?.text.indexOf("  open"));
  assert.equal(shortId("0123456789abcdef.1.2"), "89abcdef.1.2");
});

test("a watch returns open calls, those that begin, and each call once more when it ends", async () => {
  const journal = createMemoryJournal();
  await journal.receive(call("before")).settle(answer("before", ""));
  const entry = journal.receive(call("open"));
  const changes = watchCalls(journal, {}, ({ callId }) => callId !== "ignored");
  const next = async () => (await changes()).map(({ callId, state }) => `${callId} ${state}`);
  assert.deepEqual(await next(), ["open open"]);
  assert.deepEqual(await next(), []);
  await journal.receive(call("short", { receivedAt: 2 })).settle(answer("short", ""));
  journal.receive(call("ignored"));
  await entry.settle(answer("open", ""));
  assert.deepEqual(await next(), ["open answered", "short answered"]);
  assert.deepEqual(await next(), []);
});

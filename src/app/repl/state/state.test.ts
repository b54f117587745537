import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import { originOf, type EngineEvent } from "../../../core/events.ts";
import type { ToolResult } from "../../../core/result.ts";
import { entryBlocks } from "./entry-blocks.ts";
import { onAgentEvent } from "./on-agent-event.ts";
import { onEngineEvent } from "./on-engine-event.ts";
import { FIRST_STATE, type ReplState } from "./repl-state.ts";
import { shortAnswer, summaryOf } from "./summary.ts";
import { addOutput, EMPTY_OUTPUT } from "./output-tail.ts";

const META = { startedAt: 0, durationMs: 5, place: "host", attempts: 1, source: "built-in" } as const;

function result(callId: string, text = "fine"): ToolResult {
  return { callId, name: "shell", ok: true, content: [{ type: "text", text }], meta: META };
}

function heard(state: ReplState, ...events: readonly (EngineEvent | AgentEventBody)[]): ReplState {
  let now = 0;
  return events.reduce((one, event) => {
    now += 100;
    if (isEngines(event)) return onEngineEvent(one, event, { session: "s", now });
    return onAgentEvent(one, { session: "s", agentId: "a", ...event });
  }, state);
}

type AgentEventBody = {
  [Type in AgentEvent["type"]]: Omit<Extract<AgentEvent, { type: Type }>, "session" | "agentId">;
}[AgentEvent["type"]];

function isEngines(event: EngineEvent | AgentEventBody): event is EngineEvent {
  return /^(?:call|approval|hook|journal)\./.test(event.type);
}

const received = {
  ...originOf(),
  type: "call.received",
  callId: "c",
  name: "shell",
  input: { command: "ls" },
  session: "s",
} as const;
const started = { ...originOf("s"), type: "call.started", callId: "c", name: "shell", attempt: 1 } as const;

test("a call is waiting, then asking, then running, then a finished block", () => {
  const waiting = heard(FIRST_STATE, received);
  assert.deepEqual(
    waiting.calls.map(({ phase, summary }) => [phase, summary]),
    [["waiting", "ls"]],
  );
  const asking = heard(waiting, { ...originOf("s"), type: "approval.asked", callId: "c", hash: "h" });
  assert.equal(asking.calls[0]?.phase, "asking");
  const running = heard(asking, started);
  assert.equal(running.calls[0]?.phase, "running");
  const over = onEngineEvent(
    running,
    { ...originOf("s"), type: "call.answered", callId: "c", result: result("c") },
    { session: "s", now: 400 },
  );
  assert.deepEqual(over.calls, []);
  assert.deepEqual(over.blocks, [
    {
      kind: "call",
      summary: "ls",
      result: result("c"),
      durationMs: 5,
      isOfChild: false,
      isExpanded: false,
    },
  ]);
});

test("a call that never ran has no duration, however long its approval took", () => {
  const over = heard(FIRST_STATE, received, {
    ...originOf("s"),
    type: "call.answered",
    callId: "c",
    result: result("c"),
  });
  assert.equal(over.blocks[0]?.kind === "call" && over.blocks[0].durationMs, undefined);
});

test("a call of another session is a child's", () => {
  const { calls } = heard(FIRST_STATE, { ...received, session: "child" });
  assert.equal(calls[0]?.isOfChild, true);
});

test("calls of two agents may have the same id", () => {
  const ofChild = { ...received, session: "child", input: { command: "pwd" } };
  const answered = { ...originOf("child"), type: "call.answered", callId: "c", result: result("c") } as const;
  const { calls, blocks } = heard(FIRST_STATE, received, ofChild, started, answered);
  assert.deepEqual(
    calls.map(({ summary, phase }) => [summary, phase]),
    [["ls", "running"]],
  );
  assert.deepEqual(
    blocks.map((block) => block.kind === "call" && block.summary),
    ["pwd"],
  );
});

test("the model's text before a call stands above it, and later text stays live", () => {
  const said = heard(
    FIRST_STATE,
    { type: "model.text", text: "One.\n\nTw" },
    { type: "model.text", text: "o." },
  );
  assert.deepEqual(said.blocks, [{ kind: "markdown", text: "One." }]);
  assert.equal(said.text, "Two.");
  const called = heard(said, received);
  assert.deepEqual(called.blocks.at(-1), { kind: "markdown", text: "Two." });
  assert.equal(called.text, "");
});

test("a message waits until it is read, also if a secret in it was masked", () => {
  const waiting: ReplState = { ...FIRST_STATE, waiting: ["my key is abc", "second"] };
  const message = { role: "user", content: [{ type: "text", text: "my key is ***" }] } as const;
  const read = heard(waiting, { type: "message.added", message });
  assert.deepEqual(read.waiting, ["second"]);
  assert.deepEqual(read.blocks, [{ kind: "prompt", text: "my key is ***" }]);
});

test("a message from another sender has its name, and leaves waiting messages alone", () => {
  const from = { kind: "hook", id: "h", name: "tests" } as const;
  const message = { role: "user", content: [{ type: "text", text: "run them" }], from } as const;
  const read = heard({ ...FIRST_STATE, waiting: ["mine"] }, { type: "message.added", message });
  assert.deepEqual(read.waiting, ["mine"]);
  assert.deepEqual(read.blocks, [{ kind: "prompt", text: "run them", from: "hook tests" }]);
});

test("warnings about budgets, loops, hooks and the journal are shown", () => {
  const { blocks } = heard(
    FIRST_STATE,
    { type: "budget.warned", kind: "turns", used: 8, limit: 10 },
    { type: "budget.spent", kind: "turns", used: 10, limit: 10 },
    { type: "budget.warned", kind: "time", used: 1600, limit: 2000 },
    { type: "budget.spent", kind: "money", used: 0.00012, limit: 0.0001 },
    { type: "loop.suspected", description: "ls again" },
    { type: "session.compacted", tokensBefore: 100, tokensAfter: 10 },
    { type: "model.retried", attempt: 2, waitMs: 1500, message: "busy" },
    { type: "hook.failed", hook: "h", point: "before_call", message: "broken" } as unknown as EngineEvent,
    { ...originOf(), type: "journal.failed", callId: "c", message: "disk full" },
  );
  const told = blocks.map((block) =>
    block.kind === "notice" ? `${block.level}: ${block.text}` : block.kind,
  );
  assert.deepEqual(told, [
    "warning: the budget is nearly spent: 8 of 10 turns",
    "error: the budget is spent: 10 of 10 turns",
    "warning: the budget is nearly spent: 1.6 of 2.0 s",
    "error: the budget is spent: $0.00012 of $0.0001",
    "warning: the agent may be stuck in a loop: ls again",
    "info: the conversation was compacted: 100 tokens before, 10 now",
    "warning: retrying the model in 1.5 s (attempt 2): busy",
    "warning: hook h failed: broken",
    "warning: a call ran, but its answer could not be stored: disk full",
  ]);
});

test("after a compaction the context that is left is that of the shorter conversation", () => {
  const compacted = { type: "session.compacted", tokensBefore: 60_000, tokensAfter: 15_000 } as const;
  assert.equal(heard({ ...FIRST_STATE, contextTokens: 40_000 }, compacted).contextTokens, 10_000);
  assert.equal(heard(FIRST_STATE, compacted).contextTokens, 15_000);
});

test("what was spent before a task is noted when it begins, not in its course", () => {
  const spent = { turns: 7, tokens: 10, money: undefined, timeMs: 0, calls: 0 };
  const began = heard(
    { ...FIRST_STATE, agentState: "idle", spent },
    { type: "agent.state", state: "waiting_for_model" },
  );
  assert.equal(began.spentBefore, spent);
  const later = heard(
    { ...began, spent: { ...spent, turns: 8 } },
    { type: "agent.state", state: "executing_tools" },
  );
  assert.equal(later.spentBefore, spent);
});

test("output joins pieces of a line and keeps standard error separate", () => {
  const tail = [
    { stream: "stdout", text: "on" },
    { stream: "stdout", text: "e\ntw" },
    { stream: "stderr", text: "bad\n" },
    { stream: "stdout", text: "o\n" },
    { message: "half", done: 1, total: 2 },
    "word",
  ].reduce((one, progress) => addOutput(one, progress), EMPTY_OUTPUT);
  assert.deepEqual(
    tail.lines.map(({ text, isError }) => (isError ? `! ${text}` : text)),
    ["one", "tw", "! bad", "o", "half (1/2)", "word"],
  );
});

test("output is limited to its last lines, with the number of dropped ones", () => {
  const text = Array.from({ length: 700 }, (_, index) => `${index}\n`).join("");
  const { lines, dropped } = addOutput(EMPTY_OUTPUT, {
    stream: "stdout",
    text: `${text}${"x".repeat(10_000)}`,
  });
  assert.deepEqual([lines.length, dropped, lines.at(-1)?.text.length], [500, 201, 2000]);
});

for (const [input, summary] of [
  [{ timeout: 5, command: "npm\ntest" }, "npm test"],
  [{ path: "a.ts", content: "x" }, "a.ts"],
  [{ path: "src", pattern: "TODO" }, "TODO"],
  [{ a: 1, b: [2] }, '{"a":1,"b":[2]}'],
  [
    {
      todos: [
        { content: "Read it", status: "completed" },
        { content: "Write\nit", status: "in_progress" },
      ],
    },
    "2 tasks, 1 done: Write it",
  ],
  [{ todos: [{ content: "Read it" }] }, "1 task: Read it"],
  [{ todos: [] }, "no tasks"],
  [{ todos: "later" }, '{"todos":"later"}'],
  [{}, ""],
  ["odd\u{1b}[2J", '"odd\\u001b[2J"'],
] as const) {
  test(`the main part of ${JSON.stringify(input)} is ${JSON.stringify(summary)}`, () =>
    assert.equal(summaryOf(input), summary));
}

test("a short answer has the first line and the number of further lines", () => {
  assert.equal(shortAnswer(result("c", "\n one\u{1b}[2K\ntwo\nthree\n")), "one (2 more lines)");
  assert.equal(shortAnswer(result("c", "one\ntwo"), { hasChange: true }), "one");
  assert.equal(shortAnswer(result("c", "")), "no output");
  assert.equal(
    shortAnswer(result("c", "\n> demo test\n> node --test\n\n✔ adds\nmore")),
    "✔ adds (1 more line)",
  );
  assert.equal(shortAnswer(result("c", "> quoted")), "> quoted");
});

test("a stored session is shown as before: messages, calls with answers and commands, but no state", () => {
  const call = { id: "c", name: "shell", input: { command: "ls" } };
  const blocks = entryBlocks(
    [
      { kind: "message", turn: 1, message: { role: "user", content: [{ type: "text", text: "go" }] } },
      { kind: "state", state: "executing_tools" },
      {
        kind: "message",
        turn: 1,
        message: {
          role: "assistant",
          parts: [
            { type: "text", text: "I look." },
            { type: "call", call },
          ],
        },
      },
      { kind: "message", turn: 1, message: { role: "tool", results: [result("c")] } },
      { kind: "command", text: "/mode", output: "mode auto\n" },
    ].map((entry, index) => ({ ...entry, seq: index + 1, at: 0 })) as Parameters<typeof entryBlocks>[0],
  );
  assert.deepEqual(
    blocks.map((block) => [
      block.kind,
      "summary" in block ? block.summary : "text" in block ? block.text : "",
    ]),
    [
      ["prompt", "go"],
      ["markdown", "I look."],
      ["call", "ls"],
      ["command", "/mode"],
    ],
  );
});

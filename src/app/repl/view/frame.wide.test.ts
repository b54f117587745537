import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import * as fc from "fast-check";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { approvalQuestion } from "../../host/approvals/approval-question.ts";
import { firstDialog } from "../state/dialog.ts";
import { FIRST_STATE, type LiveCall, type PendingApproval, type ReplState } from "../state/repl-state.ts";
import { addOutput, EMPTY_OUTPUT } from "../state/output-tail.ts";
import { createPaint, type Paint, type Style } from "../../terminal/print/paint.ts";
import { createFrame, todoRows } from "./frame.ts";
import { statusRow } from "./status.ts";
import { runs } from "../../../../test/support/property-runs.ts";

const INFO = {
  id: "s",
  model: "provider/model",
  mode: "auto",
  level: "ask",
  workspace: "/w",
  home: "/home/me",
  window: 100_000,
  background: 0,
  instructions: [],
  budget: { turns: 10 },
} as const;
const SPENT = { turns: 4, tokens: 12_345, money: 0.5, timeMs: 0, calls: 0 };
const READY: ReplState = { ...FIRST_STATE, agentState: "idle", info: INFO, spent: SPENT };

const REQUEST: ApprovalRequest = {
  callId: "c1",
  tool: "shell",
  risk: "high",
  input: { command: "rm -r build", timeout: 5 },
  facts: [{ kind: "command", text: "rm -r build", cwd: "/w" }],
  reason: "it is high risk",
  hash: "h",
  grant: { tool: "shell", decision: "allow" },
};

function call(id: string, lines: number): LiveCall {
  const text = Array.from({ length: lines }, (_, index) => `${id} line ${index} ${"x".repeat(index)}\n`).join(
    "",
  );
  const output = addOutput(EMPTY_OUTPUT, { stream: "stdout", text });
  return {
    id,
    session: undefined,
    name: "shell",
    summary: "npm test",
    isOfChild: false,
    phase: "running",
    startedAt: 0,
    output,
  };
}

const paint = createPaint({ isColoured: false });
const frameRows = createFrame();

function rowsOf(state: ReplState): readonly string[] {
  return frameRows(state, { width: 80, rows: 24, now: 1234, paint, prompt: ["> "] });
}

function pendingOf(request: ApprovalRequest): PendingApproval {
  const question = approvalQuestion(request);
  return { id: 1, request, question, dialog: firstDialog(question) };
}

test("a frame is never higher than the screen, never wider, and the prompt is in it", () => {
  const states = fc.record({
    calls: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 5 }),
    text: fc.string({ maxLength: 3000 }),
    asks: fc.boolean(),
    isExpanded: fc.boolean(),
    todos: fc.integer({ min: 0, max: 30 }),
    waiting: fc.array(fc.string(), { maxLength: 4 }),
    columns: fc.integer({ min: 20, max: 160 }),
    rows: fc.integer({ min: 10, max: 60 }),
  });
  fc.assert(
    fc.property(states, (given) => {
      const state: ReplState = {
        ...READY,
        text: given.text,
        waiting: given.waiting,
        isExpanded: given.isExpanded,
        isArmed: given.asks,
        calls: given.calls.map((lines, index) => call(`c${index}`, lines)),
        todos: Array.from({ length: given.todos }, (_, index) => ({
          content: `todo ${index}`,
          status: "pending",
        })),
        approvals: given.asks ? [pendingOf({ ...REQUEST, reason: given.text })] : [],
      };
      const { columns, rows } = given;
      const lines = frameRows(state, { width: columns, rows, now: 0, paint, prompt: ["> "] });
      assert.ok(lines.length < rows, `${lines.length} of ${rows}`);
      for (const row of lines) assert.ok(visibleWidth(row) <= columns, row);
      assert.ok(lines.includes("> "));
    }),
    { numRuns: runs(200) },
  );
});

test("several calls run side by side, each with the last five lines of its output", () => {
  const rows = rowsOf({ ...READY, agentState: "executing_tools", calls: [call("c1", 8), call("c2", 2)] });
  assert.deepEqual(
    rows.slice(1, 10).map((row) => row.slice(0, 30).trimEnd()),
    [
      "⠹ shell 1.2 s  npm test",
      "  … 3 more, Ctrl-O shows them",
      "  │ c1 line 3 xxx",
      "  │ c1 line 4 xxxx",
      "  │ c1 line 5 xxxxx",
      "  │ c1 line 6 xxxxxx",
      "  │ c1 line 7 xxxxxxx",
      "⠹ shell 1.2 s  npm test",
      "  │ c2 line 0",
    ],
  );
});

test("a question shows the command, its choices in words, and how many are pending", () => {
  const pending = pendingOf(REQUEST);
  const rows = rowsOf({
    ...READY,
    isArmed: true,
    approvals: [
      { ...pending, id: 1 },
      { ...pending, id: 2 },
    ],
  });
  assert.deepEqual(rows.slice(1, -1), [
    "? Run rm -r build  shell, high risk · 1 of 2",
    "  it is high risk",
    "  in /w",
    '  input { "timeout": 5 }',
    "  [y] Allow once",
    "  [s] Allow shell for the rest of the session",
    "  [a] Always allow shell",
    "  [e] Edit the input",
    "  [n] No",
    "> ",
  ]);
});

test("a question about several calls shows the input of each, and which of them is asked about again", () => {
  const inner = { facts: [], decision: "ask", reason: "it is high risk" } as const;
  const calls = [
    { ...inner, tool: "send", input: { to: "everyone" } },
    { ...inner, tool: "write_file", input: { path: ".envrc" }, isAskedAgain: true },
  ];
  const request = { ...REQUEST, tool: "batch", calls };
  const approvals = [pendingOf(request)];
  assert.deepEqual(rowsOf({ ...READY, isArmed: true, approvals }).slice(3, 7), [
    "  call 1: send is approved with this answer: it is high risk",
    '  input { "to": "everyone" }',
    "  call 2: write_file gets a question of its own: it is high risk",
    '  input { "path": ".envrc" }',
  ]);
});

test("nothing in a question moves the cursor or hides what follows", () => {
  const request = { ...REQUEST, reason: "a\u{1b}[2J\u{202e}b", facts: [], input: { x: "\u{1b}]0;t\u{7}" } };
  const rows = rowsOf({
    ...READY,
    isArmed: true,
    approvals: [pendingOf(request)],
  });
  assert.match(rows.join("\n"), /a\\u\{1b\}\[2J\\u\{202e\}b/);
  assert.ok(!/[^\P{Cc}\n]/u.test(rows.join("\n")));
});

test("output is shown without its control characters", () => {
  const output = addOutput(EMPTY_OUTPUT, { stream: "stderr", text: "\u{1b}[2J\u{1b}[1mred\u{7}\n" });
  const rows = rowsOf({ ...READY, calls: [{ ...call("c1", 0), output }] });
  assert.ok(rows.includes("  ! red"), rows.join("\n"));
});

for (const { what, before, turns, right } of [
  {
    what: "is far from its limit",
    before: 0,
    turns: 4,
    right: "4 turns",
  },
  {
    what: "is near its limit",
    before: 0,
    turns: 8,
    right: "8 turns · budget 80 %",
  },
  {
    what: "begins in a long chat",
    before: 50,
    turns: 51,
    right: "51 turns",
  },
])
  test(`the status of a task that ${what} shows its share of the budget only near the limit`, () => {
    const spent = { ...SPENT, money: undefined, tokens: 0, turns };
    const spentBefore = { ...spent, turns: before };
    const row = statusRow(
      { ...READY, agentState: "waiting_for_model", spent, spentBefore },
      { width: 130, now: 0, paint },
    );
    assert.deepEqual(row.replace(/^\S /u, "").split(/ {3,}/), [
      "thinking · provider/model · mode auto · level ask",
      right,
    ]);
  });

for (const [width, left, right] of [
  [
    130,
    "ready · provider/model · mode auto · level ask · 2 in background",
    "4 turns · 12.3k tokens · $0.5000 · 75 % context left",
  ],
  [100, "ready · provider/model · mode auto · level ask · 2 in background", "$0.5000 · 75 % context left"],
  [90, "ready · model · mode auto · level ask · 2 in background", "$0.5000 · 75 % context left"],
  [80, "ready · model · mode auto · ask · 2 in background", "$0.5000 · 75 % context left"],
  [60, "ready · model · auto · 2 in background", "75 % context left"],
  [40, "ready · mode auto", "75 % context left"],
  [20, "ready · mode auto", ""],
] as const) {
  test(`at ${width} columns the status has ${left} on the left, and ${right || "nothing"} at the right edge`, () => {
    const state = { ...READY, info: { ...INFO, background: 2 }, contextTokens: 25_000 };
    const row = statusRow(state, { width, now: 0, paint });
    assert.deepEqual(row.split(/ {3,}/), right === "" ? [left] : [left, right]);
    assert.equal(row.length, right === "" ? left.length : width);
  });
}

test("a frame that changes something else does not draw the text of the model again", () => {
  const styles: string[] = [];
  const counting: Paint = Object.assign(
    (style: Style | undefined, text: string): string => {
      styles.push(String(style));
      return text;
    },
    { depth: 1 },
  );
  const view = { width: 80, rows: 24, now: 0, prompt: ["> "], paint: counting };
  const drawnBold = (text: string): number => {
    styles.length = 0;
    frameRows({ ...READY, text }, view);
    return styles.filter((style) => style === "bold").length;
  };
  assert.ok(drawnBold("a **bold** word") > 0);
  assert.equal(drawnBold("a **bold** word"), 0);
  assert.ok(drawnBold("a **bold** word and more") > 0);
});

test("before the first turn the status has no cost", () => {
  const spent = { turns: 0, tokens: 0, money: 0, timeMs: 0, calls: 0 };
  assert.doesNotMatch(statusRow({ ...READY, spent }, { width: 130, now: 0, paint }), /\$/);
});

test("todos are a list that can be hidden, and disappear when all are done", () => {
  const todos = [
    { content: "first", status: "completed" },
    { content: "second", status: "in_progress" },
    { content: "third", status: "pending" },
  ] as const;
  assert.equal(
    todoRows(todos, true, { width: 80, paint }).join("\n"),
    "1 of 3 done  Ctrl-T hides them\n  [x] first\n  [>] second\n  [ ] third",
  );
  assert.equal(
    todoRows(todos, false, { width: 80, paint }).join("\n"),
    "1 of 3 done  Ctrl-T shows them: second",
  );
  assert.deepEqual(todoRows(todos.slice(0, 1), true, { width: 80, paint }), []);
});

test("a question that does not fit has the note that more is hidden, however small the screen is", () => {
  const approvals = [pendingOf(REQUEST)];
  const state = { ...READY, isArmed: true, approvals };
  for (const width of [20, 30, 80])
    for (let rows = 7; rows <= 40; rows += 1) {
      const shown = frameRows(state, { width, rows, now: 0, paint, prompt: ["? "] }).join("\n");
      const isWhole = shown.includes("? Run rm") && shown.includes("timeout");
      const isNoted = /… \d+ more rows/.test(shown);
      assert.ok(isNoted || isWhole, `${width} columns, ${rows} rows:\n${shown}`);
      assert.match(shown, /\[n\] no/i);
    }
});

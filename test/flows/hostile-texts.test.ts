import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPermissions } from "../../src/app/acp/permissions.ts";
import { exportJson, exportMarkdown } from "../../src/agent/sessions/export.ts";
import type { ApprovalRequest } from "../../src/core/approval.ts";
import { toForm } from "../../src/app/gateway/calls/approval-form.ts";
import { approvalQuestion } from "../../src/app/host/approvals/approval-question.ts";
import { toApproval } from "../../src/app/http/calls/to-approval.ts";
import { firstDialog } from "../../src/app/repl/state/dialog.ts";
import { approvalRows } from "../../src/app/repl/view/approval.ts";
import {
  choiceLines,
  questionDetails,
  questionWords,
} from "../../src/app/terminal/approve/question-words.ts";
import { createPaint } from "../../src/app/terminal/print/paint.ts";
import { code, heading, text, toMarkdown } from "../../src/tools/reports/blocks.ts";
import { toHtml } from "../../src/tools/reports/to-html.ts";
import { queueApprovals } from "../support/examples/approval-example.ts";
import { said } from "../support/agents/messages.ts";
import {
  assertNothingHidden,
  assertVisible,
  HOSTILE_REQUESTS,
  HOSTILE_TEXT,
  textsOf,
} from "../support/generators/hostile-texts.ts";
import { createPlace, runCli } from "./support/cli.ts";

const paint = createPaint({ isColoured: false });

/** The doors that draw the question in this process, each with all that it shows. test/flows/serve-console.test.ts has the page. */
const DOORS: Readonly<Record<string, (request: ApprovalRequest) => string | Promise<string>>> = {
  terminal(request) {
    const question = approvalQuestion(request);
    const page = { width: 100_000, isTerminal: true };
    return (
      questionWords(question, request, page) +
      choiceLines(question, page) +
      questionDetails(question, request, page)
    );
  },
  REPL(request) {
    const question = approvalQuestion(request);
    const pending = { id: 1, request, question, dialog: firstDialog(question) };
    // Wrapped rows would cut an escape in two.
    const view = { count: 2, isArmed: true, room: 1000, width: 100_000, paint };
    return approvalRows(pending, view).join("\n");
  },
  "MCP form": (request) => textsOf(toForm(request)),
  async ACP(request) {
    const shown: { readonly toolCall: object; readonly options: object }[] = [];
    const context = {
      request(_method: string, params: never) {
        shown.push(params);
        return Promise.resolve({ outcome: { outcome: "cancelled" } });
      },
    };
    const client = { context, sessionId: "s", capabilities: {} } as never;
    const approver = createPermissions(client, { idOf: () => "1" }, () => undefined);
    await approver.ask(request, new AbortController().signal);
    const [params] = shown;
    // An editor gets the input, and the files to open, as they are.
    const {
      rawInput: _input,
      locations: _locations,
      ...call
    } = { ...params?.toolCall } as Record<string, object>;
    const { content = [], ...rest } = call;
    const contents = (content as readonly { readonly path?: string }[]).map(({ path: _path, ...one }) => one);
    return textsOf([rest, contents, params?.options ?? []]);
  },
  HTTP: (request) => {
    const {
      choices,
      form: _form,
      ...rest
    } = toApproval({ id: "1", askedAt: 0, approvedBy: [], request }).question;
    return textsOf([rest, choices.map(({ approval: _approval, ...choice }) => choice)]);
  },
};

for (const [door, draw] of Object.entries(DOORS))
  for (const [what, request] of Object.entries(HOSTILE_REQUESTS))
    test(`${door} shows ${what} with every hidden character as its number`, async () =>
      assertVisible(await draw(request), `${door}: ${what}`));

test("approve lists waiting calls with every hidden character as its number", async (t) => {
  const place = createPlace(t);
  for (const [what, request] of Object.entries(HOSTILE_REQUESTS)) {
    await queueApprovals(place.home, ["a"], request);
    assertVisible((await runCli(place, ["approve"])).stdout, what);
  }
});

test("explain, trace and its page show a call with every hidden character as its number", async (t) => {
  const place = createPlace(t);
  const path = HOSTILE_TEXT;
  for (const call of [
    [`echo ${HOSTILE_TEXT}; cat > '${HOSTILE_TEXT}'`],
    ["write_file", `path=${path}`, "content=x"],
  ])
    assertVisible((await runCli(place, ["explain", ...call])).stdout, `explain ${call[0]}`);
  assert.equal((await runCli(place, ["call", "write_file", `path=${path}`, "content=x", "--yes"])).code, 0);
  assertNothingHidden((await runCli(place, ["trace"])).stdout, "trace");
  const { stdout } = await runCli(place, ["trace", "--json"]);
  assertVisible(stdout, "trace --json");
  const { callId } = JSON.parse(stdout) as { readonly callId: string };
  assertVisible((await runCli(place, ["trace", callId])).stdout, "trace ID");
  assert.equal((await runCli(place, ["trace", "export", "calls.html", "--format", "html"])).code, 0);
  assertVisible(readFileSync(join(place.folder, "calls.html"), "utf8"), "the page of a trace");
});

test("reports and exported sessions have every hidden character as its number", () => {
  const blocks = [
    heading(1, HOSTILE_TEXT),
    text(`${HOSTILE_TEXT}\n\`\`\`\n${HOSTILE_TEXT}\n\`\`\``),
    code(HOSTILE_TEXT),
  ];
  const rows = [[HOSTILE_TEXT, HOSTILE_TEXT]] as const;
  const all = [...blocks, { kind: "facts", rows }, { kind: "table", rows }] as const;
  assertVisible(toHtml(HOSTILE_TEXT, all, new Map()), "report.html");
  assertVisible(toMarkdown(all), "report.md");
  const info = {
    id: "one",
    title: HOSTILE_TEXT,
    agent: { id: "a", name: HOSTILE_TEXT },
    workspace: HOSTILE_TEXT,
    model: HOSTILE_TEXT,
    state: "done",
    turns: 1,
    createdAt: 0,
    updatedAt: 1000,
  } as const;
  const entries = [
    { seq: 1, at: 0, kind: "message", turn: 1, message: said(HOSTILE_TEXT) },
    { seq: 2, at: 0, kind: "command", text: HOSTILE_TEXT, output: HOSTILE_TEXT },
  ] as const;
  assertVisible(exportMarkdown(info, entries), "a session as Markdown");
  const json = exportJson(info, entries);
  assertVisible(json, "a session as JSON");
  assert.equal((JSON.parse(json) as { readonly info: { readonly title: string } }).info.title, HOSTILE_TEXT);
});

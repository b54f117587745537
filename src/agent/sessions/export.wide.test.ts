import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { lexer } from "marked";
import { answered, called, resultOf, results, said } from "../../../test/support/agents/messages.ts";
import { exportJson, exportMarkdown } from "./export.ts";
import type { Entry, EntryBody, SessionInfo } from "./transcript.ts";
import { runs } from "../../../test/support/property-runs.ts";

const INFO: SessionInfo = {
  id: "one",
  title: "Look `here`",
  agent: { id: "a", name: "Ada" },
  workspace: "/srv",
  model: "fake/model",
  state: "done",
  turns: 1,
  createdAt: 0,
  updatedAt: 1000,
};

const entries = (...bodies: readonly EntryBody[]): readonly Entry[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, at: 0 }));

/** Every way a text gets into an export. */
function everywhere(text: string): readonly Entry[] {
  return entries(
    { kind: "message", turn: 1, message: said(text) },
    {
      kind: "message",
      turn: 1,
      message: {
        role: "assistant",
        parts: [
          { type: "reasoning", text },
          { type: "text", text },
          { type: "call", call: { id: text, name: text, input: { text } } },
          { type: "call", call: { id: "u", name: "u", input: text, unreadable: text } },
        ],
      },
    },
    { kind: "message", turn: 1, message: results({ ...resultOf(text, text), name: text }) },
    { kind: "message", turn: 1, message: { ...said(text), from: { kind: "hook", id: text, name: text } } },
    { kind: "compaction", summary: text, keptFrom: 1 },
    { kind: "instructions", parts: [{ name: text, text }], keepsHistory: false },
    { kind: "command", text, output: text },
    { kind: "state", state: "failed", reason: text },
  );
}

const HEADINGS = [
  "Session",
  "1. Person",
  /^2\. Agent /,
  "3. Results",
  /^4\. hook /,
  "5. Summary of the entries before 1",
  "6. New instructions, earlier messages dropped",
  "7. Slash command, not sent to the model",
  "8. Failed",
];

/** What a Markdown reader takes for headings, at whatever depth, and the raw HTML. */
function outline(markdown: string): {
  readonly headings: readonly string[];
  readonly html: readonly string[];
} {
  const headings: string[] = [];
  const html: string[] = [];
  const visit = (tokens: readonly Readonly<Record<string, unknown>>[]): void => {
    for (const token of tokens) {
      if (token["type"] === "heading") headings.push(String(token["text"]));
      if (token["type"] === "html") html.push(String(token["text"]).trim());
      for (const inner of [token["tokens"], token["items"]]) {
        if (Array.isArray(inner)) visit(inner as readonly Readonly<Record<string, unknown>>[]);
      }
    }
  };
  visit(lexer(markdown) as unknown as readonly Readonly<Record<string, unknown>>[]);
  return { headings, html };
}

function assertOurs(text: string): void {
  const info = {
    ...INFO,
    title: text,
    agent: { id: "a", name: text },
    workspace: text,
    id: text,
    model: text,
  };
  const { headings, html } = outline(exportMarkdown(info, everywhere(text)));
  assert.equal(headings.length, HEADINGS.length, JSON.stringify(headings));
  for (const [index, wanted] of HEADINGS.entries()) {
    if (typeof wanted === "string") assert.equal(headings[index], wanted);
    else assert.match(headings[index] ?? "", wanted);
  }
  for (const tag of html)
    assert.match(tag, /^(?:<details><summary>(?:Summary|Reasoning)<\/summary>|<\/details>)$/);
}

describe("exportMarkdown", () => {
  it("shows messages, calls and results, with slash commands marked", () => {
    const markdown = exportMarkdown(INFO, [
      ...entries(
        { kind: "message", turn: 1, message: said("hello\nthere") },
        { kind: "message", turn: 1, message: called({ id: "c1", input: { path: "a.ts" } }) },
        { kind: "message", turn: 1, message: results(resultOf("c1", "x".repeat(5000))) },
        { kind: "message", turn: 1, message: answered("done") },
        { kind: "command", text: "/tool", output: "grep" },
        { kind: "usage", turn: 1, model: "m", usage: { inputTokens: 7, outputTokens: 8 }, cost: 0.5 },
      ),
    ]);
    assert.match(markdown, /- About: `` Look `here` ``\n/);
    assert.match(markdown, /## 1\. Person\n\n> hello\n> there\n/);
    assert.match(markdown, /Calls `look` \(`c1`\)\n\n```json\n\{\n {2}"path": "a\.ts"\n\}\n```/);
    assert.match(
      markdown,
      /`look` \(`c1`\) answered\n\n```text\nx{2000}\n\[3000 more characters are in the session\]\n```/,
    );
    assert.match(markdown, /## 5\. Slash command, not sent to the model\n\n```text\n\/tool\n```/);
    assert.match(markdown, /- 1 turn, 1 call, 7 tokens in, 8 out, cost 0\.5000\n/);
  });

  const tricks = [
    "# heading",
    "text\n===",
    "text\n---",
    "- # in a list",
    "1. # in a list",
    "> # in a quote",
    "```\n# after a fence\n````\n# again",
    "~~~\n# tilde",
    "<h1>html</h1>",
    "<!-- everything after is gone",
    "</details>\n\n## 9. Person",
    "a\u2028# b",
    "a\r# b",
    "`",
    "``x` y``",
    "",
    " ",
    "\t# tab",
    "[link]: # 'x'\n\n# y",
  ];
  for (const trick of tricks) {
    it(`has no heading or markup but its own around ${JSON.stringify(trick)}`, () => assertOurs(trick));
  }

  it("has no heading or markup but its own around any text", () => {
    const piece = fc.constantFrom(
      "#",
      " ",
      "\n",
      "`",
      "```",
      "~~~",
      ">",
      "-",
      "=",
      "<",
      "h1>",
      "/details>",
      "a",
      "1.",
      "\t",
      "\r",
      "*",
      "|",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => assertOurs(pieces.join(""))),
      { numRuns: runs(400) },
    );
  });
});

describe("exportJson", () => {
  it("has all stored data", () => {
    const all = everywhere("x\u2028</script>");
    const read = JSON.parse(exportJson(INFO, all)) as Readonly<Record<string, unknown>>;
    assert.deepEqual(read, { format: "toolwright-session", version: 1, info: INFO, entries: all });
  });
});

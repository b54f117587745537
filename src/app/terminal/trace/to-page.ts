import type { CallRecord } from "../../../core/store/journal.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { escapeHtml } from "../../../util/text/visible.ts";
import { summarizeInput } from "./summarize-input.ts";
import { durationText, outcomeOf } from "./outcome.ts";

/** Returns a page of the calls that needs no other file and runs no script. */
export function toPage(calls: readonly CallRecord[]): string {
  const rows = calls.map(toRow).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Toolwright trace: ${calls.length} calls</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Toolwright trace</h1>
<p>${calls.length} calls, oldest first. Open a line to see the input, the decision and the answer.</p>
<main>
${rows}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; }
summary { cursor: pointer; display: grid; grid-template-columns: 12rem 10rem 1fr auto; gap: 1rem; padding: 0.3rem 0; }
summary span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.failed { color: #c62828; }
@media (prefers-color-scheme: dark) { .failed { color: #ef9a9a; } }
pre { overflow: auto; padding: 0.6rem; border: 1px solid #8886; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) { summary { grid-template-columns: 1fr; gap: 0; } }
`;

function toRow(call: CallRecord): string {
  const { callId, name, session, receivedAt, input, answer, trace, state } = call;
  const { verdict, approval } = trace ?? {};
  const facts = [
    ["call", callId],
    ["session", session ?? "none"],
    ["state", state],
    ["place", answer?.meta.place ?? "none"],
    [
      "decision",
      verdict === undefined ? "not recorded" : `${verdict.kind}: ${verdict.reason} (${verdict.rule})`,
    ],
    ["approval", approval === undefined ? "none" : approval.approved ? "approved" : "denied"],
  ].map(([label, value]) => `<li>${label}: ${escapeHtml(String(value))}</li>`);
  const time = new Date(receivedAt).toISOString();
  const outcome = `${outcomeOf(call)} ${durationText(answer?.meta.durationMs)}`;
  const isFailed = answer?.ok === false;
  return `<details><summary><span>${time}</span><span>${escapeHtml(name)}</span><span>${escapeHtml(summarizeInput(input))}</span><span${isFailed ? ' class="failed"' : ""}>${escapeHtml(outcome)}</span></summary>
<ul>${facts.join("")}</ul>
<h2>Input</h2><pre>${escapeHtml(JSON.stringify(input, undefined, 2))}</pre>
<h2>Answer</h2><pre>${escapeHtml(contentText(answer?.content ?? []))}</pre></details>`;
}

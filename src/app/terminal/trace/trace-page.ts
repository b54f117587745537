import { ranMs } from "../print/ran-ms.ts";
import type { CallRecord } from "../../../core/store/journal.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { escapeHtml } from "../../../util/text/visible.ts";
import { approvalText, durationText, outcomeOf, ranText, summarizeInput } from "./call-lines.ts";

/** Returns a page of the calls, oldest first, that needs no other file and runs no script. It looks like the console. */
export function tracePage(calls: readonly CallRecord[]): string {
  const times = timesOf(calls);
  const days = Map.groupBy(calls, ({ receivedAt }) => new Date(receivedAt).toISOString().slice(0, 10));
  const rows = [...days].map(
    ([day, ofDay]) => `<h2>${day}</h2>\n${ofDay.map((call) => toRow(call, times)).join("\n")}`,
  );
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
<p class="muted">${calls.length} calls, oldest first; times are UTC. Open a line to see the input, the decision and the answer.</p>
<dl>${totalsOf(calls)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`)
    .join("")}</dl>
<fieldset><legend>Show</legend>
<label><input type="radio" name="show" id="all" checked> all</label>
<label><input type="radio" name="show" id="failed"> failed and denied</label></fieldset>
<main>
${rows.join("\n")}
</main>
</body>
</html>
`;
}

function totalsOf(calls: readonly CallRecord[]): readonly (readonly [name: string, value: string])[] {
  const answers = calls.flatMap(({ answer }) => answer ?? []);
  const denied = answers.filter((answer) => !answer.ok && answer.error.code === "DENIED").length;
  const failed = answers.filter(({ ok }) => !ok).length - denied;
  const times = answers.map(({ meta }) => ranMs(meta)).toSorted((left, right) => left - right);
  const cost = calls.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0);
  return [
    ["Calls", String(calls.length)],
    ["Failed", String(failed)],
    ["Denied", String(denied)],
    ["p95", durationText(times[Math.ceil(times.length * 0.95) - 1])],
    ["Cost", `$${cost.toFixed(2)}`],
  ];
}

const STYLE = `
:root {
  color-scheme: light dark; font: 14px/1.5 Inter, system-ui, sans-serif; font-variant-numeric: tabular-nums;
  --bg: light-dark(#fafaf8, #141413); --panel: light-dark(#fff, #1c1c1a); --line: light-dark(#e3e1dc, #32312e);
  --text: light-dark(#1d1c1a, #edece9); --muted: light-dark(#625f58, #a5a29a); --done: light-dark(#5b77d8, #7d95f0);
  --warn: light-dark(#805200, #e3b04e); --bad: light-dark(#ad231b, #ff958b);
}
body { max-width: 76rem; margin: 0 auto; padding: 1.5rem; background: var(--bg); color: var(--text); }
h1 { margin: 0; font-size: 1.4rem; }
h2 { margin: 1.2rem 0 0.4rem; color: var(--muted); font-size: 0.85rem; }
h3 { margin: 0.8rem 0 0.3rem; font-size: 0.85rem; }
.muted { margin: 0.2rem 0 1rem; color: var(--muted); }
dl { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 0 0 1rem; }
dl div { min-width: 7rem; padding: 0.5rem 0.8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
dt { color: var(--muted); font-size: 0.8rem; }
dd { margin: 0; font-size: 1.3rem; font-weight: 600; }
fieldset { display: flex; gap: 1rem; margin: 0; padding: 0; border: 0; }
legend { float: left; margin-right: 1rem; color: var(--muted); }
details { border: 1px solid var(--line); border-top-width: 0; background: var(--panel); }
h2 + details { border-top-width: 1px; }
details > div { padding: 0 0.8rem 0.8rem; }
summary { cursor: pointer; display: grid; grid-template-columns: 7rem 10rem minmax(6rem, 1fr) 14rem 11rem; gap: 1rem; align-items: center; padding: 0.35rem 0.8rem; }
summary span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
summary span:nth-child(3), pre, code { font-family: "JetBrains Mono", ui-monospace, monospace; font-size: 0.85em; }
.lane { display: block; height: 0.6rem; }
.lane rect { fill: var(--done); }
.failed rect { fill: var(--bad); }
.denied rect { fill: var(--warn); }
.failed .outcome { color: var(--bad); }
.denied .outcome { color: var(--warn); }
body:has(#failed:checked) details:not(.failed, .denied) { display: none; }
ul { margin: 0.5rem 0; padding-left: 1.2rem; }
pre { overflow: auto; margin: 0; padding: 0.6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 60rem) { summary { grid-template-columns: 7rem 1fr auto; } .lane, summary span:nth-child(3) { display: none; } }
`;

export interface Times {
  readonly from: number;
  readonly to: number;
}

/** Returns when the first of these calls began and when the last one ended. */
export function timesOf(calls: readonly CallRecord[]): Times {
  const from = calls[0]?.receivedAt ?? 0;
  const to = calls.reduce(
    (latest, { receivedAt, answer }) => Math.max(latest, receivedAt + (answer?.meta.durationMs ?? 0)),
    from + 1,
  );
  return { from, to };
}

function toRow(call: CallRecord, times: Times): string {
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
    ["approval", approval === undefined ? "none" : approvalText(approval)],
  ].map(([label, value]) => `<li>${label}: ${escapeHtml(String(value))}</li>`);
  const time = new Date(receivedAt).toISOString().slice(11, 23);
  const outcome = `${outcomeOf(call)} ${ranText(answer)}`;
  return `<details${classOf(answer)}><summary><span>${time}</span><span>${escapeHtml(name)}</span><span>${escapeHtml(summarizeInput(input))}</span>${barOf(call, times)}<span class="outcome">${escapeHtml(outcome)}</span></summary>
<div><ul>${facts.join("")}</ul>
<h3>Input</h3><pre>${escapeHtml(JSON.stringify(input, undefined, 2))}</pre>
<h3>Answer</h3><pre>${escapeHtml(contentText(answer?.content ?? []))}</pre></div></details>`;
}

function classOf(answer: CallRecord["answer"]): string {
  if (answer === null || answer.ok) return "";
  return answer.error.code === "DENIED" ? ' class="denied"' : ' class="failed"';
}

/** Returns when the call ran within the time of all calls, as a bar. */
function barOf({ receivedAt, answer }: CallRecord, { from, to }: Times): string {
  const share = (ms: number): string => ((ms / (to - from)) * 1000).toFixed(1);
  const width = Math.max(4, Number(share(answer?.meta.durationMs ?? 0)));
  return `<svg class="lane" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${share(receivedAt - from)}" width="${width}" height="10" rx="2"/></svg>`;
}

import type { CallRecord, CallTrace, CallUsage, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { callKey } from "../../../util/text/call-key.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { visible, visibleLine } from "../../../util/text/visible.ts";
import { alignRows } from "../print/align-rows.ts";
import { commandFailure } from "../print/command-failure.ts";
import { describeFault } from "../print/describe-fault.ts";
import { approvalText, callLines, durationText, ranText, timeText } from "./call-lines.ts";

/** Returns everything that is recorded about a call, and a line for each call that it made. */
export function showCall(call: CallRecord, made: readonly CallRecord[], columns: number | undefined): string {
  const { input, answer, trace } = call;
  const json = (value: unknown): string => visible(JSON.stringify(value, undefined, 2));
  const sections = [
    ["input", json(input)],
    ["input that ran", trace?.input === undefined ? "" : json(trace.input)],
    [
      "calls that it made",
      callLines(made, columns)
        .map(({ text }) => text)
        .join("\n"),
    ],
    [
      "answer",
      contentText(answer?.content ?? [])
        .split("\t")
        .map(visible)
        .join("\t"),
    ],
  ].filter(([, text]) => text !== "");
  return [alignRows(factsOf(call)), ...sections.map(([title, text]) => `${title}:\n${text}\n`)].join("\n");
}

function factsOf(call: CallRecord): readonly (readonly [name: string, value: string])[] {
  const { callId, name, session, folder, subject, machine, usage, state, receivedAt, answer, trace } = call;
  const { verdict, risk, approval, stages, ranOn } = trace ?? {};
  const { place, attempts } = answer?.meta ?? {};
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["call", callId],
    ["key", callKey(call)],
    ["tool", name],
    ["received", timeText(receivedAt)],
    ["folder", folder ?? undefined],
    ["session", session ?? "-"],
    ["user", subject ?? undefined],
    ["machine", machine ?? undefined],
    ["state", state],
    ["outcome", outcomeText(call)],
    ["duration", ranText(answer)],
    ["waited for", stages && stagesText(stages)],
    ["ran on", ranOn && `${ranOn.machine}, worker ${ranOn.worker}`],
    ["model", usage === null ? undefined : usageText(usage)],
    ["place", place ?? "-"],
    ["attempts", attempts === undefined || attempts === 1 ? undefined : String(attempts)],
    ["risk", risk],
    ["decision", verdict && `${verdict.kind}: ${verdict.reason} (${verdict.rule})`],
    ["approval", approval && approvalText(approval)],
  ];
  return facts.flatMap(([fact, value]) =>
    value === undefined || value === "" ? [] : [[fact, visibleLine(value)] as const],
  );
}

/** Returns the calls that a call made: those whose parent has its id, and that were received while it ran. */
export async function callsMadeBy(
  call: CallRecord,
  journal: Journal,
  filter: Pick<JournalQuery, "subject"> = {},
): Promise<readonly CallRecord[]> {
  const { callId, receivedAt, answer } = call;
  const endedAt = answer === null ? Number.POSITIVE_INFINITY : answer.meta.startedAt + answer.meta.durationMs;
  const nestedCalls = await journal.list({ ...filter, parent: callId, limit: 1000 });
  return nestedCalls
    .filter((one) => one.receivedAt >= receivedAt && one.receivedAt <= endedAt + 1)
    .slice(0, 200);
}

function outcomeText({ answer }: CallRecord): string {
  if (answer === null) return "-";
  return answer.ok ? (commandFailure(answer) ?? "ok") : describeFault(answer.error);
}

function stagesText(stages: NonNullable<CallTrace["stages"]>): string {
  return stages.map(({ stage, from, to }) => `${stage} ${durationText(to - from)}`).join(", ");
}

/** Returns the model that asked for the call, and what its share of the answer cost. */
function usageText({ model, inputTokens, outputTokens, cost }: CallUsage): string {
  const tokens = `${Math.round(inputTokens)} tokens in, ${Math.round(outputTokens)} out`;
  return `${model}: ${tokens}${cost === undefined ? "" : `, $${cost.toFixed(4)}`}`;
}

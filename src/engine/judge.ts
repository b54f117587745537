import { given } from "./passage.ts";
import type { Passage, StationOutcome } from "./passage.ts";

/** Station: asks policy. A deny ends here; an ask goes on to `approve`. */
export function judge(passage: Passage): StationOutcome {
  const { line, call } = passage;
  const verdict = line.policy.judge(given(passage.job, "job"));
  passage.verdict = verdict;
  if (line.hears("call.judged"))
    line.send({ type: "call.judged", callId: call.id, name: call.name, verdict });
  if (verdict.kind !== "deny") return undefined;
  return {
    code: "DENIED",
    message: verdict.reason,
    ...(verdict.hint === undefined ? {} : { hint: verdict.hint }),
    details: { rule: verdict.rule },
  };
}

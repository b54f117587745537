import type { Circumstances, Verdict } from "../../core/policy.ts";
import { hashOfJob } from "../../util/json/call-hash.ts";
import { given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";
import { setFacts } from "./read-commands.ts";

/** Station: asks policy. A deny ends here; an ask goes on to `approve`. */
export function judge(passage: Passage): StationOutcome {
  const { line, call } = passage;
  const verdict = verdictOn(passage);
  passage.verdict = verdict;
  if (verdict.proven !== undefined) proveCommand(passage, verdict.proven);
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

/** What policy says of the job under these circumstances; a hook that wants a person asked is heard after it. */
export function verdictOn(passage: Passage, grants?: Circumstances["grants"]): Verdict {
  const { line, options, tightened } = passage;
  const { ceilings } = options;
  const job = given(passage.job, "job");
  const verdict =
    ceilings === undefined && grants === undefined
      ? line.policy.judge(job)
      : line.policy.judge(job, {
          ...(ceilings === undefined ? {} : { ceilings }),
          ...(grants === undefined ? {} : { grants, hash: () => hashOfJob(job) }),
        });
  if (tightened === undefined || verdict.kind !== "allow") return verdict;
  return {
    kind: "ask",
    reason: tightened.reason,
    rule: `hook.${tightened.hook}`,
    ungrantable: "a hook wants each such call approved",
    ...(verdict.proven === undefined ? {} : { proven: verdict.proven }),
  };
}

/** The tool that runs commands finds the proven program where it finds the command. */
function proveCommand(passage: Passage, argv: readonly string[]): void {
  const { facts } = given(passage.job, "job");
  setFacts(
    passage,
    facts.map((fact) => (fact.kind === "command" ? { ...fact, argv } : fact)),
  );
}

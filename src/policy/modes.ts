import type { Mode, Verdict } from "../core/policy.ts";
import type { Risk } from "../core/spec.ts";

/** Mode × risk, as a table: what each mode says of each risk. */
const DECISIONS: Readonly<Record<Mode, Readonly<Record<Risk, Verdict["kind"]>>>> = {
  yolo: { low: "allow", medium: "allow", high: "allow" },
  auto: { low: "allow", medium: "ask", high: "ask" },
  ask: { low: "ask", medium: "ask", high: "ask" },
  plan: { low: "allow", medium: "deny", high: "deny" },
};

const ALLOWED: Readonly<Record<Mode, Verdict>> = {
  yolo: allowed("yolo"),
  auto: allowed("auto"),
  ask: allowed("ask"),
  plan: allowed("plan"),
};

/** What the mode alone says, where no rule does. */
export function decideByMode(mode: Mode, tool: string, risk: Risk): Verdict {
  const kind = DECISIONS[mode][risk];
  if (kind === "allow") return ALLOWED[mode];
  const does = kind === "ask" ? "asks before such calls" : "runs only low-risk calls";
  return { kind, reason: `"${tool}" is ${risk} risk and mode ${mode} ${does}`, rule: `mode.${mode}.${risk}` };
}

function allowed(mode: Mode): Verdict {
  return { kind: "allow", reason: `mode ${mode} allows it`, rule: `mode.${mode}` };
}

import type { Mode, Verdict } from "../../core/policy.ts";
import type { Risk } from "../../core/spec.ts";

/** Mode × risk, as a table: what each mode says of each risk. */
const DECISIONS: Readonly<Record<Mode, Readonly<Record<Risk, Verdict["kind"]>>>> = {
  yolo: { low: "allow", medium: "allow", high: "allow" },
  auto: { low: "allow", medium: "ask", high: "ask" },
  ask: { low: "ask", medium: "ask", high: "ask" },
  plan: { low: "allow", medium: "deny", high: "deny" },
};

/** From loose to strict; of `ask` and `plan` each refuses what the other does not, so both may hold at once. */
const LOOSER: Readonly<Record<Mode, readonly Mode[]>> = {
  yolo: [],
  auto: ["yolo"],
  ask: ["yolo", "auto"],
  plan: ["yolo", "auto"],
};

const STRICTNESS: Readonly<Record<Verdict["kind"], number>> = { allow: 0, ask: 1, deny: 2 };

const ALLOWED: Readonly<Record<Mode, Verdict>> = {
  yolo: allowed("yolo"),
  auto: allowed("auto"),
  ask: allowed("ask"),
  plan: allowed("plan"),
};

/** What the modes that hold say, where no rule does: the strictest of them decides. */
export function decideByModes(modes: readonly Mode[], tool: string, risk: Risk): Verdict {
  let deciding = modes[0] ?? "ask";
  for (const mode of modes) {
    if (STRICTNESS[DECISIONS[mode][risk]] > STRICTNESS[DECISIONS[deciding][risk]]) deciding = mode;
  }
  const kind = DECISIONS[deciding][risk];
  if (kind === "allow") return ALLOWED[deciding];
  const does = kind === "ask" ? "asks before such calls" : "runs only low-risk calls";
  return {
    kind,
    reason: `"${tool}" is ${risk} risk and mode ${deciding} ${does}`,
    rule: `mode.${deciding}.${risk}`,
  };
}

/** The fewest modes that say together what all of these say. */
export function strictestModes(modes: readonly Mode[]): readonly Mode[] {
  const unique = [...new Set(modes)];
  return unique.filter((mode) => !unique.some((other) => LOOSER[other].includes(mode)));
}

function allowed(mode: Mode): Verdict {
  return { kind: "allow", reason: `mode ${mode} allows it`, rule: `mode.${mode}` };
}

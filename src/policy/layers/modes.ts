import { MODES, type Mode } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { Risk } from "../../core/spec.ts";
import { unknownName } from "../../util/text/near-hint.ts";

/** The decision of each mode for each risk; `edits` also allows changes of files. */
const DECISIONS: Readonly<Record<Mode, Readonly<Record<Risk, Verdict["kind"]>>>> = {
  yolo: { low: "allow", medium: "allow", high: "allow" },
  edits: { low: "allow", medium: "ask", high: "ask" },
  auto: { low: "allow", medium: "ask", high: "ask" },
  ask: { low: "ask", medium: "ask", high: "ask" },
  plan: { low: "allow", medium: "deny", high: "deny" },
};

/** The modes that each mode is stricter than. Neither of `ask` and `plan` is stricter than the other, so both may apply. */
const LOOSER: Readonly<Record<Mode, readonly Mode[]>> = {
  yolo: [],
  edits: ["yolo"],
  auto: ["yolo", "edits"],
  ask: ["yolo", "edits", "auto"],
  plan: ["yolo", "edits", "auto"],
};

const STRICTNESS: Readonly<Record<Verdict["kind"], number>> = { allow: 0, ask: 1, deny: 2 };

const ALLOWED: Readonly<Record<Mode, Verdict>> = {
  yolo: allowed("yolo"),
  edits: allowed("edits"),
  auto: allowed("auto"),
  ask: allowed("ask"),
  plan: allowed("plan"),
};

/** Decides a call that no rule decides, by the strictest of the modes. `isEdit`: it only changes files in the workspace. */
export function decideByModes(modes: readonly Mode[], tool: string, risk: Risk, isEdit = false): Verdict {
  let deciding = modes[0] ?? "ask";
  let kind = decide(deciding, risk, isEdit);
  for (const mode of modes) {
    const other = decide(mode, risk, isEdit);
    if (STRICTNESS[other] > STRICTNESS[kind]) [deciding, kind] = [mode, other];
  }
  if (kind === "allow") return ALLOWED[deciding];
  const does = kind === "ask" ? "asks before such calls" : "runs only low-risk calls";
  return {
    kind,
    reason: `"${tool}" is ${risk} risk and mode ${deciding} ${does}`,
    rule: `mode.${deciding}.${risk}`,
    ...(kind === "deny" && { hint: "choose another mode to allow it, for example --mode auto" }),
  };
}

/** The verdict on each risk that the modes allow. */
export type AllowedRisks = Readonly<Record<Risk, Verdict | undefined>>;

/** Returns the verdicts of the modes on the risks that they allow. */
export function allowedRisks(modes: readonly Mode[]): AllowedRisks {
  const onRisk = (risk: Risk): Verdict | undefined => {
    const verdict = decideByModes(modes, "", risk);
    return verdict.kind === "allow" ? verdict : undefined;
  };
  return { low: onRisk("low"), medium: onRisk("medium"), high: onRisk("high") };
}

function decide(mode: Mode, risk: Risk, isEdit: boolean): Verdict["kind"] {
  return mode === "edits" && isEdit ? "allow" : DECISIONS[mode][risk];
}

/** Removes modes that a stricter mode in the list makes redundant. Throws `INVALID_INPUT` for an unknown mode. */
export function strictestModes(modes: readonly Mode[]): readonly Mode[] {
  const unique = [...new Set(modes)];
  for (const mode of unique)
    if (!Object.hasOwn(LOOSER, mode))
      throw unknownName(
        `unknown mode ${JSON.stringify(mode)}`,
        JSON.stringify(mode) ?? "",
        MODES,
        `use ${MODES.join(", ")}`,
      );
  return unique.filter((mode) => !unique.some((other) => LOOSER[other].includes(mode)));
}

function allowed(mode: Mode): Verdict {
  return { kind: "allow", reason: `mode ${mode} allows it`, rule: `mode.${mode}` };
}

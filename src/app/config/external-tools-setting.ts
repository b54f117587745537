import type { Effects, Risk } from "../../core/spec.ts";
import { isObject } from "../../core/json.ts";

/** What the user says of one external tool. */
export interface ExternalToolSetting {
  readonly risk?: Risk;
  readonly effects?: Effects;
  readonly timeoutSeconds?: number;
}

const RISKS: readonly unknown[] = ["low", "medium", "high"] satisfies readonly Risk[];
const EFFECTS: readonly unknown[] = [
  "none",
  "own-state",
  "idempotent",
  "unsafe",
] satisfies readonly Effects[];
const MAX_SECONDS = 86_400;

export const EXTERNAL_TOOLS_EXPECTED =
  'an object of tool names, each with "risk" (low, medium, high), "effects" (none, own-state, idempotent, unsafe) or "timeoutSeconds"';

/** The setting as it was written; undefined where a part of it cannot be. */
export function parseExternalTools(
  written: unknown,
): Readonly<Record<string, ExternalToolSetting>> | undefined {
  if (!isObject(written)) return undefined;
  return Object.values(written).every(isSetting)
    ? (written as Readonly<Record<string, ExternalToolSetting>>)
    : undefined;
}

function isSetting(value: unknown): value is ExternalToolSetting {
  if (!isObject(value)) return false;
  const { risk, effects, timeoutSeconds, ...unknown } = value;
  if (Object.keys(unknown).length > 0) return false;
  if (risk !== undefined && !RISKS.includes(risk)) return false;
  if (effects !== undefined && !EFFECTS.includes(effects)) return false;
  if (timeoutSeconds === undefined) return true;
  return typeof timeoutSeconds === "number" && timeoutSeconds > 0 && timeoutSeconds <= MAX_SECONDS;
}

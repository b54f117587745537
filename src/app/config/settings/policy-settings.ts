import {
  AFTER_UNTRUSTED_TEXT,
  BORDERS,
  LEVELS,
  MODES,
  type AfterUntrustedText,
  type Border,
  type Level,
  type Mode,
} from "../../../core/policy.ts";
import { boolean, object, oneOf, optional } from "../../../schema/define/schema.ts";
import { merge, setting } from "./setting.ts";

/** For each mode, those that are at least as strict in everything. */
const TIGHTER_MODES: Readonly<Record<Mode, readonly Mode[]>> = {
  yolo: MODES,
  edits: ["edits", "auto", "ask", "plan"],
  auto: ["auto", "ask", "plan"],
  // Plan runs low risk without approval, ask asks where plan denies: neither is stricter in all.
  ask: ["ask"],
  plan: ["plan"],
};

/** For each value, those that are at least as strict. */
const TIGHTER_AFTER_UNTRUSTED_TEXT: Readonly<Record<AfterUntrustedText, readonly AfterUntrustedText[]>> = {
  off: AFTER_UNTRUSTED_TEXT,
  ask: ["ask", "always"],
  always: ["always"],
};

const SHELL_OPTIONS = object({
  readOnlyIsLow: optional(boolean("True: commands proven to read have low risk; false: none has"), true),
  sandbox: optional(
    boolean(
      "True: commands that run only because they are proven to read run in a read-only sandbox; false: only a few basic commands run without approval",
    ),
    true,
  ),
});

export const MODE = setting<Mode>({
  summary: "approval mode: which calls run without approval",
  flag: "mode",
  variable: "TOOLWRIGHT_MODE",
  fallback: "auto",
  schema: oneOf(MODES),
  tighten: (base, wish) => (TIGHTER_MODES[base].includes(wish) ? wish : undefined),
  isTrustable: true,
});

export const AFTER_TEXT = setting<AfterUntrustedText>({
  summary:
    "whether calls that can send data need approval after text from outside entered the session: ask, always (in mode yolo too) or off; see docs/policy.md",
  fallback: "ask",
  schema: oneOf(AFTER_UNTRUSTED_TEXT),
  tighten: (base, wish) => (TIGHTER_AFTER_UNTRUSTED_TEXT[base].includes(wish) ? wish : undefined),
});

export const BORDER = setting<Border>({
  summary:
    "what happens to calls that touch paths outside the workspace: ask (but not in mode yolo, or to read files of the operating system) or deny; see docs/policy.md",
  fallback: "ask",
  schema: oneOf(BORDERS),
  tighten: (_, wish) => (wish === "deny" ? wish : undefined),
});

export const SHELL = setting({
  summary: "how commands are judged",
  fallback: { readOnlyIsLow: true, sandbox: true },
  schema: SHELL_OPTIONS,
  combine: merge,
  tighten: (base, wish) =>
    wish.sandbox === !base.sandbox || (wish.readOnlyIsLow && !base.readOnlyIsLow)
      ? undefined
      : { ...base, ...wish },
});

export const LEVEL = setting<Level>({
  summary:
    "what happens to a command that no rule allows: ask; read-only: it is tried in a read-only sandbox first; workspace: it runs in a sandbox that can change the workspace only; see docs/sandbox.md",
  flag: "level",
  variable: "TOOLWRIGHT_LEVEL",
  fallback: "ask",
  schema: oneOf(LEVELS),
  tighten: (_, wish) => (wish === "ask" ? wish : undefined),
});

export const STRICT_DENY = setting({
  summary:
    "true: with a deny rule of your own, interpreters and unknown programs run only in a sandbox; see docs/policy.md",
  fallback: false,
  schema: boolean(),
  tighten: (base, wish) => (wish || !base ? wish : undefined),
});

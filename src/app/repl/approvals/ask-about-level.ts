import { randomUUID } from "node:crypto";
import type { Approver } from "../../../core/approval.ts";
import { LEVELS, type Level } from "../../../core/policy.ts";
import type { Host } from "../../host/host.ts";
import { haveLevelsEffect } from "../../host/levels.ts";
import { OWN_QUESTION } from "../../host/approvals/question.ts";
import { LEVEL_TEXTS } from "../../terminal/print/modes-and-levels.ts";

/** In the order of the question, the one that is preselected first. */
const ORDER: readonly Level[] = ["read-only", "workspace", "ask"];
const TITLES: Readonly<Record<Level, string>> = {
  "read-only": "Read-only",
  workspace: "Workspace",
  ask: "Ask",
};

/** Returns whether a question about the level makes sense: only in these modes it has an effect, and only if its sandbox works. */
export async function canChooseLevel(host: Pick<Host, "config" | "level" | "mode">): Promise<boolean> {
  const isFree = host.mode() === "auto" || host.mode() === "edits";
  return host.level() === "ask" && isFree && (await haveLevelsEffect(host.config));
}

/** Asks for the level. A no is `ask`; undefined if the person left without an answer. */
export async function askAboutLevel(approver: Approver): Promise<Level | undefined> {
  const text = "How much may commands do without asking?";
  const answer = await approver.ask(
    {
      callId: randomUUID(),
      hash: "",
      tool: OWN_QUESTION,
      risk: "medium",
      input: {},
      facts: [],
      reason: "/level changes it at any time",
      question: { text, details: { form: FORM } },
    },
    new AbortController().signal,
  );
  if (!answer.approved) return answer.declined === true ? "ask" : undefined;
  const chosen = answer.input?.["level"];
  return LEVELS.find((level) => level === chosen);
}

const FORM = {
  type: "object",
  properties: {
    level: {
      type: "string",
      title: "",
      oneOf: ORDER.map((level) => ({ const: level, title: `${TITLES[level]}: ${LEVEL_TEXTS[level]}` })),
      default: "read-only",
    },
  },
  required: ["level"],
};

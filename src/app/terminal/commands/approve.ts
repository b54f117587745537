import { userInfo } from "node:os";
import type { Approval } from "../../../core/approval.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Grant, Grants } from "../../../core/grant.ts";
import {
  createApprovalQueue,
  type ApprovalQueue,
  type PendingApproval,
} from "../../../store/database/approval-queue.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { openConfiguredStore, workspaceSession } from "../../host/store/open-configured-store.ts";
import { timeOf, alignRows } from "../print/align-rows.ts";
import { wrapIndented } from "../print/wrap.ts";
import { STORED_FLAGS, type Arguments, type Command, type Shown, type World } from "../input/command.ts";
import { answerOf, approvalQuestion, LASTING } from "../../host/approvals/approval-question.ts";
import { describeGrant } from "../../host/approvals/describe-rule.ts";
import { choiceText } from "../../host/approvals/question-text.ts";
import type { Notify } from "../../config/settings/notify-setting.ts";
import { questionWords } from "../approve/question-words.ts";
import { watchApprovals } from "../approve/watch-approvals.ts";
import { loadSettings } from "../input/load-settings.ts";
import { parseObjectFlag } from "../input/read-input.ts";
import { createStoredGrants } from "../../../store/database/grants.ts";

const LISTS = "toolwright approve lists the waiting calls";

const SCOPES = LASTING.map(({ scope }) => scope);

export const approve: Command = {
  name: "approve",
  summary: "answer calls that wait for approval; list or revoke grants",
  usage: `[--json]\n--watch\nID [${SCOPES.map((scope) => `--${scope} | `).join("")}--offer N | --deny [--reason TEXT]] [--input JSON]\n--grants\n--revoke ID`,
  positionals: ["entry"],
  flags: {
    ...Object.fromEntries(LASTING.map(({ scope, summary }) => [scope, { summary }])),
    offer: { summary: "approve, and save the rule with this number", value: "N" },
    deny: { summary: "deny the call" },
    reason: { summary: "with --deny: reason given to the caller", value: "TEXT" },
    input: { summary: "run the call with this input, which is validated and judged again", value: "JSON" },
    grants: { summary: "list the grants for this folder and its session" },
    revoke: { summary: "revoke the grant with this id", value: "ID" },
    watch: {
      summary:
        "stay, show each call that begins to wait, and notify you as the setting notify says; bell also notifies the desktop",
    },
    json: { summary: "print as JSON" },
    ...STORED_FLAGS,
  },
  examples: {
    approve: "list waiting calls and everything they would do",
    "approve mb3x9k2f-1c0d22ab": "approve a call once",
    "approve mb3x9k30-90be4d17 --deny --reason 'not on main'": "deny it, with a reason",
    "approve --grants": "list lasting grants",
    "approve --watch": "wait in a terminal for calls of clients that show no question",
  },
  async run(given, world) {
    const config = loadSettings(given.flags, world);
    const [root] = config.paths.workspace;
    await using store = await openConfiguredStore(config, world.output.warn);
    const grants = createStoredGrants(store.collections, root);
    const queue = createApprovalQueue(store.collections);
    if (given.flags["watch"] === true) return await watch(queue, config.notify, given, world);
    return await runApprove({ grants, queue, session: workspaceSession(root) }, given, world);
  },
};

/** The waiting calls and grants of an open store. */
export interface Approvals {
  readonly queue: ApprovalQueue;
  readonly grants: Grants;
  /** The session whose grants are listed besides the permanent ones. */
  readonly session: string;
}

/** Lists or answers waiting calls; lists or revokes grants. */
export async function runApprove(approvals: Approvals, given: Arguments, world: Shown): Promise<void> {
  const { queue, grants, session } = approvals;
  if (given.flags["revoke"] !== undefined) return revoke(grants, given, world);
  if (given.flags["grants"] === true) return listGrants(grants, session, given, world);
  return (given.positionals.length === 0 ? listPending : answer)(queue, given, world);
}

/** Shows waiting calls until it is interrupted. */
async function watch(
  queue: ApprovalQueue,
  notify: Notify,
  { positionals, flags }: Arguments,
  world: World,
): Promise<void> {
  if (positionals.length > 0 || flags["json"] === true)
    throw new ToolError("INVALID_INPUT", "--watch takes no id and no --json", { hint: LISTS });
  using interrupt = world.interrupt();
  const { stderr, output } = world;
  output.log("toolwright: waiting for calls that need approval; Ctrl+C ends it");
  await watchApprovals(queue, {
    notify,
    signal: interrupt.signal,
    environment: world.environment().variables,
    write: (text) => void (stderr.isTTY && stderr.write(text)),
    show: async (pending) => await output.print(page(pending, stderr.columns)),
  });
}

async function listPending(
  queue: ApprovalQueue,
  { flags }: Arguments,
  { output, columns }: Shown,
): Promise<void> {
  const misplaced = [...SCOPES, "offer", "deny", "reason", "input"].find((name) => flags[name] !== undefined);
  if (misplaced !== undefined)
    throw new ToolError("INVALID_INPUT", `--${misplaced} needs the id of a call`, { hint: LISTS });
  const pending = await queue.pending();
  if (flags["json"] === true) return output.print(`${JSON.stringify(pending)}\n`);
  return output.print(pending.map((one) => page(one, columns)).join("") || "no calls wait for approval\n");
}

function page({ id, request, askedAt }: PendingApproval, width = Number.POSITIVE_INFINITY): string {
  const seconds = Math.round((Date.now() - askedAt) / 1000);
  const question = approvalQuestion(request);
  const choices = question.choices.map((choice) => {
    const flag =
      { once: "", yes: "", no: " --deny" }[choice.id] ??
      ` --${/^\d/.test(choice.id) ? "offer " : ""}${choice.id}`;
    return wrapIndented(`  toolwright approve ${id}${flag}: ${choiceText(choice)}`, width, 6).join("\n");
  });
  return `${id} (waits for ${seconds} s)${questionWords(question, request, { width })}${choices.join("\n")}\n\n`;
}

async function answer(queue: ApprovalQueue, given: Arguments, { output }: Shown): Promise<void> {
  const [id = "", ...rest] = given.positionals;
  if (rest.length > 0) throw new ToolError("INVALID_INPUT", "expected one id", { hint: LISTS });
  const pending = await queue.pending();
  const waiting = pending.find((one) => one.id === id);
  if (waiting === undefined) {
    const ids = pending.map((one) => one.id);
    const gone = `it may have been answered or withdrawn; ${LISTS}`;
    throw unknownName(`no call waits with the id ${JSON.stringify(id)}`, id, ids, gone);
  }
  const approval = toApproval(waiting, given);
  if (!(await queue.answer(id, approval)))
    throw new ToolError("UNAVAILABLE", `${id} was answered elsewhere, or its caller no longer waits`);
  const message = approval.approved ? `approved ${id}` : `denied ${id}`;
  await output.print(given.flags["json"] === true ? `${JSON.stringify({ id, approval })}\n` : `${message}\n`);
}

/** Throws if flags contradict each other, or if the call does not offer what they choose. */
function toApproval({ request }: PendingApproval, { flags }: Arguments): Approval {
  const question = approvalQuestion(request);
  const chosen = [...SCOPES, "offer", "deny"].filter((name) => flags[name] !== undefined);
  if (chosen.length > 1) throw new ToolError("INVALID_INPUT", `choose one of --${chosen.join(", --")}`);
  const [flag = question.choices[0]?.id ?? ""] = chosen;
  const id = { deny: "no", offer: numberOf(flags["offer"]) }[flag] ?? flag;
  const reason = flags["reason"] === undefined ? undefined : String(flags["reason"]);
  const input = flags["input"] === undefined ? undefined : parseObjectFlag(flags, "input");
  return { ...answerOf(question, id, { input, reason }), by: `toolwright approve (${userName()})` };
}

/** The name of the user, who may have none in the system. */
function userName(): string {
  return attempt(() => userInfo().username) ?? `uid ${process.getuid?.()}`;
}

/** Throws unless the number of a rule is a number. */
function numberOf(offer: string | boolean | undefined): string | undefined {
  if (offer === undefined || /^[1-9]\d*$/.test(String(offer))) return offer?.toString();
  throw new ToolError("INVALID_INPUT", `--offer: expected the number of a rule, got ${offer}`, {
    hint: LISTS,
  });
}

async function listGrants(grants: Grants, session: string, { flags }: Arguments, { output, columns }: Shown) {
  const granted = await grants.list(session);
  if (flags["json"] === true) return output.print(`${JSON.stringify(granted)}\n`);
  return output.print(alignRows(granted.map(row), columns) || "no grants\n");
}

function row({ id, scope, grantedAt, ...grant }: Grant): readonly string[] {
  return [id, scope, timeOf(grantedAt), describeGrant(grant)];
}

async function revoke(grants: Grants, { flags }: Arguments, { output }: Shown): Promise<void> {
  const id = String(flags["revoke"]);
  if (!(await grants.revoke(id)))
    throw new ToolError("INVALID_INPUT", `no grant has the id ${JSON.stringify(id)}`, {
      hint: "toolwright approve --grants lists them",
    });
  await output.print(flags["json"] === true ? `${JSON.stringify({ revoked: id })}\n` : `revoked ${id}\n`);
}

import { randomUUID } from "node:crypto";
import type { Approver } from "../../../core/approval.ts";
import type { Trust, TrustItem } from "../../config/files/trust.ts";
import { OWN_QUESTION } from "../../host/approvals/question.ts";
import type { FolderTrust } from "../../host/store/folder-trust.ts";
import { trustDifference } from "../../terminal/print/describe-trust.ts";

/**
 * Asks about the instructions in the folder itself, such as AGENTS.md, with their text or what changed, and trusts those that the person
 * accepts. It asks once about each content. Returns the items of the folder that are still off.
 */
export async function askAboutInstructions(
  folder: Pick<FolderTrust, "off" | "trust">,
  approver: Approver,
): Promise<readonly TrustItem[]> {
  const { items, stored } = await folder.off();
  const { signal } = new AbortController();
  const accepted = new Set<TrustItem>();
  for (const item of items) {
    if (item.kind !== "instructions" || item.name.includes("/") || (await stored.wasDeclined(item))) continue;
    const answer = await approver.ask(requestFor(item, stored), signal);
    if (answer.approved) {
      await folder.trust(item, stored);
      accepted.add(item);
    } else if (answer.declined === true) await stored.decline(item);
    // The person left.
    else break;
  }
  return items.filter((item) => !accepted.has(item));
}

function requestFor(item: TrustItem, stored: Trust): Parameters<Approver["ask"]>[0] {
  const isChanged = stored.stateOf(item) === "changed";
  const state = isChanged ? ", which has changed," : "";
  const text = `Use ${item.name} of this folder${state} as instructions for the agent?`;
  const content = trustDifference(item, stored) || (item.text ?? "");
  return {
    callId: randomUUID(),
    hash: item.hash,
    tool: OWN_QUESTION,
    risk: "medium",
    input: {},
    facts: [],
    reason: content,
    question: { text },
  };
}

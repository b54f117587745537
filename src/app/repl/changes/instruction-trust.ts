import { instructionsHash } from "../../config/trust/project-instructions.ts";
import type { RunningAgent } from "../../../agent/runtime/running-agent.ts";
import type { Approver } from "../../../core/approval.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { displayPath } from "../../../tools/shared/facts.ts";
import { previewChange } from "../../host/approvals/preview-change.ts";
import type { FolderTrust } from "../../host/store/folder-trust.ts";
import type { ChangedText, FileChanges } from "./file-changes.ts";

/** Calls whose change a person has seen and approved. */
export type ApprovedChanges = ReturnType<typeof createApprovedChanges>;

/** Remembers the calls that a person allows after seeing their whole change. */
export function createApprovedChanges() {
  const calls = new Set<string>();
  return {
    /** Returns whether the call was approved, and forgets it. */
    take: (callId: string): boolean => calls.delete(callId),
    /** Returns the approver that asks the person, as it does without this. */
    watch: (approver: Approver): Approver => ({
      ...approver,
      async ask(request, signal) {
        const hasChange = request.question === undefined && previewChange(request) !== undefined;
        const approval = await approver.ask(request, signal);
        // What an edited input writes is not what was shown.
        if (hasChange && approval.approved && approval.input === undefined) calls.add(request.callId);
        return approval;
      },
    }),
  };
}

export interface TrustedChanges {
  readonly engine: Engine;
  readonly changes: Pick<FileChanges, "textsOf">;
  readonly approved: ApprovedChanges;
  readonly folder: Pick<FolderTrust, "off" | "trust">;
  readonly root: string;
}

/**
 * Trusts instructions of the folder, such as AGENTS.md, whose change a person approved, or that `/init` wrote: as they are then, if what
 * was in them before was trusted.
 */
export function trustChanges({ engine, changes, approved, folder, root }: TrustedChanges) {
  let isInit = false;
  engine.on(
    ({ callId, result }) => {
      const isPersons = approved.take(callId);
      if (!result.ok || !(isPersons || isInit)) return;
      for (const text of changes.textsOf(callId))
        void trustText(text, { folder, root }).catch(() => undefined);
    },
    ["call.answered"],
  );
  return {
    /** Trusts what calls write to instructions until the agent has answered: the person has it describe the project. */
    untilAnswered(agent: Pick<RunningAgent, "on">): void {
      isInit = true;
      const stop = agent.on((event) => {
        if (event.type !== "agent.state" || !["idle", "done", "failed"].includes(event.state)) return;
        isInit = false;
        stop();
      });
    },
  };
}

/** Never trusts a content that is not the one that the call left. */
async function trustText(
  { path, before, after }: ChangedText,
  { folder, root }: Pick<TrustedChanges, "folder" | "root">,
): Promise<void> {
  if (after === undefined) return;
  const { items, stored } = await folder.off();
  const name = displayPath(root, path);
  const item = items.find(
    (one) => one.kind === "instructions" && one.name === name && one.hash === instructionsHash(after),
  );
  if (item === undefined) return;
  const wasTrusted =
    before === undefined || before === "" || stored.isTrusted(item.kind, name, instructionsHash(before));
  if (wasTrusted) await folder.trust(item, stored);
}

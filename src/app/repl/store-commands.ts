import { createApprovalQueue } from "../../store/database/approval-queue.ts";
import { createStoredGrants } from "../../store/database/grants.ts";
import { approve, runApprove } from "../terminal/commands/approve.ts";
import { restore, runRestore } from "../terminal/commands/restore.ts";
import { runTrace, trace } from "../terminal/commands/trace.ts";
import { configuredCheckpoints } from "../host/store/restore-checkpoint.ts";
import { fromCommand, type SlashCommand } from "../terminal/commands/slash-command.ts";
import { skillCommand } from "../terminal/commands/skill.ts";
import { mcpEntries } from "../host/sources/mcp-sources.ts";
import type { FileChanges } from "./changes/file-changes.ts";
import { diffCommand, mcpCommand, permissionsCommand } from "./commands/host-commands.ts";
import type { Host } from "../host/open-host.ts";

/** Returns the commands that read the open store. */
export function storeCommands(host: Host, session: string, changes: FileChanges): readonly SlashCommand[] {
  const { skills, config, store } = host;
  const [root] = config.workspace;
  const { collections, journal } = store;
  const checkpoints = configuredCheckpoints(config);
  const grants = createStoredGrants(collections, root);
  const queue = createApprovalQueue(collections);
  return [
    fromCommand(trace, (given, world) => runTrace({ journal, folder: root }, given, world)),
    fromCommand(approve, (given, world) => runApprove({ grants, queue, session }, given, world)),
    fromCommand(restore, (given, world) => runRestore({ checkpoints, root, collections }, given, world)),
    skillCommand(skills),
    diffCommand(changes),
    mcpCommand(host.engine, () => mcpEntries(config, host.trusted.isTrusted)),
    permissionsCommand(host.rules.layers, grants, session),
  ];
}

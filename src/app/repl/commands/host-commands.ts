import type { Grants } from "../../../core/grant.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { RuleLayer } from "../../../policy/layers/rule-layer.ts";
import { createStoredGrants } from "../../../store/database/grants.ts";
import { visible } from "../../../util/text/visible.ts";
import type { HookSettings } from "../../config/groups.ts";
import { describeHook, hookItem } from "../../config/hooks/hook-definition.ts";
import type { IsTrusted } from "../../config/files/trust.ts";
import type { Host } from "../../host/host.ts";
import { describeCalls, describeGrant } from "../../host/approvals/describe-rule.ts";
import { mcpEntries, type McpEntry } from "../../host/sources/mcp-sources.ts";
import type { FolderTrust } from "../../host/store/folder-trust.ts";
import { configuredCheckpoints } from "../../host/store/restore-checkpoint.ts";
import { approve, runApprove } from "../../terminal/commands/approve.ts";
import { restore, runRestore } from "../../terminal/commands/restore.ts";
import { skillCommand } from "../../terminal/commands/skill.ts";
import { fromCommand, type SlashCommand } from "../../terminal/commands/slash-command.ts";
import { runTrace, trace } from "../../terminal/commands/trace.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { counted } from "../../../util/text/words.ts";
import { trustCommand } from "./trust-command.ts";

/** Returns the commands that read the host and its open store. */
export function hostCommands(host: Host, session: string): readonly SlashCommand[] {
  const { skills, config, store, queue } = host;
  const [root] = config.paths.workspace;
  const { collections, journal } = store;
  const checkpoints = configuredCheckpoints(config.paths);
  const grants = createStoredGrants(collections, root);
  return [
    fromCommand(trace, (given, world) => runTrace({ journal, folder: root }, given, world)),
    fromCommand(approve, (given, world) => runApprove({ grants, queue, session }, given, world)),
    fromCommand(restore, (given, world) => runRestore({ checkpoints, root, collections }, given, world)),
    skillCommand(skills),
    mcpCommand(host.engine, () => mcpEntries(config, host.trusted.isTrusted)),
    memoryCommand(host.folderTrust),
    trustCommand(host.folderTrust),
    hooksCommand(config.hooks, root, host.trusted.isTrusted),
    permissionsCommand(host.rules.layers, grants, { session, root }),
  ];
}

/** Lists the MCP servers with their state, their tools and their problems. */
function mcpCommand(engine: Engine, entriesOf: () => readonly McpEntry[]): SlashCommand {
  return {
    name: "mcp",
    summary: "list the MCP servers and their state",
    usage: "",
    async run(_args, world) {
      const entries = entriesOf();
      if (entries.length === 0) return world.print("no MCP servers; toolwright mcp add adds one\n");
      const problems = engine.sources.problems();
      const tools = engine.list({ all: true });
      const rows = entries.map(({ name, configured, isTrusted }) => {
        const source = `mcp:${name}`;
        const count = tools.filter((tool) => tool.source === source).length;
        const problem = problems.find((one) => one.source === source)?.message;
        const isOff = !isTrusted || "problem" in configured || configured.isDisabled;
        const state = isOff ? "off" : problem === undefined ? engine.sources.state(source) : "failed";
        return [name, state, counted(count, "tool"), problem ?? ""].map(visible);
      });
      return world.print(`${alignRows(rows)}toolwright mcp list shows more\n`);
    },
  };
}

/** Lists the instructions that the model has. */
function memoryCommand({ instructions }: Pick<FolderTrust, "instructions">): SlashCommand {
  return {
    name: "memory",
    summary: "show the instructions that the model has: yours for all projects, and this folder's",
    usage: "",
    async run(_args, world) {
      const rows = instructions().map(({ path, text, isOfUser }) => [
        visible(path),
        counted(text.split("\n").length, "line"),
        isOfUser === true ? "yours, for all projects" : "of this folder, trusted",
      ]);
      const none = "the model has no AGENTS.md; /init writes one\n";
      await world.print(rows.length === 0 ? none : `${alignRows(rows)}edit a file to change them\n`);
    },
  };
}

/** Lists the configured hooks: what each runs, and when. */
function hooksCommand({ user, project }: HookSettings, root: string, isTrusted: IsTrusted): SlashCommand {
  return {
    name: "hooks",
    summary: "list the configured hooks: when each runs, and what it does",
    usage: "",
    async run(_args, world) {
      const rows = [
        ...user.map((hook) => [hook.name, "yours", describeHook(hook)]),
        ...project.map((hook) => {
          const { kind, name, hash } = hookItem(hook, root);
          return [name, isTrusted(kind, name, hash) ? "of this folder" : "off: /trust", describeHook(hook)];
        }),
      ];
      const none = "no hooks; docs/hooks.md has examples\n";
      await world.print(rows.length === 0 ? none : alignRows(rows.map((row) => row.map(visible))));
    },
  };
}

/** Lists what may run without approval: the mode, the rules of files, and what was approved before. */
function permissionsCommand(
  all: readonly RuleLayer[],
  grants: Grants,
  { session, root }: { readonly session: string; readonly root: string },
): SlashCommand {
  return {
    name: "permissions",
    summary: "show the rules and the approvals that decide what runs",
    usage: "",
    async run(_args, world) {
      const saved = await grants.list(session);
      const layers = all.filter(({ name }) => name !== "built-in");
      const ruleRows = layers.flatMap(({ name, rules: own }) =>
        own.map((rule) => [rule.decision, `${describeCalls(rule, root)} (${visible(name)})`]),
      );
      const grantRows = saved.flatMap(({ id, scope, rule, ...grant }) => [
        [
          scope === "always" ? "allow" : "allow, this session",
          rule === undefined ? describeGrant(grant) : describeCalls(rule, root),
        ],
        ["", `/approve --revoke ${visible(id)}`],
      ]);
      const rows = [...ruleRows, ...grantRows];
      const none = "no rules and no approvals of your own\n";
      await world.print(
        `${rows.length === 0 ? none : alignRows(rows)}/mode shows and sets the mode; toolwright policy allow|ask|deny adds a rule\n`,
      );
    },
  };
}

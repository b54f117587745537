import type { Json } from "../../core/json.ts";
import type { HookDefinition } from "./hooks/hook-definition.ts";
import type { Variables } from "./environment.ts";
import type { ProjectMcpServer } from "./project-mcp-servers.ts";
import type { Settings } from "./settings/settings.ts";
import { defined } from "../../util/json/defined.ts";

/** All settings in groups, and what is derived from them. A function takes the groups that it needs: `PathSettings`, or `ConfigGroups<"paths" | "mcp">`. */
export interface Config extends OwnGroups {
  /** The name of the profile. */
  readonly profile: string;
  readonly paths: PathSettings;
  readonly storage: StorageSettings;
  readonly calls: CallSettings;
  readonly environment: EnvironmentSettings;
  readonly tools: ToolSettings;
  readonly mcp: McpSettings;
  readonly hooks: HookSettings;
  readonly log: Settings["log"];
  readonly report: ConfigReport;
}

/** Several groups of the config, by name. */
export type ConfigGroups<Name extends keyof Config> = { readonly [K in Name]: Config[K] };

/** The groups that have only values of settings. */
interface OwnGroups extends Pick<
  Settings,
  "apis" | "auth" | "browser" | "fleet" | "notify" | "telemetry" | "theme" | "vim" | "web"
> {
  readonly agent: AgentSettings;
  readonly policy: PolicySettings;
  readonly sandbox: SandboxSettings;
}

/** The folders and files that everything else is in. */
export interface PathSettings {
  /** `~/.toolwright`, or where TOOLWRIGHT_HOME moved it. */
  readonly home: string;
  readonly userHome: string;
  /** Canonical folders that tools may touch; the first is the current one. */
  readonly workspace: readonly [string, ...string[]];
  readonly broadWorkspace: boolean;
  /** The folder of the store, or `:memory:`. */
  readonly store: string;
  /** The config files. */
  readonly files: { readonly user: string; readonly project: string };
}

export interface StorageSettings {
  /** True: calls, sessions and artifacts are in the servers of the fleet, and `paths.store` is the folder for what stays on this machine. */
  readonly isShared: boolean;
  readonly keepDays: number;
  readonly keepMegabytes: number;
  readonly ifLost: Settings["lostStore"];
}

/** The models, and the limits of agents. */
export interface AgentSettings extends Pick<
  Settings,
  "model" | "models" | "smallModel" | "visionModel" | "budget"
> {}

export interface CallSettings extends Pick<
  Settings,
  "timeoutSeconds" | "approvalTimeoutSeconds" | "concurrency"
> {
  /** The time limit of every call, over those of tools; undefined unless a flag or a variable sets it. */
  readonly callTimeoutMs: number | undefined;
}

export interface PolicySettings extends Pick<
  Settings,
  "mode" | "level" | "afterUntrustedText" | "border" | "shell" | "strictDeny"
> {}

export interface EnvironmentSettings {
  readonly variables: Variables;
  /** The names of the variables that commands see; a name may end in `*`. */
  readonly names: readonly string[];
  /** Values to mask wherever they appear. */
  readonly secrets: readonly string[];
  /** Patterns of further secrets, by name. */
  readonly secretPatterns: Settings["secretPatterns"];
}

export interface ToolSettings extends Pick<Settings, "presets" | "groups" | "partialPatches"> {
  /** Folders whose programs are tools, besides those of the user and the project. */
  readonly directories: readonly string[];
  readonly external: Settings["externalTools"];
  readonly commands: Settings["commandTools"];
  /** How much of a request they take; what is not set depends on the model. */
  readonly limit: { readonly tools?: number; readonly tokens?: number };
}

export interface McpSettings {
  /** The user's own servers. */
  readonly servers: Settings["mcpServers"];
  /** The project's own servers, trusted or not. */
  readonly projectServers: readonly ProjectMcpServer[];
  readonly startup: Settings["mcpStartup"];
  readonly clients: Settings["mcpClients"];
}

export interface HookSettings {
  /** The user's own hooks. */
  readonly user: readonly HookDefinition[];
  /** The project's own hooks, trusted or not. */
  readonly project: readonly HookDefinition[];
  /** Globs of files whose changes by other programs run hooks. */
  readonly watch: readonly string[];
}

export interface SandboxSettings {
  readonly kind: Settings["sandbox"];
  readonly options: Settings["sandboxOptions"];
}

/** A setting's value and where it came from. */
export interface Origin {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
}

/** A value of the project that loosens and so needs trust. */
export interface LooserSetting {
  readonly key: string;
  readonly value: Json;
}

/** What commands print about the settings. */
export interface ConfigReport {
  readonly origins: readonly Origin[];
  /** One line for each thing that is ignored. */
  readonly warnings: readonly string[];
  /** Settings of the project that loosen, trusted or not. */
  readonly looser: readonly LooserSetting[];
}

/** At the level `workspace` commands run in the strongest sandbox that works, without approval. */
function sandboxOf({ level, sandbox, sandboxOptions: options }: Settings): SandboxSettings {
  if (level !== "workspace") return { kind: sandbox, options };
  return { kind: sandbox === "none" ? "auto" : sandbox, options: { ...options, runsUnasked: true } };
}

/** Returns the groups that have only values of settings. */
export function ownGroups(settings: Settings): OwnGroups {
  const { apis, auth, browser, fleet, notify, telemetry, theme, vim, web } = settings;
  const { model, models, smallModel, visionModel, budget } = settings;
  const { mode, level, afterUntrustedText, border, shell, strictDeny } = settings;
  return {
    apis,
    auth,
    browser,
    fleet,
    notify,
    telemetry,
    theme,
    vim,
    web,
    agent: { model, models, smallModel, visionModel, budget },
    policy: { mode, level, afterUntrustedText, border, shell, strictDeny },
    sandbox: sandboxOf(settings),
  };
}

export function toolSettings(settings: Settings, directories: readonly string[]): ToolSettings {
  const { externalTools: external, commandTools: commands, presets, groups, partialPatches } = settings;
  const limit = defined({ tools: settings.toolLimit, tokens: settings.toolTokens });
  return { directories, external, commands, presets, groups, partialPatches, limit };
}

export function mcpSettings(settings: Settings, projectServers: McpSettings["projectServers"]): McpSettings {
  const { mcpServers: servers, mcpStartup: startup, mcpClients: clients } = settings;
  return { servers, projectServers, startup, clients };
}

export function hookSettings({ hooks, watch }: Settings, project: HookSettings["project"]): HookSettings {
  return { user: hooks, project, watch };
}

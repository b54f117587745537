import { atHome } from "../../../system/paths/at-home.ts";
import { defined } from "../../../util/json/defined.ts";
import { openPromptQueue, type PromptQueue } from "../../../agent/hooks/prompt-queue.ts";
import type { Hook } from "../../../core/hook.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { hookItem, type HookDefinition } from "../../config/hooks/hook-definition.ts";
import type { Roster } from "../../../system/process/roster.ts";
import type { Store } from "../store/open-configured-store.ts";
import type { IsTrusted } from "../../config/files/trust.ts";
import { ToolError } from "../../../core/errors.ts";
import { matcherOf } from "./match-moment.ts";
import { runCommand } from "./run-command.ts";
import { renderTemplate } from "../../config/hooks/template.ts";

/** Returns the user's hooks, then the trusted ones of the project, whose trust is checked again each time before they run. */
export function engineHooks(
  config: ConfigGroups<"hooks" | "paths" | "environment">,
  store: Store | undefined,
  isTrusted: IsTrusted,
  roster?: Roster,
): readonly Hook[] {
  const {
    hooks: { user: hooks, project: projectHooks },
    paths: { workspace, userHome },
    environment: { variables },
  } = config;
  const isItemTrusted = (definition: (typeof projectHooks)[number]): boolean => {
    const { kind, name, hash } = hookItem(definition, workspace[0]);
    return isTrusted(kind, name, hash);
  };
  const trusted = projectHooks.filter(isItemTrusted);
  if (hooks.length === 0 && trusted.length === 0) return [];
  const options = {
    environment: childEnvironment(variables, config.environment.names),
    workspace,
    home: userHome,
    prompts: openPromptQueue(store?.collections ?? createMemoryCollections()),
    roster,
  };
  return [
    ...createConfiguredHooks(hooks, options),
    ...createConfiguredHooks(trusted, { ...options, isTrusted: isItemTrusted }),
  ];
}

interface ConfiguredHooksOptions {
  /** The whole environment of the programs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Canonical folders that tools may touch; programs run in the first. */
  readonly workspace: readonly [string, ...string[]];
  /** What `~/` stands for. */
  readonly home: string;
  /** The queue of prompts for the agent. */
  readonly prompts: PromptQueue;
  /** Records the programs that must not outlive this process. */
  readonly roster?: Roster | undefined;
  /** Called each time before a hook runs; if it returns false, the hook has changed since it was trusted and fails. */
  readonly isTrusted?: (definition: HookDefinition) => boolean;
}

/** Creates the hooks of a config. Runs nothing by itself. */
export function createConfiguredHooks(
  definitions: readonly HookDefinition[],
  options: ConfiguredHooksOptions,
): readonly Hook[] {
  return definitions.map((definition) => createHook(definition, options));
}

function createHook(definition: HookDefinition, options: ConfiguredHooksOptions): Hook {
  const { name, on, match, timeoutSeconds, onFailure } = definition;
  const act = actionOf(definition, options);
  return {
    name,
    on,
    matches: matcherOf(match, options),
    run(moment, signal) {
      if (options.isTrusted?.(definition) === false) {
        const hint = "see toolwright trust";
        throw new ToolError("DENIED", "it has changed since it was trusted", { hint });
      }
      return act(moment, signal);
    },
    ...defined({ timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000, onFailure }),
  };
}

function actionOf({ name, action }: HookDefinition, options: ConfiguredHooksOptions): Hook["run"] {
  const { environment, workspace, home, prompts, roster } = options;
  if (action.type === "block") return () => ({ kind: "refuse", reason: action.reason });
  if (action.type === "command") {
    const [file, ...args] = action.program;
    const program = [atHome(file, home), ...args.map((word) => atHome(word, home))] as const;
    return (moment, signal) =>
      runCommand(program, moment, { environment, cwd: workspace[0], signal, roster });
  }
  return async (moment) => {
    const { session, file } = moment;
    const text = renderTemplate(action.prompt, moment);
    await prompts.add({ hook: name, text, ...defined({ session, file: file?.path }) });
    return undefined;
  };
}

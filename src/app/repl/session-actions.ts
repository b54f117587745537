import type { Outcome } from "../../agent/runtime/outcome.ts";
import type { Model } from "../../core/agent/model.ts";
import { ToolError } from "../../core/errors.ts";
import type { FoundModel } from "../../models/find-models.ts";
import { contentText } from "../../util/text/content-text.ts";
import { editUserConfig } from "../config/folders.ts";
import type { AgentHost, OpenAgent } from "../host/agent/agent-host.ts";
import type { Host } from "../host/host.ts";
import { findConfiguredModels, openConfiguredModel } from "../host/open-configured-model.ts";
import type { Approver } from "../../core/approval.ts";
import type { Level, Mode } from "../../core/policy.ts";
import { askAboutLevel, canChooseLevel } from "./approvals/ask-about-level.ts";
import type { ReplSession, Rewound } from "./state/session.ts";
import { TOUR_MESSAGE, tourModel } from "./tour.ts";

/** What the sessions of one REPL share and change. */
export interface SharedChoice {
  readonly host: Host;
  /** Asks the person. */
  readonly approver: Approver;
  readonly agents: AgentHost;
  model: Model;
  mode: Mode;
  found: Promise<readonly FoundModel[]> | undefined;
}

type Replace = (next: string | undefined) => Promise<ReplSession>;

/** Returns how a session opens copies of its conversation. */
export function copiesOf(
  shared: SharedChoice,
  id: string,
  replace: Replace,
): Pick<ReplSession, "prompts" | "rewind" | "fork" | "rename"> {
  return {
    prompts: () => promptsOf(shared, id),
    rename: (title) => shared.agents.transcripts.rename(id, title),
    rewind: (number) => rewind(shared, { id, number }, replace),
    fork: async () => replace((await shared.agents.transcripts.fork(id)).id),
  };
}

/** Returns the messages of the person, the first one first. */
async function promptsOf({ agents }: SharedChoice, id: string): Promise<readonly string[]> {
  const entries = await agents.transcripts.entries(id);
  return entries.flatMap((entry) => {
    const message = entry.kind === "message" ? entry.message : undefined;
    const isPersons = message?.role === "user" && message.from === undefined;
    return isPersons ? [contentText(message.content.slice(0, 1))] : [];
  });
}

/** Opens the conversation up to a message of the person, the last one by default, as a copy, in place of this one. */
async function rewind(
  { agents }: SharedChoice,
  { id, number }: { readonly id: string; readonly number: number | undefined },
  replace: Replace,
): Promise<Rewound> {
  const entries = await agents.transcripts.entries(id);
  const messages = entries.filter((entry) => entry.kind === "message");
  const own = messages.filter(({ message }) => message.role === "user" && message.from === undefined);
  const last = number === undefined ? own.at(-1) : own[number - 1];
  if (last?.message.role !== "user") throw new ToolError("UNAVAILABLE", "there is no message to edit yet");
  const hasEarlier = messages.some(({ seq }) => seq < last.seq);
  const copy = hasEarlier ? await agents.transcripts.fork(id, { at: last.seq - 1 }) : undefined;
  return { session: await replace(copy?.id), text: contentText(last.message.content.slice(0, 1)) };
}

/** Returns how a session changes what all sessions share: the mode and the model. */
export function settersOf(
  shared: SharedChoice,
  open: OpenAgent,
): Pick<
  ReplSession,
  "setMode" | "setModel" | "setLevel" | "offerLevel" | "models" | "useShared" | "saveSetting"
> {
  const { host, approver } = shared;
  return {
    setLevel: (level) => setLevel(host, level),
    offerLevel: () => offerLevel(host, approver),
    useShared: () => open.use(shared.model),
    setMode: (mode) => setMode(shared, mode),
    async saveSetting(key, value) {
      await editUserConfig(host.config.paths, () => ({ path: [key], value }));
      return host.config.paths.files.user;
    },
    async setModel(name) {
      shared.model = await openConfiguredModel(host.config, host.engine.masker.learn, name);
      open.use(shared.model);
      await editUserConfig(host.config.paths, () => ({ path: ["model"], value: name }));
      return host.config.paths.files.user;
    },
    models(isFresh = false) {
      if (isFresh) shared.found = undefined;
      return (shared.found ??= findConfiguredModels(host.config, { learn: host.engine.masker.learn }));
    },
  };
}

/** Sets the level now and in the user's config; returns that file. */
async function setLevel(host: Host, level: Level): Promise<string> {
  await host.setLevel(level);
  await editUserConfig(host.config.paths, () => ({ path: ["level"], value: level }));
  return host.config.paths.files.user;
}

/** Has the person choose a level where one has an effect; returns it, or undefined if none was chosen. Rejects as `setLevel` does. */
export async function offerLevel(host: Host, approver: Approver): Promise<Level | undefined> {
  if (!(await canChooseLevel(host))) return undefined;
  const level = await askAboutLevel(approver);
  if (level !== undefined) await setLevel(host, level);
  return level;
}

async function setMode(shared: SharedChoice, mode: Mode): Promise<void> {
  shared.host.setMode(mode);
  shared.mode = mode;
}

/**
 * Runs the tour in a conversation of its own, in mode auto. `show` gets that conversation before the first message. The model and
 * the mode are as before when it ends.
 */
export async function runTour(
  shared: SharedChoice,
  replace: Replace,
  show: (session: ReplSession) => void,
): Promise<Outcome> {
  const { model, mode } = shared;
  let session: ReplSession | undefined;
  try {
    shared.model = tourModel();
    await setMode(shared, "auto");
    session = await replace(undefined);
    show(session);
    return await session.agent.send(TOUR_MESSAGE);
  } finally {
    shared.model = model;
    await setMode(shared, mode);
    session?.useShared();
  }
}

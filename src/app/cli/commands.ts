import type { Command, Commands } from "../terminal/input/command.ts";
import type { toCommand } from "./slash.ts";

/** Every command, in the order in which help lists them; each is loaded when it is used. */
const LOADERS = {
  tools: async () => (await import("./calls/tools.ts")).tools,
  tool: async () => (await import("./calls/tool.ts")).tool,
  call: async () => (await import("./calls/call.ts")).call,
  batch: async () => (await import("./calls/batch.ts")).batch,
  parse: async () => (await import("./calls/parse.ts")).parse,
  explain: async () => (await import("./calls/explain.ts")).explain,
  policy: async () => (await import("./setup/policy.ts")).policy,
  approve: async () => (await import("../terminal/commands/approve.ts")).approve,
  chat: async () => (await import("./agent/chat.ts")).chat,
  run: async () => (await import("./agent/run.ts")).run,
  mcp: async () => (await import("./mcp/mcp.ts")).mcp,
  trace: async () => (await import("../terminal/commands/trace.ts")).trace,
  sessions: async () => (await import("./agent/sessions.ts")).sessions,
  replay: async () => (await import("./agent/replay.ts")).replay,
  trust: async () => (await import("./setup/trust.ts")).trust,
  trash: async () => (await import("./setup/trash.ts")).trash,
  restore: async () => (await import("../terminal/commands/restore.ts")).restore,
  doctor: async () => (await import("./setup/doctor.ts")).doctor,
  init: async () => (await import("./setup/init.ts")).init,
  completion: async () => (await import("./setup/completion.ts")).completion,
  help: async () => (await import("../terminal/input/help.ts")).help,
  "/tool": async () => slash((await import("../terminal/commands/tool.ts")).toolCommand, ["tool"]),
  "/refresh": async () => slash((await import("../terminal/commands/refresh.ts")).refreshCommand, []),
} as const satisfies Record<string, () => Promise<Command>>;

/** The table of commands: what help, completion and the docs are made from. */
export const COMMANDS: Commands = {
  names: Object.keys(LOADERS),
  load: async (name) => (isCommand(name) ? LOADERS[name]() : undefined),
  loadAll: () => Promise.all(Object.values(LOADERS).map((load) => load())),
};

function isCommand(name: string): name is keyof typeof LOADERS {
  return Object.hasOwn(LOADERS, name);
}

async function slash(...given: Parameters<typeof toCommand>): Promise<Command> {
  return (await import("./slash.ts")).toCommand(...given);
}

import type { Commands } from "../terminal/input/command.ts";

/**
 * Every command, in the order in which help lists them. Help, completion and the docs are made from this table, the list of
 * all commands from `SUMMARIES`. Each is loaded when it is needed, so that `call` does not load the agent, the gateway and the REPL.
 */
export const COMMANDS = {
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
  acp: async () => (await import("./agent/acp.ts")).acp,
  mcp: async () => (await import("./mcp/mcp.ts")).mcp,
  demo: async () => (await import("./demo/demo.ts")).demo,
  serve: async () => (await import("./http/serve.ts")).serve,
  user: async () => (await import("./people/user.ts")).user,
  api: async () => (await import("./api/api.ts")).api,
  worker: async () => (await import("./fleet/worker.ts")).worker,
  fleet: async () => (await import("./fleet/fleet.ts")).fleet,
  trace: async () => (await import("../terminal/commands/trace.ts")).trace,
  sessions: async () => (await import("./agent/sessions.ts")).sessions,
  replay: async () => (await import("./agent/replay.ts")).replay,
  trust: async () => (await import("./setup/trust.ts")).trust,
  trash: async () => (await import("./setup/trash.ts")).trash,
  store: async () => (await import("./store/store.ts")).store,
  sandbox: async () => (await import("./setup/sandbox.ts")).sandbox,
  restore: async () => (await import("../terminal/commands/restore.ts")).restore,
  doctor: async () => (await import("./setup/doctor.ts")).doctor,
  init: async () => (await import("./setup/init.ts")).init,
  login: async () => (await import("./setup/login.ts")).login,
  config: async () => (await import("./setup/config.ts")).config,
  schema: async () => (await import("./setup/schema.ts")).schema,
  completion: async () => (await import("./setup/completion.ts")).completion,
  uninstall: async () => (await import("./setup/uninstall.ts")).uninstall,
  help: async () => (await import("./help.ts")).help,
  "/tool": async () => (await import("./slash.ts")).slashTool,
  "/refresh": async () => (await import("./slash.ts")).slashRefresh,
} satisfies Commands;

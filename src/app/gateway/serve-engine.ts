import type { Approvals, McpHttp, ServedStdio, ServerInfo } from "./types/public-types.ts";
import type { Approver } from "../../core/approval.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { ToolLimit } from "../../engine/types/registry.ts";
import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { defined } from "../../util/json/defined.ts";
import { createMcpHttp } from "./http/mcp-http.ts";
import { createApprovals } from "./sessions/approvals.ts";
import { createGateway, type Gateway } from "./sessions/gateway.ts";
import { serveStdio } from "./stdio/serve-stdio.ts";

/** The limits of a gateway's clients, and what they are shown. */
export interface McpServerOptions {
  /** The name and version that clients are shown. Default: those of Toolwright. */
  readonly info?: ServerInfo;
  /** Limit the calls of all clients: mode, tools, rules. Default: none. */
  readonly ceilings?: readonly Ceiling[];
  /** Lets clients ask their users, if `approver` of it is the engine's. Default: the engine's own approver decides. */
  readonly approvals?: Approvals;
  /** Answers that were cut, which clients read as resources: the same as the engine's. Default: none. */
  readonly artifacts?: Artifacts;
  /** Beyond it a client finds tools with `search_tools`, if the engine has it. Default: 100 tools; of those that are not built in, 20 000 tokens. */
  readonly toolLimit?: Partial<Pick<ToolLimit, "tools" | "tokens">>;
  /** The number of calls of all clients that run at a time. Default: 16. */
  readonly concurrency?: number;
  /** Receives a line about each fault of the protocol. Default: standard error. */
  readonly log?: (line: string) => void;
}

/** The options of a gateway, and its streams. */
export interface ServeMcpOptions extends McpServerOptions {
  /** Default: standard input of this process. */
  readonly stdin?: NodeJS.ReadableStream;
  /** Default: standard output of this process, which must then carry nothing else. */
  readonly stdout?: NodeJS.WritableStream;
}

const KINDS: OptionKinds<McpServerOptions> = {
  info: "an object",
  ceilings: "a list",
  approvals: "an object",
  artifacts: "an object",
  toolLimit: "an object",
  concurrency: "a positive number",
  log: "a function",
};

/** Creates an approver that asks the users of MCP clients, by a form, or else `otherwise`. */
export function createMcpApprovals(otherwise?: Approver): Approvals {
  return createApprovals(otherwise);
}

/** Serves the engine to one MCP client over standard input and output. Never closes the engine. */
export function serveMcp(engine: Engine, options: ServeMcpOptions = {}): ServedStdio & AsyncDisposable {
  checkOptions("serveMcp", options, { ...KINDS, stdin: "an object", stdout: "an object" });
  const { stdin = process.stdin, stdout = process.stdout, ceilings = [], info, log = logToStderr } = options;
  const gateway = gatewayOf(engine, options);
  const served = serveStdio({
    stdin,
    write: (line) =>
      new Promise((resolve, reject) => {
        stdout.write(line, (error) => (error ? reject(error) : resolve()));
      }),
    print: log,
    ceilings,
    open: () => Promise.resolve(gateway),
    ...defined({ info }),
  });
  const close = async (): Promise<void> => {
    await served.close();
    await gateway.close();
  };
  return { ended: served.ended, close, [Symbol.asyncDispose]: close };
}

/** Serves the engine to MCP clients over HTTP, as a function from request to response. It authenticates nobody: the caller does. */
export async function createMcpHandler(
  engine: Engine,
  options: McpServerOptions = {},
): Promise<McpHttp & AsyncDisposable> {
  checkOptions("createMcpHandler", options, KINDS);
  const { ceilings = [], info, log = logToStderr } = options;
  const gateway = gatewayOf(engine, options);
  const http = await createMcpHttp(gateway, ceilings, log, info);
  const close = async (): Promise<void> => {
    await http.close();
    await gateway.close();
  };
  return { fetch: (request) => http.fetch(request), close, [Symbol.asyncDispose]: close };
}

function gatewayOf(engine: Engine, options: McpServerOptions): Gateway {
  const { approvals = createApprovals(), artifacts, toolLimit, concurrency } = options;
  return createGateway({
    engine,
    approvals,
    mask: (text: string, name?: string) => engine.masker.text(text, name),
    ...defined({ artifacts, toolLimit, concurrency }),
  });
}

function logToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

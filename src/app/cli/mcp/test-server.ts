import type { SourceProblem } from "../../../core/source.ts";
import { ToolError } from "../../../core/errors.ts";
import { createMasker } from "../../../secrets/mask.ts";
import { connectionOf } from "../../../sources/mcp/connection/connection.ts";
import { createMcpServers } from "../../../sources/mcp/registry.ts";
import type { McpSource } from "../../../sources/mcp/types/source-types.ts";
import { openServer } from "../../host/sources/mcp-sources.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { onlyArgument } from "../../terminal/input/check-arguments.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { renderProblems } from "../../terminal/print/render-problems.ts";
import { visible } from "../../../util/text/visible.ts";
import { namedServer } from "./config-entries.ts";

/** Connects to a server, pins what it offers if it is new, and reports how long that took. Throws if it cannot be reached. */
export async function testServer(args: Arguments, world: World): Promise<void> {
  const name = onlyArgument(args.positionals, "server name: toolwright mcp test NAME");
  const { config, entry } = await namedServer(name, args, world);
  await using store = await openConfiguredStore(config);
  using interrupt = world.interrupt();
  const { text: mask, learn: onSecret } = createMasker(config.environment.secrets);
  const source = openServer(entry, config, { collections: store.collections, onSecret });
  try {
    const report = await examine(source, interrupt.signal).catch((error: unknown) => {
      throw ofServer(name, error);
    });
    await world.output.print(
      mask(args.flags["json"] === true ? `${JSON.stringify(report)}\n` : page(report)),
    );
  } finally {
    await source.close?.();
  }
}

/** Adds the server to the message of an error: what it says may be about a program that the config does not name. */
function ofServer(name: string, error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, message } = error;
  const hint = error.hint ?? `toolwright config get mcpServers.${name} shows how it is started`;
  return new ToolError(code, `${name}: ${message}`, { cause: error, hint });
}

interface Report {
  readonly server: string;
  readonly version: string;
  readonly protocol: string;
  readonly connectMs: number;
  readonly listMs: number;
  readonly tools: readonly string[];
  readonly resources: number;
  readonly prompts: readonly string[];
  readonly problems: readonly SourceProblem[];
}

async function examine(source: McpSource, signal: AbortSignal): Promise<Report> {
  const startedAt = performance.now();
  const { client } = await connectionOf(source, signal);
  const connectMs = performance.now() - startedAt;
  const { tools, problems } = await source.load(signal);
  const servers = createMcpServers([source]);
  const [resources, prompts] = [await servers.resources(undefined, signal), await servers.prompts(signal)];
  const listMs = performance.now() - startedAt - connectMs;
  const { name = source.server, version = "" } = client.getServerVersion() ?? {};
  return {
    server: name,
    version,
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    connectMs: Math.round(connectMs),
    listMs: Math.round(listMs),
    tools: tools.map((tool) => tool.name),
    resources: resources.items.length,
    prompts: prompts.items.map((prompt) => prompt.name),
    problems,
  };
}

function page(report: Report): string {
  const { server, version, protocol, connectMs, listMs, tools, resources, prompts, problems } = report;
  const lines = [
    `${server} ${version}, protocol ${protocol}`,
    `connected in ${connectMs} ms, listed in ${listMs} ms`,
    `${tools.length} tools${tools.length > 0 ? `: ${firstOf(tools)}` : ""}`,
    `${resources} resources and templates`,
    `${prompts.length} prompts${prompts.length > 0 ? `: ${firstOf(prompts)}` : ""}`,
  ];
  return `${visible(lines.join("\n"))}\n${problems.length > 0 ? renderProblems(problems, { isJson: false }) : ""}`;
}

const MAX_NAMES = 20;

/** Returns the first names, and how many more there are. */
function firstOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const firstNames = names.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${firstNames} and ${more} more (toolwright tools lists all)` : firstNames;
}

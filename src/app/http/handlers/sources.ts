import type { Handlers } from "../api/routes.ts";
import type { McpSource } from "../../../sources/mcp/types/source-types.ts";
import { pinName } from "../../../sources/mcp/tools/definition.ts";
import { targetOf } from "../../../sources/mcp/transport/server.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { mcpEntries, pinsOf, type McpEntry } from "../../host/sources/mcp-sources.ts";
import type { Source } from "../api/host-shapes.ts";
import { Refusal } from "../api/refusal.ts";
import type { Served } from "../server/served.ts";

const REVIEW_MS = 30_000;

export function sourceHandlers({ host, tools }: Served) {
  const { engine, mcp, config } = host;
  const serverOf = (name: string): McpSource => findServer(mcp?.sources ?? [], name);
  return {
    async sources() {
      const entries = new Map(
        mcpEntries(config, host.trusted.isTrusted).map((one) => [`mcp:${one.name}`, one]),
      );
      const byTool = Map.groupBy(tools(), ({ source }) => source);
      const problems = Map.groupBy(await host.problems(), ({ source }) => source);
      const names = new Set([...byTool.keys(), ...problems.keys(), ...entries.keys()]);
      const sources = [...names].map(async (name): Promise<Source> => ({
        name,
        kind: kindOf(name),
        state: stateOf(engine, name),
        tools: (byTool.get(name) ?? []).map((tool) => tool.name),
        problems: problems.get(name) ?? [],
        server: await serverState(host, entries.get(name)),
      }));
      return { sources: await Promise.all(sources) };
    },
    async refreshSource({ params: { name } }) {
      const { state, added, changed, removed, failures } = await engine.sources.refresh(name);
      return { state, added, changed, removed, failures };
    },
    async pins({ params: { name } }) {
      const changes = await serverOf(name).review(AbortSignal.timeout(REVIEW_MS));
      return {
        changes: changes.map((change) => {
          const { wasPinned, lines, seen } = change;
          return { tool: pinName(change), wasPinned, lines, hash: seen.hash };
        }),
      };
    },
    async approvePins({ params: { name }, body }) {
      const source = serverOf(name);
      const changes = await source.review(AbortSignal.timeout(REVIEW_MS));
      const chosen = body.changes.map(({ tool, hash }) => {
        const change = changes.find((one) => pinName(one) === tool && one.seen.hash === hash);
        if (change !== undefined) return change;
        throw new Refusal(
          "CONFLICT",
          `${tool} has changed again, or needs no approval`,
          "read the changes again",
        );
      });
      await source.approve(chosen);
      await engine.sources.refresh(source.name);
      return { approved: chosen.map(pinName) };
    },
  } satisfies Partial<Handlers>;
}

function findServer(servers: readonly McpSource[], name: string): McpSource {
  const server = servers.find((one) => one.name === name || one.server === name);
  if (server !== undefined) return server;
  const names = servers.map((one) => one.name);
  const hint = nearHint(name, names, `expected ${names.join(" or ") || "an MCP server, and there is none"}`);
  throw new Refusal("NOT_FOUND", `no MCP server is named ${JSON.stringify(name)}`, hint);
}

/** Built-in tools are not loaded by a source. */
function stateOf({ sources }: Engine, name: string): Source["state"] {
  return attempt(() => sources.state(name)) ?? "complete";
}

async function serverState(
  { mcp, config, store, engine }: Served["host"],
  entry: McpEntry | undefined,
): Promise<Source["server"]> {
  if (entry === undefined) return null;
  const { name, isProject, isTrusted, configured } = entry;
  const isConnected = mcp?.sources.find((one) => one.server === name)?.current() !== undefined;
  const common = { name, isConnected, isProject, isTrusted };
  if ("problem" in configured) return { ...common, target: configured.problem, unapproved: 0 };
  const { collections } = store;
  const pending = await pinsOf({ ...entry, configured }, { config, collections }).pending();
  const target = engine.masker.text(targetOf(configured.server));
  return { ...common, target, unapproved: pending.definitions.length };
}

function kindOf(source: string): Source["kind"] {
  if (source === "built-in") return "built-in";
  const kind = /^(mcp|api|external|extension)\b/.exec(source)?.[1];
  return (kind as Source["kind"] | undefined) ?? "other";
}

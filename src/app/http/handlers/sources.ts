import type { Handlers } from "../api/routes.ts";
import type { McpSource } from "../../../sources/mcp/types/source-types.ts";
import { pinName } from "../../../sources/mcp/tools/definition.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { Source } from "../api/host-shapes.ts";
import { Refusal } from "../api/refusal.ts";
import type { Served, ServedEngine } from "../server/served.ts";

const REVIEW_MS = 30_000;

export function sourceHandlers({ engine, tools, problems: allProblems, servers }: ServedEngine) {
  return {
    async sources() {
      const states = await servers();
      const byTool = Map.groupBy(tools(), ({ source }) => source);
      const problems = Map.groupBy(await allProblems(), ({ source }) => source);
      const names = new Set([...byTool.keys(), ...problems.keys(), ...states.keys()]);
      const sources = [...names].map((name): Source => ({
        name,
        kind: kindOf(name),
        state: stateOf(engine, name),
        tools: (byTool.get(name) ?? []).map((tool) => tool.name),
        problems: problems.get(name) ?? [],
        server: states.get(name) ?? null,
      }));
      return { sources };
    },
    async refreshSource({ params: { name } }) {
      const { state, added, changed, removed, failures } = await engine.sources.refresh(name);
      return { state, added, changed, removed, failures };
    },
  } satisfies Partial<Handlers>;
}

/** The definitions of MCP servers that a person approves. */
export function pinHandlers({ engine, traffic, host: { mcp } }: Served) {
  const serverOf = (name: string): McpSource => findServer(mcp?.sources ?? [], name);
  return {
    traffic: ({ params: { name } }) => ({ messages: traffic.of(serverOf(name).name) }),
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

function kindOf(source: string): Source["kind"] {
  if (source === "built-in") return "built-in";
  const kind = /^(mcp|api|external|extension)\b/.exec(source)?.[1];
  return (kind as Source["kind"] | undefined) ?? "other";
}

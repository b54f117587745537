import type { Handlers } from "../api/routes.ts";
import { onlySubject, seesRequest } from "../../host/people/caller.ts";
import { ToolError } from "../../../core/errors.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { hasRight } from "../../config/access/http-tokens.ts";
import { PAGE_RIGHTS } from "../api/page-names.ts";
import { streamEvents } from "../events/event-hub.ts";
import type { Served, ServedEngine } from "../server/served.ts";
import { firstSentence } from "../../../util/text/shortened.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { join } from "node:path";
import { BOX_KINDS, probeBox, type BoxName } from "../../../system/box/box.ts";
import { copyOf } from "../../host/sandbox/tool-server-program.ts";
import { defined } from "../../../util/json/defined.ts";

/** The server itself. `ended` is aborted when the server ends. */
export function hostHandlers(served: ServedEngine, ended: AbortSignal) {
  const { queue, hub, engine, session, store } = served;
  return {
    async state({ caller }) {
      const subject = onlySubject(caller);
      const [open, waiting] = await Promise.all([
        store.journal.list({ state: "open", ...defined({ subject }) }),
        queue.pending(),
      ]);
      const approvals = waiting.filter(({ request }) => seesRequest(caller, request));
      return {
        version: packageVersion(),
        startedAt: served.startedAt,
        pages: served.pages.filter((page) => hasRight(caller.rights, PAGE_RIGHTS[page])),
        workspace: served.workspace,
        session,
        mode: served.mode() ?? null,
        rights: [...caller.rights],
        person: caller.subject?.id ?? null,
        model: served.model ?? null,
        sandbox: served.sandbox(),
        tools: served.tools().filter(({ isActive }) => isActive).length,
        openCalls: open.length,
        approvals: approvals.length,
        sourceState: engine.sources.state(),
        warnings: served.warnings,
      };
    },
    events({ query, request, caller }) {
      const after = query.after ?? request.headers.get("last-event-id") ?? undefined;
      const wanted = { ...query, ...defined({ after }), caller };
      return streamEvents(
        hub,
        wanted,
        caller.ended === undefined ? ended : AbortSignal.any([ended, caller.ended]),
      );
    },
  } satisfies Partial<Handlers>;
}

export function toolHandlers(served: ServedEngine) {
  const { engine } = served;
  return {
    tools({ query: { text = "", all } }) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      const has = (one: string): boolean => words.every((word) => one.toLowerCase().includes(word));
      const matches = served
        .tools()
        .filter(({ isActive, name, description }) => (all || isActive) && has(`${name} ${description}`));
      return {
        tools: matches.map(({ name, description, risk, place, source, group, isActive }) => ({
          name,
          summary: firstSentence(description),
          risk,
          place,
          source,
          group: group ?? null,
          isActive,
        })),
      };
    },
    async tool({ params: { name } }) {
      if (engine.get(name) === undefined) await engine.sources.settled(name);
      const known = engine.get(name)?.name;
      const knownTool = served.tools().find((one) => one.name === known);
      if (knownTool === undefined) {
        const names = served.tools().map((one) => one.name);
        throw new ToolError("TOOL_NOT_FOUND", `no tool is named ${JSON.stringify(name)}`, {
          hint: nearHint(name, names, "GET /api/tools lists them"),
        });
      }
      const { isActive, ...tool } = knownTool;
      return { tool, isActive };
    },
  } satisfies Partial<Handlers>;
}

export function sandboxHandlers({ host: { config }, sandbox: used }: Served) {
  return {
    async sandbox() {
      const { kind: wanted, options } = config.sandbox;
      const kinds = await Promise.all(BOX_KINDS.map(probe));
      const changes = options.workspace === "copy" ? await copyOf(config.paths).changes() : [];
      return {
        wanted,
        used: used(),
        kinds,
        network: options.network,
        domains: options.domains,
        workspace: options.workspace,
        changes: changes.map(({ root, path, what, conflict }) => ({
          path: join(root, path),
          what,
          conflict: conflict ?? null,
        })),
      };
    },
  } satisfies Partial<Handlers>;
}

async function probe(kind: BoxName) {
  const probed = await probeBox(kind);
  return probed.works
    ? { kind, works: true, reason: null, hint: null }
    : { kind, works: false, reason: probed.reason, hint: probed.hint };
}

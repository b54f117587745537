import { join } from "node:path";
import { probeBox, type BoxName } from "../../../system/box/box.ts";
import { strongestFirst } from "../../host/sandbox.ts";
import { copyOf } from "../../host/start-tool-server.ts";
import type { Handlers } from "../api/handlers.ts";
import type { Served } from "../server/served.ts";

export function sandboxHandlers({ host: { config } }: Served): Pick<Handlers, "sandbox"> {
  return {
    async sandbox() {
      const { sandbox: wanted, sandboxOptions: options } = config;
      const kinds = await Promise.all(strongestFirst(config).map(probe));
      const used = wanted === "auto" ? (kinds.find(({ works }) => works)?.kind ?? "none") : wanted;
      const changes = options.workspace === "copy" ? await copyOf(config).changes() : [];
      return {
        wanted,
        used,
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
  };
}

async function probe(kind: BoxName) {
  const found = await probeBox(kind);
  return found.works
    ? { kind, works: true, reason: null, hint: null }
    : { kind, works: false, reason: found.reason, hint: found.hint };
}

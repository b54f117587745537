import { ToolError } from "../../core/errors.ts";
import type { SourceProblem, ToolSource } from "../../core/source.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { attempt } from "../../util/async/attempt.ts";
import { isObject, type Json } from "../../core/json.ts";
import type { KV } from "@nats-io/kv";
import { textOf, type Ignored } from "./directory.ts";
import type { OpenFleet } from "./open-fleet.ts";
import type { Seals } from "./keys/seals.ts";
import { versionOf } from "./wire.ts";

export interface FleetSourceOptions {
  readonly open: () => Promise<OpenFleet>;
  /** Returns true for a name that the engine has from elsewhere. */
  readonly isTaken: (name: string) => boolean;
}

/** Creates the source `fleet`: the tools that only workers have. Of two versions of a tool, that of the youngest worker counts. */
export function createFleetSource({ open, isTaken }: FleetSourceOptions): ToolSource {
  const known = new Map<string, Tool>();
  return {
    name: "fleet",
    async load() {
      const { directory, tools: specs, seals } = await open();
      // It could send no calls to them, and does not know who advertises them.
      if (!seals.hasKey) return { tools: [], problems: [] };
      const workers = directory.workers().toSorted((one, other) => one.startedAt - other.startedAt);
      const versions = new Map<string, string>();
      for (const { tools, isDraining } of workers)
        for (const offer of isDraining ? [] : tools) {
          const at = offer.lastIndexOf("@");
          versions.set(offer.slice(0, at), offer.slice(at + 1));
        }
      const tools: Tool[] = [];
      const problems: SourceProblem[] = [...problemsOf(directory.ignored())];
      for (const [name, version] of versions) {
        if (isTaken(name)) continue;
        const tool = known.get(version) ?? toTool(await readSpec(specs, seals, version), version);
        if (tool === undefined) {
          problems.push({ source: "fleet", subject: name, ...LOST });
          continue;
        }
        known.set(version, tool);
        tools.push(tool);
      }
      return { tools, problems };
    },
    watch(changed) {
      let stop: (() => void) | undefined;
      let isStopped = false;
      open().then(
        ({ directory }) => (stop = isStopped ? undefined : directory.watch(changed)),
        () => undefined,
      );
      return () => {
        isStopped = true;
        stop?.();
      };
    },
  };
}

/** Reads the description of a version, or undefined if no worker with the key has published it. */
async function readSpec(specs: KV, { unseal }: Seals, version: string): Promise<Json | undefined> {
  const text = (await specs.get(version))?.string() ?? "";
  const body = unseal("spec", version, text);
  return body === undefined ? undefined : attempt(() => JSON.parse(body) as Json);
}

function problemsOf(ignored: Ignored): readonly SourceProblem[] {
  const message = textOf(ignored).slice(2);
  return message === "" ? [] : [{ source: "fleet", subject: "workers", reason: "untrusted", message }];
}

const LOST = { reason: "failed", message: "no worker has published its description" } as const;

/** Returns the tool of a description. What it says of its risk is not believed below `medium`: this engine does not have the tool. */
function toTool(document: Json | undefined, version: string): Tool | undefined {
  if (!isObject(document)) return undefined;
  const spec = document as unknown as ToolSpec;
  if (versionOf(spec) !== version) return undefined;
  return {
    ...spec,
    risk: spec.risk === "high" ? "high" : "medium",
    place: "fleet",
    source: "fleet",
    run() {
      throw new ToolError("NO_EXECUTOR", `"${spec.name}" runs on workers of the fleet only`);
    },
  };
}

import { ToolError } from "../../core/errors.ts";
import type { SourceProblem, ToolSource } from "../../core/source.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import type { OpenFleet } from "./open-fleet.ts";

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
      const { directory, tools: specs } = await open();
      const workers = directory.workers().toSorted((one, other) => one.startedAt - other.startedAt);
      const versions = new Map<string, string>();
      for (const { tools, isDraining } of workers)
        for (const offer of isDraining ? [] : tools) {
          const at = offer.lastIndexOf("@");
          versions.set(offer.slice(0, at), offer.slice(at + 1));
        }
      const tools: Tool[] = [];
      const problems: SourceProblem[] = [];
      for (const [name, version] of versions) {
        if (isTaken(name)) continue;
        const tool = known.get(version) ?? toTool((await specs.get(version))?.json<ToolSpec>());
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

const LOST = { reason: "failed", message: "no worker has published its description" } as const;

function toTool(spec: ToolSpec | undefined): Tool | undefined {
  if (spec === undefined) return undefined;
  return {
    ...spec,
    place: "fleet",
    source: "fleet",
    run() {
      throw new ToolError("NO_EXECUTOR", `"${spec.name}" runs on workers of the fleet only`);
    },
  };
}

import { isObject, type JsonObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { ToolResult } from "../../../core/result.ts";

/** The tool that reads cut answers. */
export const READ_ARTIFACT = "read_artifact";
/** Returns the ceilings of a call that reads a cut answer. */
export function readingArtifacts(ceilings: readonly Ceiling[]): readonly Ceiling[] {
  return ceilings.map((one) =>
    one.tools === undefined ? one : { ...one, tools: [...one.tools, READ_ARTIFACT] },
  );
}

const SCHEME = "artifact://";
/** The newest; older ones can still be read by their address. */
const MAX_LISTED = 100;
/** The most that one read returns; `next` is the address of the rest. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Lists and reads the full texts of one client's cut answers, as resources. */
export function createArtifactResources(artifacts: Artifacts | undefined, onNoted: () => void) {
  const known = new Map<unknown, JsonObject>();
  return {
    /** Remembers the full text of a cut answer and returns its link; undefined if nothing was cut. */
    note({ name, meta: { truncated } }: ToolResult): JsonObject | undefined {
      const id = truncated?.artifactId;
      if (id === undefined) return undefined;
      const uri = SCHEME + encodeURIComponent(id);
      const resource = { uri, name: `${name} ${id}`, mimeType: "text/plain" };
      known.set(id, resource);
      onNoted();
      const [oldest] = known.keys();
      if (known.size > MAX_LISTED && oldest !== undefined) known.delete(oldest);
      return { type: "resource_link", ...resource, description: `The full answer of ${name}` };
    },
    /** Returns whether this client received a cut answer. */
    isAny: (): boolean => known.size > 0,
    /** Returns whether a call reads a cut answer of this client, which it may whatever its ceilings exclude. */
    isOwn: (name: string, input: unknown): boolean =>
      name === READ_ARTIFACT && isObject(input) && known.has(input["id"]),
    list: (): readonly JsonObject[] => [...known.values()].toReversed(),
    /** Returns undefined if the address is no artifact's, or its text is not stored any more. */
    async read(uri: string): Promise<JsonObject | undefined> {
      const wanted = parse(uri);
      const slice =
        wanted === undefined ? undefined : await artifacts?.read(wanted.id, wanted.start, MAX_BYTES);
      if (wanted === undefined || slice === undefined) return undefined;
      const { text, start, end, size } = slice;
      const next = end < size ? { next: `${SCHEME}${encodeURIComponent(wanted.id)}?start=${end}` } : {};
      return { contents: [{ uri, mimeType: "text/plain", text, _meta: { start, end, size, ...next } }] };
    },
  };
}

function parse(uri: string): { readonly id: string; readonly start: number } | undefined {
  const [, name = "", digits = "0"] = /^artifact:\/\/([^/?#]+)(?:\?start=(\d{1,15}))?$/.exec(uri) ?? [];
  try {
    const id = decodeURIComponent(name);
    return id === "" ? undefined : { id, start: Number(digits) };
  } catch {
    return undefined;
  }
}

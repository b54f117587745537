import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";

/** Whole texts that answers had to cut, as resources of the client that was answered. */
export interface ArtifactResources {
  /** Remembers what an answer has cut; gives its link, or undefined where nothing was. */
  note(result: ToolResult): JsonObject | undefined;
  list(): readonly JsonObject[];
  /** Undefined for an address that is none, or whose text is not kept any more. */
  read(uri: string): Promise<JsonObject | undefined>;
}

const SCHEME = "artifact://";
/** The newest of a client's; older ones can still be read by their address. */
const MAX_LISTED = 100;
/** What one read gives at most; the rest is under an address of its own. */
const MAX_BYTES = 4 * 1024 * 1024;

export const ARTIFACT_TEMPLATE: JsonObject = {
  uriTemplate: `${SCHEME}{id}{?start}`,
  name: "artifact",
  description: "The whole of an answer that was cut, by the id in its notice; start is a byte to begin at.",
  mimeType: "text/plain",
};

export function createArtifactResources(artifacts: Artifacts | undefined): ArtifactResources {
  const known = new Map<string, JsonObject>();
  return {
    note({ name, meta: { truncated } }) {
      const id = truncated?.artifactId;
      if (id === undefined) return undefined;
      const resource = {
        uri: SCHEME + encodeURIComponent(id),
        name: `${name} ${id}`,
        mimeType: "text/plain",
      };
      known.set(id, resource);
      const [oldest] = known.keys();
      if (known.size > MAX_LISTED && oldest !== undefined) known.delete(oldest);
      return { type: "resource_link", ...resource, description: `The whole answer of ${name}` };
    },
    list: () => [...known.values()].toReversed(),
    async read(uri) {
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

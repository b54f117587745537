import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { ArtifactResources } from "../types/gateway-types.ts";

const SCHEME = "artifact://";
/** The newest; older ones can still be read by their address. */
const MAX_LISTED = 100;
/** The most that one read returns; `next` is the address of the rest. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Lists and reads what was cut from one client's answers. */
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
      return { type: "resource_link", ...resource, description: `The full answer of ${name}` };
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

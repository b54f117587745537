import type { Grants } from "../../../core/grant.ts";
import { isObject } from "../../../core/json.ts";
import { editUserConfig } from "../../config/folders.ts";
import type { PathSettings } from "../../config/groups.ts";

/**
 * Returns grants of which a folder that always belongs to the workspace goes into the setting `roots` of the user's config; its grant is for the running
 * session, so that the setting alone counts afterwards. Rejects if the file cannot be changed.
 */
export function savingRoots(grants: Grants, paths: PathSettings): Grants {
  return {
    ...grants,
    async add(grant, session) {
      const { adds, scope } = grant;
      if (adds === undefined || scope !== "always") return grants.add(grant, session);
      await editUserConfig(paths, (written) => {
        const roots = isObject(written) ? written["roots"] : undefined;
        return Array.isArray(roots)
          ? { path: ["roots", roots.length], value: adds }
          : { path: ["roots"], value: [adds] };
      });
      return grants.add({ ...grant, scope: "session" }, session);
    },
  };
}

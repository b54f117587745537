import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { provide, type Provided } from "../core/context.ts";
import { SessionProxyKey } from "../core/session/session-proxy.ts";
import { makeTemporaryFolder } from "../system/process/temporary-folder.ts";
import type { RemoteJob } from "./wire.ts";

/** Creates the proxies that jobs bring along. */
export function createSentProxies() {
  let folder: Promise<string> | undefined;
  return {
    /** Returns the proxy of a job for its tools, whose certificate is in a file of this machine. */
    provided(proxy: RemoteJob["proxy"]): readonly Provided[] {
      if (proxy === undefined) return [];
      const { url, certificate, spki: caSpki } = proxy;
      const open = async () => {
        folder ??= makeTemporaryFolder();
        const name = createHash("sha256").update(certificate).digest("hex");
        const caFile = join(await folder, `${name}.pem`);
        await writeFile(caFile, certificate);
        return { url, caFile, caSpki };
      };
      return [provide(SessionProxyKey, open)];
    },
    /** Removes the files. */
    async close(): Promise<void> {
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}

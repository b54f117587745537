import { createHash } from "node:crypto";

/** The session of a workspace: one workspace, one session, whoever asks. */
export function workspaceSession(root: string): string {
  return `workspace-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
}

import { hash, randomUUID } from "node:crypto";
import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import { workspaceCollection, type WorkspaceOptions } from "../shared/collections.ts";
import { createDocumentReader, TEXT, withFields } from "../../schema/document-reader.ts";
import { byRisk, type Finding } from "./finding.ts";

export const MAX_FINDINGS = 300;
/** The maximum numbers of findings and scans of all workspaces. */
const FINDINGS = { name: "findings", limit: 10_000 } as const;
const SCANS = { name: "scans", limit: 1000 } as const;
const CURRENT = "current";
/** How long the report of a finished scan can be written again. */
export const AGAIN_MINUTES = 60;

// A type, not an interface, so that it is assignable to JSON.
export type Scan = {
  /** The id, also the name of its folder. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** The session that finished it. */
  readonly finishedBy: string | null;
};

/** Returns the scans of a workspace. All agents of the workspace share the running one. */
export function scansOf(options: WorkspaceOptions) {
  const scans = workspaceCollection(options, SCANS);
  const findings = workspaceCollection(options, FINDINGS);
  const take = async (isTaken: (scan: Scan) => boolean): Promise<Scan> => {
    const stored = await scans.update(CURRENT, (value) => {
      const scan = fromJson(value);
      return scan !== undefined && isTaken(scan) ? scan : begin();
    });
    return stored as Scan;
  };
  const list = async (scan: Scan): Promise<readonly Finding[]> =>
    (await findings.list({ prefix: `${scan.id}/` })).map(({ value }) => value as Finding).sort(byRisk);
  return {
    /** Returns the running scan, or starts one. */
    running: (): Promise<Scan> => take(({ finishedAt }) => finishedAt === null),
    /** Returns the running scan, or the one that this session has just finished, or starts one. */
    toFinish: (session: string): Promise<Scan> =>
      take(
        ({ finishedAt, finishedBy }) =>
          finishedAt === null || (finishedBy === session && finishedAt > Date.now() - AGAIN_MINUTES * 60_000),
      ),
    /** Marks a scan as finished, unless another has started since. */
    async finish(scan: Scan): Promise<void> {
      await scans.update(CURRENT, (value) => (fromJson(value)?.id === scan.id ? scan : value));
    },
    /** Throws if the same title was reported for the same target. */
    async add(scan: Scan, finding: Finding): Promise<void> {
      if ((await list(scan)).length >= MAX_FINDINGS)
        throw new ToolError("TOOL_FAILED", `this scan already has ${MAX_FINDINGS} findings`, {
          hint: "finish it with finish_scan; later findings start a new scan",
        });
      await findings.update(keyOf(scan, finding), (other) => {
        if (isObject(other)) throw duplicate(other as Finding);
        return finding;
      });
    },
    drop: async (scan: Scan, finding: Finding): Promise<void> =>
      void (await findings.delete(keyOf(scan, finding))),
    /** Returns the findings, most severe first. */
    findings: list,
  };
}

/** Returns the id of a finding, which depends only on title and target. */
export function findingId({ title, target }: Pick<Finding, "title" | "target">): string {
  const name = [title, target].map((text) =>
    text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim(),
  );
  return `vuln-${hash("sha256", JSON.stringify(name)).slice(0, 10)}`;
}

function begin(): Scan {
  const startedAt = Date.now();
  const day = new Date(startedAt).toISOString().slice(0, 10);
  return { id: `scan-${day}-${randomUUID().slice(0, 8)}`, startedAt, finishedAt: null, finishedBy: null };
}

function keyOf(scan: Scan, { id }: Finding): string {
  return `${scan.id}/${id}`;
}

const fromJson = createDocumentReader<Scan>(withFields({ id: TEXT }));

function duplicate({ id, title, target }: Finding): ToolError {
  return new ToolError("TOOL_FAILED", `already reported as ${id}: ${title} (${target})`, {
    hint: "report only new findings; another vulnerability of the same target needs a different title",
    details: { id, title, target },
  });
}

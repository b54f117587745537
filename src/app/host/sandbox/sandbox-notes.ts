import type { ToolContext } from "../../../core/context.ts";
import { Reply } from "../../../core/content.ts";
import type { Executor } from "../../../core/executor.ts";
import type { Job } from "../../../core/job.ts";
import { isObject, type Json } from "../../../core/json.ts";
import { noteSeen } from "../../../tools/files/shared/file-access.ts";
import type { FilesOptions } from "../../../tools/files/shared/options.ts";

/** Returns true if the call deletes a file. */
export function deletes({ facts }: Job): boolean {
  return facts.some((fact) => fact.kind === "path" && fact.change === "delete");
}

/** File tools whose call does not mean that the agent knows the content of a file. */
const SEARCHES: ReadonlySet<string> = new Set(["glob", "grep", "ls"]);

/** Records which files the agent knows now: policy looks for it on the host. */
export async function noteFiles(
  { tool, facts }: Job,
  context: ToolContext,
  options: FilesOptions,
): Promise<void> {
  if (tool.group !== "files" || SEARCHES.has(tool.name)) return;
  for (const fact of facts) if (fact.kind === "path") await noteSeen(context, options, fact.path);
}

const LISTS = "view_background_processes";

/** Returns true if the call lists background processes. */
export function listsProcesses({ tool, input }: Job): boolean {
  return tool.name === LISTS && input["id"] === undefined;
}

/** Returns the processes in the sandbox and those that were started outside. */
export async function listAll(inner: Executor, job: Job, context: ToolContext): Promise<Reply> {
  const lists = [await inner.execute(job, context), await job.tool.run(job.input, context)].flatMap((one) =>
    one instanceof Reply && processesIn(one).length > 0 ? [one] : [],
  );
  const [first, second] = lists;
  if (first === undefined) return new Reply("[no background processes]", { data: { processes: [] } });
  if (second === undefined) return first;
  return new Reply([...first.content, ...second.content], {
    data: { processes: lists.flatMap(processesIn) },
  });
}

function processesIn({ data }: Reply): readonly Json[] {
  const processes = isObject(data) ? data["processes"] : undefined;
  return Array.isArray(processes) ? processes : [];
}

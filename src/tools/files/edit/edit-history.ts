import type { ToolContext } from "../../../core/context.ts";
import type { Json } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { FilesOptions } from "../shared/options.ts";
import { sessionCollection } from "../../shared/session-collection.ts";

/** How many edits of one file can be taken back, and how much of what it contained is kept for that. */
export const MAX_STEPS = 20;
const MAX_CHARACTERS = 1024 * 1024;
/** How many files of all sessions have a history. */
const MAX_FILES = 200;

// A type and not an interface, so that it counts as JSON.
export type EditStep = {
  /** What the file contained before; null where there was no file. */
  readonly before: string | null;
  /** The hash of what it contained after. */
  readonly after: string;
};

/** What str_replace_editor did to the files of a session, so that it can be taken back. */
export interface EditHistory {
  /** The steps of a file, the last one last. */
  steps(path: string): Promise<readonly EditStep[]>;
  /** False where the step was too large to be kept; then those before it are of no use either and are forgotten. */
  push(path: string, step: EditStep): Promise<boolean>;
  /** Forgets the last step, if it is this one. */
  pop(path: string, step: EditStep): Promise<void>;
}

export function editHistoryOf(context: ToolContext, options: FilesOptions): EditHistory {
  const collection = sessionCollection(context, options, { name: "edit-history", limit: MAX_FILES });
  return {
    steps: async (path) => fromJson(await collection.get(path)),
    async push(path, step) {
      const kept = await collection.update(path, (value) => newest([...fromJson(value), step]));
      return kept !== undefined;
    },
    async pop(path, step) {
      await collection.update(path, (value) => {
        const steps = fromJson(value);
        const last = steps.at(-1);
        const isLast = last?.before === step.before && last.after === step.after;
        const rest = isLast ? steps.slice(0, -1) : steps;
        return rest.length === 0 ? undefined : rest;
      });
    },
  };
}

/** As many of the last steps as may be kept; undefined where not even one is. */
function newest(steps: readonly EditStep[]): readonly EditStep[] | undefined {
  const kept: EditStep[] = [];
  let characters = 0;
  for (const step of steps.slice(-MAX_STEPS).toReversed()) {
    characters += step.before?.length ?? 0;
    if (characters > MAX_CHARACTERS) break;
    kept.unshift(step);
  }
  return kept.length === 0 ? undefined : kept;
}

function fromJson(value: Json | undefined): readonly EditStep[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).filter((one): one is EditStep => {
    if (!isObject(one) || typeof one["after"] !== "string") return false;
    return one["before"] === null || typeof one["before"] === "string";
  });
}

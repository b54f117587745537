import type { ToolContext } from "../../../core/context.ts";
import type { Json } from "../../../core/json.ts";
import { createDocumentReader, TEXT, withFields } from "../../../schema/document-reader.ts";
import type { FilesOptions } from "../shared/options.ts";
import { sessionCollection } from "../../shared/collections.ts";

/** The limits of the undo history of one file. */
export const MAX_STEPS = 20;
const MAX_CHARACTERS = 1024 * 1024;
/** The maximum number of files with a history, in all sessions. */
const MAX_FILES = 200;

// A type, not an interface, so that it is assignable to JSON.
export type EditStep = {
  /** The content before; null if there was no file. */
  readonly before: string | null;
  /** The hash of the content after. */
  readonly after: string;
};

/** Returns the undo history of str_replace_editor in the call's session. */
export function editHistoryOf(context: ToolContext, options: FilesOptions) {
  const collection = sessionCollection(context, options, { name: "edit-history", limit: MAX_FILES });
  return {
    /** Returns the steps of a file, the last one last. */
    steps: async (path: string): Promise<readonly EditStep[]> => fromJson(await collection.get(path)),
    /** Returns false if the step is too large to store; then the earlier steps are dropped too. */
    async push(path: string, step: EditStep): Promise<boolean> {
      const stored = await collection.update(path, (value) => newest([...fromJson(value), step]));
      return stored !== undefined;
    },
    /** Removes the last step, if it is this one. */
    async pop(path: string, step: EditStep): Promise<void> {
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

/** Returns the last steps within the limits; undefined if none fits. */
function newest(steps: readonly EditStep[]): readonly EditStep[] | undefined {
  const newestSteps: EditStep[] = [];
  let characters = 0;
  for (const step of steps.slice(-MAX_STEPS).toReversed()) {
    characters += step.before?.length ?? 0;
    if (characters > MAX_CHARACTERS) break;
    newestSteps.unshift(step);
  }
  return newestSteps.length === 0 ? undefined : newestSteps;
}

function fromJson(value: Json | undefined): readonly EditStep[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one) => readStep(one) ?? []);
}

const readStep = createDocumentReader<EditStep>(
  withFields({ after: TEXT, before: { type: ["string", "null"] } }),
);

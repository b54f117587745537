import { defined } from "../../../util/json/defined.ts";
import { Reply, type Truncated } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import type { Json } from "../../../core/json.ts";
import { storeText } from "../../shared/store-text.ts";

export interface ListReplyOptions {
  /** The limit that the model has set. */
  readonly maxResults?: number | undefined;
  /** True if there may be more than was collected. */
  readonly isPartial?: boolean;
  readonly shape?: "list" | "matches";
  /** Lines before the items. */
  readonly notes: readonly string[];
  /** Lines in place of the items if there are none. */
  readonly none: readonly string[];
  /** The data of the items that are shown. */
  toData(shown: readonly string[]): Json;
  readonly context: ToolContext;
}

/**
 * Returns a list as an answer. If the model asked for fewer items than there are, all of them are stored as an artifact; a list that is
 * too long is cut and stored by the engine.
 */
export async function listReply(items: readonly string[], options: ListReplyOptions): Promise<Reply> {
  const { maxResults = items.length, isPartial = false, shape = "list", notes, none } = options;
  if (items.length === 0) return new Reply([...notes, ...none].join("\n"), { data: options.toData(items) });
  const firstItems = items.slice(0, maxResults);
  const lines = [...notes, ...firstItems];
  const text = lines.join("\n");
  const data = options.toData(firstItems);
  if (firstItems.length === items.length && !isPartial) return new Reply(text, { data, items: lines });
  const artifactId =
    firstItems.length < items.length ? await storeText(options.context, items.join("\n")) : undefined;
  const total = items.length + (isPartial ? 1 : 0);
  const truncated: Truncated = {
    shape,
    total,
    ...(isPartial && { atLeast: true }),
    ...defined({ artifactId }),
  };
  return new Reply(text, { data, items: lines, truncated });
}

import type { ToolContext } from "../../core/context.ts";
import { ArtifactsKey } from "../../core/store/artifacts.ts";

/** Stores a text as an artifact and returns its id; undefined without a store. */
export async function storeText(context: ToolContext, text: string): Promise<string | undefined> {
  const writer = context.find(ArtifactsKey)?.create();
  await writer?.write(text);
  await writer?.close();
  return writer?.id;
}

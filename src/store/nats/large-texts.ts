import { randomUUID } from "node:crypto";
import type { ObjectStore } from "@nats-io/obj";
import { openObjects, persist, type Nats } from "./nats.ts";

/** Texts over the payload limit of the servers. */
export type LargeTexts = ReturnType<typeof createLargeTexts>;

/** Creates large texts in the object store, whose bucket is created with the first of them. */
export function createLargeTexts(nats: Nats, name: string) {
  let bucket: Promise<ObjectStore> | undefined;
  const open = (): Promise<ObjectStore> => (bucket ??= openObjects(nats, name));
  return {
    /** Stores the text of a subject and returns its id. Never replaces an earlier one: that is deleted once no message names it. */
    async put(subject: string, bytes: Uint8Array): Promise<string> {
      const id = randomUUID();
      const objects = await open();
      await persist(() => objects.putBlob({ name: id, metadata: { subject } }, bytes));
      return id;
    },
    /** Returns undefined if there is no such text. */
    async get(id: string): Promise<string | undefined> {
      const objects = await open();
      const bytes = await persist(() => objects.getBlob(id));
      return bytes === null ? undefined : Buffer.from(bytes).toString();
    },
    /** Deletes texts that were stored before a time and that no message names. */
    async deleteUnused(before: number, isNamed: (subject: string, id: string) => Promise<boolean>) {
      const objects = await open();
      for (const { name: id, mtime, metadata } of await persist(() => objects.list())) {
        const isOld = Date.parse(mtime) < before;
        if (isOld && !(await isNamed(metadata?.["subject"] ?? "", id))) await objects.delete(id);
      }
    },
  };
}

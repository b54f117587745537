import { randomUUID } from "node:crypto";
import type { TeamMessage } from "../../../core/agent/team.ts";
import type { Crew } from "./crew.ts";
import type { Member } from "./member.ts";

export type NewMessage = Omit<TeamMessage, "id" | "at">;

export function stamp(message: NewMessage): TeamMessage {
  return { ...message, id: `message-${randomUUID()}`, at: Date.now() };
}

/** Puts a message where its receiver reads it; wakes one that waits or is idle. */
export function deliver(crew: Crew, to: Member, message: TeamMessage): void {
  to.mailbox.put(message);
  crew.tell({ type: "message.sent", message });
  crew.wake(to);
}

/** Tells a parent what became of its child. It is told also where it cannot be kept. */
export function tellParent(crew: Crew, member: Member, type: "result" | "crash", text: string): void {
  const { parent, identity, isErrand } = member;
  if (parent === undefined || isErrand || parent.ending !== undefined || parent.end !== undefined) return;
  const priority = type === "crash" ? "high" : "normal";
  const message = stamp({ from: identity, to: parent.identity.id, type, priority, text });
  crew.kept.add(parent.session, message).catch(() => undefined);
  deliver(crew, parent, message);
}

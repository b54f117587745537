/** A part of a message, with the id of the event that brought it. */
export interface Piece {
  readonly id: string;
  readonly text: string;
  readonly reasoning: string;
}

/** What the server has of the message that the agent writes. */
export interface ServerDraft {
  readonly text: string;
  readonly reasoning: string;
  /** The id of the last event that it holds. */
  readonly after: string;
}

/** The messages of the agent that the stored conversation may not have yet. */
export interface Drafts {
  /** Messages that are complete; the conversation has them when it is read again. */
  readonly complete: readonly DraftMessage[];
  /** What the server had of the current one; undefined until it has answered. */
  readonly base: ServerDraft | undefined;
  /** What arrived of the current one. */
  readonly pieces: readonly Piece[];
  /** The id of the event that began the current one; older answers of the server are about an earlier one. */
  readonly since: string | undefined;
}

export interface DraftMessage {
  readonly key: string;
  readonly text: string;
  readonly reasoning: string;
}

export const NO_DRAFTS: Drafts = { complete: [], base: undefined, pieces: [], since: undefined };

/** Adds a part of the current message. */
export function addPiece(drafts: Drafts, piece: Piece): Drafts {
  return { ...drafts, pieces: [...drafts.pieces, piece] };
}

/** Takes what the server has of the current message: a page that was just opened has missed the beginning. */
export function takeBase(drafts: Drafts, base: ServerDraft): Drafts {
  if (drafts.since !== undefined && isNewer(drafts.since, base.after)) return drafts;
  return { ...drafts, base };
}

/** Ends the current message, which is stored, or begins it again. */
export function endDraft(drafts: Drafts, id: string, { isStored }: { readonly isStored: boolean }): Drafts {
  const message = currentOf(drafts);
  const complete = isStored && message !== undefined ? [...drafts.complete, message] : drafts.complete;
  return { complete, base: undefined, pieces: [], since: id };
}

/** Drops the complete messages: the conversation has them. */
export function dropComplete(drafts: Drafts): Drafts {
  return drafts.complete.length === 0 ? drafts : { ...drafts, complete: [] };
}

/** Returns the message that the agent writes; undefined if it writes none. */
export function currentOf({ base, pieces, since }: Drafts): DraftMessage | undefined {
  const newer = base === undefined ? pieces : pieces.filter(({ id }) => isNewer(id, base.after));
  const parts = base === undefined ? newer : [base, ...newer];
  const text = parts.map((part) => part.text).join("");
  const reasoning = parts.map((part) => part.reasoning).join("");
  if (text === "" && reasoning === "") return undefined;
  return { key: since ?? "first", text, reasoning };
}

/** Compares ids of events, `PROCESS-NUMBER`. Those of two processes have no order: a server that was started again writes no message of before. */
function isNewer(id: string, than: string): boolean {
  const [[own, number], [other, limit]] = [split(id), split(than)];
  return own === other && number > limit;
}

function split(id: string): readonly [string, number] {
  const at = id.lastIndexOf("-");
  return [id.slice(0, at), Number(id.slice(at + 1))];
}

import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Approval, ApprovalRequest, Approver } from "../../core/approval.ts";
import type { Collection, Collections } from "../../core/store/collection.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import {
  createParkedRequests,
  isParked,
  keyOf,
  stayParked,
  stillWaiting,
  type FoundRequest,
  type Parking,
} from "./parked-requests.ts";
import { approversOf, withEarlier, type GivenApproval } from "./several-approvers.ts";
import { currentProcess, isAlive, type ProcessIdentity } from "../../system/process/identity.ts";

/** A request that waits for an answer from any process that can open the store. */
export interface PendingApproval {
  /** What `answer` takes, and `toolwright approve`. */
  readonly id: string;
  /** What to show to the person who decides; masked. */
  readonly request: ApprovalRequest;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** The ids of the people who have approved it, if it needs more of them. */
  readonly approvedBy: readonly string[];
}

/** An approver that calls back with the id under which others can answer. */
export interface QueuedApprover extends Approver {
  /** Calls `onStored` with the id when others can answer. */
  ask(
    request: ApprovalRequest,
    signal: AbortSignal,
    onStored?: (id: string) => void,
    parking?: Parking,
  ): ReturnType<Approver["ask"]>;
}

/** Stored approval requests: made in one process, answered in any. */
export interface ApprovalQueue {
  /** For the engine: its requests wait in the queue. */
  readonly approver: QueuedApprover;
  /** Returns the requests whose process is still waiting, oldest first. */
  pending(): Promise<readonly PendingApproval[]>;
  /**
   * Returns false if the request was already answered or withdrawn: the first answer counts. A request that names its approvers waits until
   * enough of them have approved: an approval by somebody else is an error `DENIED`.
   */
  answer(id: string, approval: Approval): Promise<boolean>;
}

/** How requests are stored and found again. */
export interface QueueOptions {
  /** Masks secrets in stored requests; the process that asks holds the original input. */
  readonly mask?: (text: string, name?: string) => string;
  /** Poll interval; default: 150 ms. */
  readonly pollMs?: number;
  /** For a store that others can write to than those who may approve: an answer counts only with a signature. */
  readonly seal?: Seal;
}

/** Signs a text, and checks the signature of one. */
export interface Seal {
  /** Returns the signature. */
  sign(text: string): string;
  /** Returns false for any other text or signature. */
  verify(text: string, signature: string): boolean;
}

/** The largest number of stored requests; beyond it the oldest are removed. */
const LIMIT = 1000;

const KINDS: OptionKinds<QueueOptions> = {
  mask: "a function",
  pollMs: "a positive number",
  seal: "an object",
};

/** Creates an approver that writes each request to the store and waits for an answer there; one that this queue is given ends the wait at once. */
export function createApprovalQueue(collections: Collections, options: QueueOptions = {}): ApprovalQueue {
  checkOptions("createApprovalQueue", options, KINDS);
  const { mask = (text) => text, pollMs = 150, seal } = options;
  const requests = collections.open("approvals", { limit: LIMIT });
  /** Ends the pause of a request that was answered through this very queue. */
  const waking = new Map<string, () => void>();
  const parked = createParkedRequests(collections, requests);
  const isLeft = async ({ owner }: StoredRequest): Promise<boolean> =>
    owner === undefined || (requests.isAlive?.(owner) ?? isAlive(owner));
  return {
    approver: {
      async ask(request, signal, onStored, given) {
        // A question is one of a tool that runs: its call cannot be made again to get the answer.
        const parking = request.question === undefined ? given : undefined;
        const masked = copyJson(request, undefined, mask) as unknown as JsonObject;
        const caller = parking?.caller;
        const key = caller === undefined ? undefined : keyOf(masked as unknown as ApprovalRequest, caller);
        const claim = key === undefined ? undefined : await parked.claim(key, caller ?? "");
        const { id, shown } = claim ?? (await store(requests, masked));
        const woken = new AbortController();
        waking.set(id, () => woken.abort());
        onStored?.(id);
        const toApproval = ({ approval, signature = "", request: answered }: StoredAnswer): Approval => {
          if (seal?.verify(signedText(id, shown, approval), signature) === false) return UNSIGNED;
          return hashOf(answered) === hashOf(shown) ? approval : CHANGED;
        };
        const left = parking === undefined ? signal : AbortSignal.any([signal, parking.signal]);
        const wait = { signal: left, woken: woken.signal, pollMs, toApproval };
        const early = await waitForAnswer(requests, id, wait);
        waking.delete(id);
        const mayStay = early === undefined && key !== undefined && parking?.signal.aborted === true;
        const staying = mayStay ? await parked.park(key, id) : undefined;
        if (staying !== undefined) return stillWaiting(staying);
        const answer = early ?? (await withdraw(requests, id, toApproval));
        // Those that look for pending requests read all of them, often. A request that stays is removed by the limit.
        await requests.delete(id).catch(() => undefined);
        return answer;
      },
    },
    async pending() {
      const all = (await requests.list()).flatMap(({ key, value }) => toPending(key, value));
      const isWaiting = await Promise.all(all.map(isLeft));
      return all.flatMap(({ id, request, askedAt, approvedBy }, index) =>
        isWaiting[index] === true ? [{ id, request, askedAt, approvedBy }] : [],
      );
    },
    async answer(id, approval) {
      const [request] = toPending(id, await requests.get(id));
      if (request === undefined || !(await isLeft(request))) return false;
      let settled = false;
      let isWhole = true;
      await requests.update(id, (value) => {
        settled = toPending(id, value).length === 1;
        if (!settled || !isObject(value)) return value;
        const answered = addAnswer(id, value, approval, seal);
        isWhole = answered["state"] === "answered";
        return { ...stayParked(value), ...answered };
      });
      if (settled && isWhole) waking.get(id)?.();
      return settled;
    },
  };
}

/** Returns what an answer changes of a request: it has its answer, or waits for the approval of more people. */
function addAnswer(id: string, value: JsonObject, approval: Approval, seal: Seal | undefined): JsonObject {
  const request = value["request"];
  const sign = (one: Approval) =>
    ({
      approval: one,
      ...defined({ signature: seal?.sign(signedText(id, request, one)) }),
    }) as unknown as JsonObject;
  const isSigned = ({ approval: one, signature = "" }: GivenApproval): boolean =>
    seal?.verify(signedText(id, request, one), signature) !== false;
  const earlier = givenIn(value).filter(isSigned);
  const whole = withEarlier(request as unknown as ApprovalRequest, earlier, approval);
  if (whole !== undefined) return { state: "answered", ...sign(whole) };
  return { given: [...(earlier as unknown as readonly Json[]), sign(approval)] };
}

/** What is stored as the answer to a request. */
interface StoredAnswer extends GivenApproval {
  readonly request: Json;
}

const CHANGED: Approval = {
  approved: false,
  reason: "the request was changed in the store after the call began to wait",
};

const UNSIGNED: Approval = {
  approved: false,
  reason: "the answer was not signed by someone who may approve",
};

/** An answer belongs to one request, as it was shown. */
function signedText(id: string, shown: Json | undefined, approval: Approval): string {
  return JSON.stringify([id, shown, approval]);
}

interface WaitOptions {
  readonly signal: AbortSignal;
  /** Aborted when the answer is there: it comes without a pause. */
  readonly woken: AbortSignal;
  readonly pollMs: number;
  readonly toApproval: (answer: StoredAnswer) => Approval;
}

/** Resolves with undefined when the signal is aborted. */
async function waitForAnswer(
  requests: Collection,
  id: string,
  { signal, woken, pollMs, toApproval }: WaitOptions,
): Promise<Approval | undefined> {
  const either = AbortSignal.any([signal, woken]);
  while (!signal.aborted) {
    const value = await requests.get(id);
    if (value === undefined) return { approved: false, reason: "the request was removed from the queue" };
    if (isAnswered(value)) return toApproval(value);
    // The call that waits keeps its process alive, with its deadline. A request whose caller has been answered does not.
    const pause = { signal: woken.aborted ? signal : either, ref: false };
    await wait(pollMs, undefined, pause).catch(() => undefined);
  }
  return undefined;
}

/** Removes the request; an answer that arrived at the last moment still counts. */
async function withdraw(
  requests: Collection,
  id: string,
  toApproval: WaitOptions["toApproval"],
): Promise<Approval> {
  const refused: Approval = { approved: false, reason: "the request was cancelled" };
  const value = await requests.update(id, (now) => (isAnswered(now) ? now : undefined));
  return isAnswered(value) ? toApproval(value) : refused;
}

function isAnswered(value: Json | undefined): value is JsonObject & StoredAnswer {
  return isObject(value) && value["state"] === "answered";
}

/** `owner` is the process that waits, which may have ended; undefined for a request that stays without one. */
interface StoredRequest extends PendingApproval {
  readonly owner: ProcessIdentity | undefined;
}

/** Returns the approvals of a request that needs more of them. */
function givenIn(value: JsonObject): readonly GivenApproval[] {
  const { given = [] } = value as { readonly given?: readonly GivenApproval[] };
  return given;
}

/** Returns a request without an answer. */
function toPending(id: string, value: Json | undefined): readonly StoredRequest[] {
  if (!isObject(value) || value["state"] !== "pending" || typeof value["askedAt"] !== "number") return [];
  const { request, owner, askedAt } = value as unknown as StoredRequest;
  return owner === undefined && !isParked(value)
    ? []
    : [{ id, request, askedAt, owner, approvedBy: approversOf(givenIn(value)).map((one) => one.id) }];
}

/** Stores a new request. */
async function store(requests: Collection, shown: JsonObject): Promise<FoundRequest> {
  // The time comes first: keys are listed in order.
  const id = `${Date.now().toString(36)}-${randomUUID().slice(0, 8)}`;
  const owner = { ...currentProcess() };
  await requests.set(id, { state: "pending", request: shown, askedAt: Date.now(), owner });
  return { id, shown };
}

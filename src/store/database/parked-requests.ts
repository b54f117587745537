import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Collection, Collections } from "../../core/store/collection.ts";
import { currentProcess } from "../../system/process/identity.ts";
import { hashOf } from "../../util/json/call-hash.ts";

/** Lets a request outlive its caller, and the caller's process: the same call finds it again, or its answer, once. */
export interface Parking {
  /** Equal calls of one caller find each other's requests. */
  readonly caller: string;
  /** Aborted when the caller can wait no longer: it is answered how to approve the call, and the request stays. */
  readonly signal: AbortSignal;
}

/** How long a request stays after its caller was answered, and its answer after that. */
const PARKED_MS = 300_000;

/** A stored request, as a person is shown it. */
export interface FoundRequest {
  readonly id: string;
  readonly shown: JsonObject;
}

/** Requests whose callers have been answered, by what makes their calls equal. */
export function createParkedRequests(collections: Collections, requests: Collection) {
  const ids = collections.open("parked-approvals", { limit: 1000 });
  return {
    /** Gives a parked request to this process, which no other call gets then; undefined if there is none. */
    async claim(key: string, caller: string): Promise<FoundRequest | undefined> {
      if ((await ids.get(key)) === undefined) return undefined;
      let id: Json | undefined;
      await ids.update(key, (value) => {
        id = value;
        return undefined;
      });
      const value = typeof id === "string" ? await requests.get(id) : undefined;
      if (typeof id !== "string" || !isParked(value)) return undefined;
      // The store says which request it is, and the request itself that a person was shown this call.
      const { request } = value;
      if (!isObject(request) || keyOf(request as unknown as ApprovalRequest, caller) !== key)
        return undefined;
      let isClaimed = false;
      await requests.update(id, (now) => {
        isClaimed = isParked(now);
        if (!isParked(now)) return now;
        const { parkedUntil: _until, ...rest } = now;
        return { ...rest, owner: { ...currentProcess() } };
      });
      return isClaimed ? { id, shown: request } : undefined;
    },
    /**
     * Leaves a request that has no answer in the store. Of equal ones the last stays, or the one that has an answer. Returns the id of the
     * one that stays; undefined if this one has been answered or removed.
     */
    async park(key: string, id: string): Promise<string | undefined> {
      let isLeft = false;
      await requests.update(id, (value) => {
        isLeft = isPending(value);
        if (!isPending(value)) return value;
        const { owner: _owner, ...rest } = value;
        return { ...rest, parkedUntil: Date.now() + PARKED_MS };
      });
      if (!isLeft) return undefined;
      let earlier: Json | undefined;
      await ids.update(key, (value) => {
        earlier = value;
        return id;
      });
      if (typeof earlier !== "string" || earlier === id) return id;
      const answered = await requests.update(earlier, (value) => (isPending(value) ? undefined : value));
      if (!isParked(answered)) return id;
      // A person has answered the equal request: the next call gets that answer, unless another call has claimed this request meanwhile.
      await ids.update(key, (value) => (value === id || value === undefined ? earlier : value));
      await requests.update(id, (value) => (isParked(value) && isPending(value) ? undefined : value));
      return earlier;
    },
  };
}

/** Returns whether a request stays without a caller, at this time. */
export function isParked(value: Json | undefined): value is JsonObject {
  const until = isObject(value) ? value["parkedUntil"] : undefined;
  return typeof until === "number" && until > Date.now();
}

function isPending(value: Json | undefined): value is JsonObject {
  return isObject(value) && value["state"] === "pending";
}

/** An answer stays as long as a request does. */
export function stayParked(value: JsonObject): JsonObject {
  return isParked(value) ? { ...value, parkedUntil: Date.now() + PARKED_MS } : value;
}

/**
 * Equal for calls of one tool with one input, by one user and caller, of which a person is shown and offered the same. What a command is said
 * to be for, how long it may take, and the size of a file, which may be a log that grows, do not make it another one. A call that a tool
 * makes has another caller each time.
 */
export function keyOf(request: ApprovalRequest, caller: string): string {
  const { callId: _call, session: _session, parentId, input, facts, ...shown } = request;
  const { description: _for, timeout_seconds: _limit, idle_timeout_seconds: _idle, ...command } = input;
  const isCommand = facts.some(({ kind }) => kind === "command");
  const targets = facts.map((fact) => (fact.kind === "path" ? { ...fact, size: null } : fact));
  const parts = { ...shown, input: isCommand ? command : input, facts: targets };
  return hashOf([caller, parentId !== undefined, parts as unknown as Json]);
}

/** The answer to a caller that can wait no longer. */
export function stillWaiting(id: string): Approval {
  return {
    approved: false,
    reason: "the call waits for approval",
    hint: `ask the user to approve it with toolwright approve ${id}, or in the console, then make the same call again: it was not run, and the request stays for five minutes`,
  };
}

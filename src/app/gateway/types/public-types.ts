import type { Approver } from "../../../core/approval.ts";

/** Approvals of clients' calls: by the user of the client that made the call, or through the queue of `toolwright approve`. */
export interface Approvals {
  /** The engine's approver. */
  readonly approver: Approver;
  /** Sends requests of this call, and of the calls it makes, to `ask`, until the returned function is called. */
  during(call: ApprovedCall, ask: AskClient | undefined, waiting?: Waiting): () => void;
}

/** A call that came through a gateway. */
export interface ApprovedCall {
  readonly id: string;
  readonly session: string;
  /** The name that the client gives. */
  readonly client?: string;
  /** True: the process serves this client alone, and may end with its call. Then its request is found again by the client's name. */
  readonly isAlone?: boolean;
}

/** Called when a call begins to wait for an answer; the returned function is called when it has one. */
export type Waiting = () => () => void;

/** Asks the user at a client. It should settle when the signal is aborted. */
export type AskClient = Approver["ask"];

/** What a gateway says about itself when a client connects. */
export interface ServerInfo {
  readonly name: string;
  /** Default: the name. */
  readonly title?: string;
  /** Shown to clients with the name. */
  readonly version: string;
}

/** A gateway that serves one client. */
export interface ServedStdio {
  /** Settles when the client is gone; rejects if the gateway cannot be opened. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** The protocol over HTTP as one function from request to response, without authentication. */
export interface McpHttp {
  /** Answers a request of a client. Check who sent it first. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

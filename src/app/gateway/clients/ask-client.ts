import type { Server } from "@modelcontextprotocol/server";
import type { AskClient } from "./approvals.ts";
import { fromForm, toForm } from "./approval-form.ts";

const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Asks the person at a client that can show a form, for as long as the engine waits for the answer. */
export function askThrough(server: Server, relatedRequestId?: string | number): AskClient {
  return async (request, signal) => {
    const form = toForm(request);
    const options = {
      signal,
      timeout: LONGEST_MS,
      ...(relatedRequestId !== undefined && { relatedRequestId }),
    };
    return fromForm(request, await server.elicitInput({ mode: "form", ...form } as never, options));
  };
}

/** A client that says only that it knows forms knows the plain ones. */
export function canAsk(capabilities: { readonly elicitation?: object | undefined } | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
}

const SAMPLING =
  "no built-in tool samples; requests of upstream servers go to a client with a handshake, else to the configured model";
const EARLY =
  "it sends the answer before the question: such an answer is ignored and the question asked, else it could approve anything";

/** Checks that do not apply to a server like ours, by scenario, or by scenario and check; each with the reason. */
export const SERVER_SKIPS: Readonly<Record<string, string>> = {
  "tools-call-sampling": SAMPLING,
  "input-required-result-basic-sampling": SAMPLING,
  "input-required-result-capability-check": SAMPLING,
  "input-required-result-multiple-input-requests": SAMPLING,
  "input-required-result-basic-list-roots":
    "the roots of a client are requested once, over stdio, and never during a call",
  "input-required-result-ignore-extra-params": EARLY,
  "server-stateless/sep-2575-server-rejects-undeclared-capability": SAMPLING,
  "server-stateless/sep-2575-missing-capability-http-400": SAMPLING,
};

const MACHINE =
  "an optional extension: a machine's own credentials are a header of the server, from a variable";
const DPOP = "an optional extension: tokens are bearer tokens, kept for their owner only";

/** Scenarios that do not apply to a client like ours; they are not run. */
export const CLIENT_SKIPS: Readonly<Record<string, string>> = {
  "auth/client-credentials-jwt": MACHINE,
  "auth/client-credentials-basic": MACHINE,
  "auth/enterprise-managed-authorization": "an optional extension: a person logs in with a browser",
  "auth/wif-jwt-bearer": MACHINE,
  "auth/dpop": DPOP,
  "auth/dpop-nonce": DPOP,
};

/** Scenarios of an extension that we do not claim to have. */
export function extensionOf(scenario: string): string | undefined {
  if (scenario.startsWith("tasks-")) return "the tasks extension is optional, and not offered";
  return scenario.startsWith("sep-2640-") ? "the skills extension is optional, and not offered" : undefined;
}

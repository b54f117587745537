import type { OptionKinds } from "../../../util/json/check-options.ts";
import type { McpSourceOptions } from "./source-types.ts";

/** What each option of an MCP source may be. */
export const MCP_SOURCE_KINDS: OptionKinds<McpSourceOptions> = {
  name: "a text that is not empty",
  server: "anything",
  roots: "a list of texts",
  project: "an object",
  connectTimeoutMs: "a positive number",
  sample: "a function",
  logins: "an object",
  onSecret: "a function",
  mask: "a function",
  authorizationTimeoutMs: "a positive number",
  roster: "an object",
  backoff: "an object",
  maxMessageBytes: "a positive number",
  pins: "an object",
  acceptsChanges: "true or false",
  trustsAnnotations: "true or false",
  timeoutMs: "a positive number",
  maxResultBytes: "a number of at least 0",
  startup: ["eager", "lazy"],
};

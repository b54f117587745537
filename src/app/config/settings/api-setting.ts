import { object, oneOf, optional, record, string, type Infer } from "../../../schema/define/schema.ts";
import { address, seconds, texts, variable } from "./setting-values.ts";

const API_LOGIN = object(
  {
    type: oneOf(["bearer", "apiKey", "basic", "oauth2"]),
    variable: variable(
      "The environment variable with the token, the key, user:password, or the secret of the client",
    ),
    in: optional(oneOf(["header", "query", "cookie"], "Where the key goes; default: as the document says")),
    name: optional(string("The name of the header, parameter or cookie with the key", { min: 1 })),
    clientId: optional(string("The id of the client, for oauth2", { min: 1 })),
    tokenUrl: optional(address("Where oauth2 gets tokens; default: as the document says")),
    scope: optional(string("The scopes that oauth2 asks for", { min: 1 })),
  },
  "How to log in",
);

const API = object({
  spec: string("The OpenAPI document: a path or an address", {
    pattern: "^(https?://\\S|/|~/)",
    expected: "an http address, an absolute path or one that begins with ~/",
  }),
  url: optional(address("The address of the API; default: the first server of the document")),
  auth: optional(API_LOGIN),
  headers: optional(record(string(), "Headers of every request")),
  include: optional(texts("Only these operations: names, paths, tag:NAME; * is any text")),
  exclude: optional(texts("Not these operations")),
  timeoutSeconds: optional(seconds("The deadline of a call")),
});

/** An HTTP API whose operations are tools. */
export type ApiSetting = Infer<typeof API>;
export const APIS = record(API);

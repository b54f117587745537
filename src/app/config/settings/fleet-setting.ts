import {
  boolean,
  integer,
  list,
  object,
  oneOf,
  optional,
  record,
  string,
} from "../../../schema/define/schema.ts";
import { FLEET_ADDRESS, FLEET_NAME, LANES } from "../../../core/fleet-names.ts";
import { aboveZero, folder } from "./setting-values.ts";

const NAME = { pattern: FLEET_NAME, expected: "letters, digits, - and _" };
const LABEL = {
  pattern: "^[^\\s,]{1,128}$",
  expected: "a label without spaces and commas, such as gpu or zone=eu",
};

const LIMIT = object({
  concurrency: optional(integer("How many calls run at the same time, on all workers together", { min: 1 })),
  perSecond: optional(aboveZero("How many calls start in a second, on all workers together")),
});

const FLEET_RULE = object({
  tool: optional(string("The name of a tool, in which * is any text; default: every tool", { min: 1 })),
  source: optional(string("The source of the tool, such as built-in, in which * is any text", { min: 1 })),
  group: optional(string("The group of the tool", { min: 1 })),
  place: optional(oneOf(["fleet", "own"], "own: it runs where the tool says; default: fleet")),
  pool: optional(string("The pool whose workers take the calls; default: any that has the tool", NAME)),
  labels: optional(list(string(undefined, LABEL), "Labels that the worker must have, all of them")),
  lane: optional(oneOf(LANES, "The priority of the calls; default: normal")),
});

/** Where calls that run on other machines are sent: see docs/fleet.md. */
export const FLEET = object({
  servers: optional(
    list(
      string(undefined, {
        pattern: FLEET_ADDRESS,
        expected: "an address such as nats://10.0.0.5:4222 or tls://nats.example.com",
      }),
      "Addresses of NATS servers of one cluster",
    ),
  ),
  credentials: optional(
    folder("The file with the credentials of NATS: a .creds file, or the seed of an nkey"),
  ),
  tls: optional(
    object(
      {
        ca: optional(folder("The file with the certificate authority of the servers (PEM)")),
        cert: optional(folder("The file with the certificate of this program (PEM)")),
        key: optional(folder("The file with the key of that certificate (PEM)")),
      },
      "How connections are encrypted",
    ),
  ),
  namespace: optional(string("Engines and workers of other namespaces are not seen; default: default", NAME)),
  key: optional(
    folder(
      "The file with the key that engines and workers sign with: a secret of at least 32 characters that they share, or a PEM file with an Ed25519 private key and the public keys of the other side",
    ),
  ),
  replicas: optional(
    integer("On how many servers of a cluster calls and answers are stored; default: 1", { min: 1, max: 5 }),
  ),
  queue: optional(integer("How many calls may wait in each lane of a pool; default: 10000", { min: 1 })),
  share: optional(
    boolean(
      "Calls and approvals of this machine are shown by every toolwright serve of the fleet; default: true. With the store nats they always are",
    ),
  ),
  rules: optional(
    list(
      FLEET_RULE,
      "Which tools run on the fleet besides those that say so, and where; the first match counts",
    ),
  ),
  pools: optional(record(LIMIT, "Limits of pools, by name")),
  tools: optional(record(LIMIT, "Limits of tools, by name")),
});

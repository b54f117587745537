// What users write about a fleet. Nothing here refers to the packages of NATS, which only fleets need.

/** The priority of a call. */
export type Lane = "high" | "normal" | "low";

/** The servers of a fleet, and how to reach them. */
export interface FleetAddress {
  /** Addresses of NATS servers of one cluster, such as `nats://10.0.0.5:4222` or `tls://nats.example.com`. */
  readonly servers: readonly string[];
  /** Engines and workers of other namespaces are not seen. Default: `default`. */
  readonly namespace?: string | undefined;
  /** The path of a file with the credentials of NATS: a .creds file, or the seed of an nkey. Default: none. */
  readonly credentials?: string | undefined;
  /** Default: the authorities of the system, and no certificate of this program. */
  readonly tls?: FleetTls | undefined;
  /** On how many servers of a cluster messages are stored. Default: 1. */
  readonly replicas?: number | undefined;
}

/** Paths of PEM files. */
export interface FleetTls {
  /** The authority of the servers. */
  readonly ca?: string | undefined;
  /** The certificate of this program, for servers that verify clients. */
  readonly cert?: string | undefined;
  /** The key of that certificate. */
  readonly key?: string | undefined;
}

/** The limits of a pool or a tool, over all engines. */
export interface FleetLimit {
  /** The number of calls that run at the same time. Default: no limit. */
  readonly concurrency?: number | undefined;
  /** The number of calls that start in a second. Default: no limit. */
  readonly perSecond?: number | undefined;
}

/** Where the calls of some tools run. Names of tools and sources may contain `*`, any text. */
export interface FleetRule {
  /** The name of a tool. Default: every tool. */
  readonly tool?: string | undefined;
  /** The source of the tool. Default: every source. */
  readonly source?: string | undefined;
  /** The group of the tool. Default: every group, and none. */
  readonly group?: string | undefined;
  /** `own`: the calls run where the tool says. Default: `fleet`. */
  readonly place?: "fleet" | "own" | undefined;
  /** The pool whose workers take the calls. Default: any pool that has the tool. */
  readonly pool?: string | undefined;
  /** Labels that the worker must have, all of them. Default: none. */
  readonly labels?: readonly string[] | undefined;
  /** The priority of the calls: `high`, `normal` or `low`. Default: `normal`. */
  readonly lane?: Lane | undefined;
}

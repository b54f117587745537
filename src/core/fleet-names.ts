/** The priorities of calls that a fleet runs, the most urgent first. */
export const LANES = ["high", "normal", "low"] as const;

/** What a namespace and a pool may be called, and where a server may be. */
export const FLEET_NAME = "^[A-Za-z0-9_-]{1,64}$";
export const FLEET_ADDRESS = "^(?:(?:nats|tls)://)?[^\\s/@]+$";

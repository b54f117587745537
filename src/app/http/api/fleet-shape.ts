import {
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  string,
} from "../../../schema/define/schema.ts";
import { at } from "./typed.ts";

export const Fleet = object({
  isConfigured: boolean("false: the config names no servers, and the lists are empty"),
  servers: list(string()),
  namespace: string(),
  workers: list(
    object({
      id: string(),
      state: oneOf(["ready", "full", "draining"]),
      pool: string(),
      labels: list(string()),
      tools: list(string()),
      running: integer("calls that it runs now"),
      concurrency: integer("calls that it runs at the same time, at most"),
      release: string("of Toolwright"),
      host: string(),
      pid: integer(),
      startedAt: number(at),
    }),
    "those that are alive",
  ),
  lost: list(
    object({
      id: string(),
      host: string(),
      pid: integer(),
      pool: string(),
      running: integer("calls that it ran when it was last heard of"),
      lostAt: number(at),
    }),
    "those that went in the last ten minutes without having been drained, since the server looks",
  ),
  queues: list(
    object({
      pool: string(),
      lane: string("high, normal or low"),
      waiting: integer("calls that no worker has taken"),
      running: integer(),
      redelivered: integer("calls that run, or wait, again after their worker was lost"),
    }),
  ),
  dead: list(
    object({
      key: string(),
      tool: nullable(string()),
      callId: nullable(string("the call, as its message says")),
      session: nullable(string()),
      summary: string("the input in one line; empty for a long one"),
      mayHaveRun: boolean("the call may have had effects, and a retry may have them again"),
      reason: string(),
      at: number(at),
    }),
    "calls that no worker could finish, newest first, at most 100",
  ),
});

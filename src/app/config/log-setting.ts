import { string } from "../../schema/define/schema.ts";

const LEVELS = ["error", "info", "debug"] as const;
export type LogLevel = (typeof LEVELS)[number];

export interface LogSetting {
  readonly level: LogLevel;
  /** Default: standard error. */
  readonly file?: string;
}

export const LOG = string(undefined, {
  pattern: "^(error|info|debug)(:.+)?$",
  expected: "error, info or debug, with :FILE behind it to log to a file",
});

/** Parses `level[:file]`, which fits the schema. */
export function parseLog(text: string): LogSetting {
  const [name, ...rest] = text.split(":");
  const level = LEVELS.find((one) => one === name) ?? "error";
  return rest.length === 0 ? { level } : { level, file: rest.join(":") };
}

import { string } from "../../../schema/define/schema.ts";
import { parsed } from "./setting.ts";

const LEVELS = ["error", "info", "debug"] as const;
export type LogLevel = (typeof LEVELS)[number];

export interface LogSetting {
  readonly level: LogLevel;
  /** Default: standard error. */
  readonly file?: string;
}

export const LOG = parsed<LogSetting | undefined, string>({
  summary: "which events are logged, and to which file",
  variable: "TOOLWRIGHT_LOG",
  fallback: undefined,
  schema: string(undefined, {
    pattern: "^(error|info|debug)(:.+)?$",
    expected: "error, info or debug, with :FILE behind it to log to a file",
  }),
  parse: parseLog,
});

/** Parses `level[:file]`, which fits the schema. */
function parseLog(text: string): LogSetting {
  const [name, ...rest] = text.split(":");
  const level = LEVELS.find((one) => one === name) ?? "error";
  return rest.length === 0 ? { level } : { level, file: rest.join(":") };
}

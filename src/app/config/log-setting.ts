export type LogLevel = "error" | "info" | "debug";

export interface LogSetting {
  readonly level: LogLevel;
  /** Left out: standard error. */
  readonly file?: string;
}

const LEVELS: readonly LogLevel[] = ["error", "info", "debug"];

export const LOG_EXPECTED = "error, info or debug, with :FILE behind it to log to a file";

/** Reads `level[:file]`; undefined for anything else. */
export function parseLogSetting(text: string): LogSetting | undefined {
  const [name, ...rest] = text.split(":");
  const level = LEVELS.find((one) => one === name);
  const file = rest.join(":");
  if (level === undefined || (rest.length > 0 && file === "")) return undefined;
  return file === "" ? { level } : { level, file };
}

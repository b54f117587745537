import { ToolError } from "../../../../core/errors.ts";
import { defined } from "../../../../util/json/defined.ts";
import { errorMessage } from "../../../../util/text/error-message.ts";

/** The result of one check. A note is information, not a fault. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "note" | "broken";
  readonly message: string;
  readonly fix?: string;
}

export function check(state: Check["state"], name: string, message: string, fix?: string): Check {
  return { name, state, message, ...defined({ fix }) };
}

/** Returns the result, or a broken check if it throws. */
export async function attempt<T>(name: string, look: () => T | Promise<T>): Promise<T | Check> {
  try {
    return await look();
  } catch (error) {
    return check("broken", name, errorMessage(error), error instanceof ToolError ? error.hint : undefined);
  }
}

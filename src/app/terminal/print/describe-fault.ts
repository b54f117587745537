import { detailsOf, type Fault } from "../../../core/result.ts";

const CANCELLED = "the call was cancelled";

/** Describes why a call failed, with the code of the error; a call that a person declined with their own words, and a cancelled one in one phrase. */
export function describeFault(error: Fault, message = error.message): string {
  const declined: unknown = detailsOf(error, "DENIED")?.declined;
  if (typeof declined === "string") return declined === "" ? "declined" : `declined: ${declined}`;
  // Its code says the same.
  if (error.code === "CANCELLED" && message.startsWith(CANCELLED))
    return message.slice("the call was ".length);
  return `${error.code}: ${message}`;
}

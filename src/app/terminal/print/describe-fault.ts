import { detailsOf, type Fault } from "../../../core/result.ts";

/** Describes why a call failed, with the code of the error; a call that a person declined with their own words. */
export function describeFault(error: Fault, message = error.message): string {
  const declined: unknown = detailsOf(error, "DENIED")?.declined;
  if (typeof declined === "string") return declined === "" ? "declined" : `declined: ${declined}`;
  return `${error.code}: ${message}`;
}

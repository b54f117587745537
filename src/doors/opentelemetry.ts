export type { Telemetry, TelemetryOptions, TracedAgent } from "../adapters/opentelemetry/telemetry.ts";
export { createTelemetry } from "../adapters/opentelemetry/telemetry.ts";

import type { ConfigGroups } from "../config/groups.ts";
import type { HostTelemetry } from "./telemetry.ts";

const ENDPOINT = /^OTEL_EXPORTER_OTLP_(?:(?:TRACES|METRICS)_)?ENDPOINT$/;

/** Returns undefined, and loads no module, unless the config, or the environment for all programs, has an endpoint. */
export async function openTelemetry(
  config: ConfigGroups<"telemetry" | "environment">,
  warn: (warning: string) => void,
): Promise<HostTelemetry | undefined> {
  const { telemetry, environment } = config;
  const { variables } = environment;
  const isNamed =
    telemetry.endpoint !== undefined || Object.keys(variables).some((one) => ENDPOINT.test(one));
  if (!isNamed || variables["OTEL_SDK_DISABLED"] === "true") return undefined;
  return (await import("./telemetry.ts")).openTelemetry(config, warn);
}

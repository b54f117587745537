import type * as Api from "@opentelemetry/api";
import type { Telemetry } from "../../adapters/opentelemetry/telemetry.ts";
import { packageVersion } from "../../system/package-files.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { parseObject } from "../../util/json/parse-json.ts";
import type { ConfigGroups } from "../config/groups.ts";

/** The telemetry of a program, with an SDK of its own. */
export interface HostTelemetry extends Telemetry {
  /** Sends what is waiting; gives up soon if the collector cannot be reached. */
  close(): Promise<void>;
}

const PACKAGES = [
  "api",
  "context-async-hooks",
  "exporter-metrics-otlp-proto",
  "exporter-trace-otlp-proto",
  "resources",
  "sdk-metrics",
  "sdk-trace",
].map((name) => `@opentelemetry/${name}`);

const SEND_MS = 2000;
const CLOSE_MS = 4000;

/**
 * Sets up the SDK of OpenTelemetry, whose other settings are its own environment variables. Telemetry never stops a call: without the
 * packages there is a warning if the config has an endpoint, and nothing if only the environment has one, which may be for other programs.
 */
export async function openTelemetry(
  config: ConfigGroups<"telemetry" | "environment">,
  warn: (warning: string) => void,
): Promise<HostTelemetry | undefined> {
  try {
    return await setUp(config, warn);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    if (config.telemetry.endpoint !== undefined)
      warn(`telemetry is off: its packages are missing; npm install -g ${PACKAGES.join(" ")} installs them`);
    return undefined;
  }
}

async function setUp(
  { telemetry, environment: { variables } }: ConfigGroups<"telemetry" | "environment">,
  warn: (warning: string) => void,
): Promise<HostTelemetry> {
  const [api, hooks, traces, metrics, tracing, metering, resources, { createTelemetry }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/exporter-trace-otlp-proto"),
    import("@opentelemetry/exporter-metrics-otlp-proto"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/sdk-metrics"),
    import("@opentelemetry/resources"),
    import("../../adapters/opentelemetry/telemetry.ts"),
  ]);
  reportOnce(api, warn);
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  const resource = resources.resourceFromAttributes({
    "service.name": variables["OTEL_SERVICE_NAME"] ?? "toolwright",
    "service.version": packageVersion(),
  });
  const optionsOf = (signal: string) => ({
    timeoutMillis: SEND_MS,
    ...(telemetry.endpoint !== undefined && { url: `${telemetry.endpoint.replace(/\/$/, "")}/v1/${signal}` }),
  });
  const tracers = new tracing.TracerProvider({
    resource,
    spanProcessors: [
      new tracing.BatchSpanProcessor({ exporter: new traces.OTLPTraceExporter(optionsOf("traces")) }),
    ],
  });
  const exporter = new metrics.OTLPMetricExporter(optionsOf("metrics"));
  const meters = new metering.MeterProvider({
    resource,
    readers: [new metering.PeriodicExportingMetricReader({ exporter })],
  });
  return {
    ...createTelemetry({
      tracer: tracers.getTracer("toolwright", packageVersion()),
      meter: meters.getMeter("toolwright", packageVersion()),
      recordsContent: telemetry.content === true,
    }),
    async close() {
      const sent = Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
      await withTimeout(sent, CLOSE_MS, () => undefined);
    },
  };
}

/** The SDK reports its failures to a logger of its own. */
function reportOnce({ diag, DiagLogLevel }: typeof Api, warn: (warning: string) => void): void {
  let isReported = false;
  const error = (message: string): void => {
    if (!isReported) warn(`telemetry could not be sent: ${messageOf(message)}`);
    isReported = true;
  };
  const ignore = (): void => undefined;
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
}

/** Returns the message of an error, which the SDK passes as JSON, with its stack. */
function messageOf(text: string): string {
  const message = parseObject(text)?.["message"];
  return typeof message === "string" ? message : text;
}

export { createFleetExecutor } from "../remote/fleet-api/fleet-executor.ts";
export type {
  FleetExecutor,
  FleetExecutorOptions,
  FleetWorkerInfo,
} from "../remote/fleet-api/fleet-executor.ts";
export { createWorker } from "../remote/fleet-api/create-worker.ts";
export type { FleetWorker, FleetWorkerOptions } from "../remote/fleet-api/create-worker.ts";
export { openNatsStore } from "../remote/fleet-api/nats-store.ts";
export type { NatsStoreOptions } from "../remote/fleet-api/nats-store.ts";
export type { FleetAddress, FleetTls } from "../remote/fleet/types/options.ts";
export type { FleetLimit } from "../remote/fleet/types/options.ts";
export type { FleetRule } from "../remote/fleet/types/options.ts";

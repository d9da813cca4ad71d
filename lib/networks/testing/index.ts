export { connectedTo, failureOf } from "./connected";
export { connectBy, sandboxApp, submitConsent } from "./consent";
export type { Described } from "./described";
export { formOf } from "./fields";
export { graphApi, type Nodes } from "./graph-api";
export { type Extract, openApi } from "./open-api";
export type { SentRequest } from "./proxy";
export { memoryRun, newMemory } from "./run";
export { sandboxFor, type TestSandbox } from "./sandbox";

export { botApi, type Methods } from "./bot-api";
export { connectBy, connectedTo, failureOf, sandboxApp, submitConsent } from "./connect";
export { formOf } from "./fields";
export { graphApi, type Nodes } from "./graph-api";
export { type AtSandbox, atSandbox, type SandboxPerson } from "./network-sandbox";
export { type Extract, openApi } from "./open-api";
export type { RequestCheck } from "./request-checks";
export { killedEverywhere, memoryRun, newMemory } from "./run";
export { sandboxFor, type TestSandbox } from "./sandbox";

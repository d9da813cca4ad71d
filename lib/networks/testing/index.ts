export { botApi, type Methods } from "./bot-api";
export { connectedTo, failureOf } from "./connected";
export { connectBy, sandboxApp, submitConsent } from "./consent";
export { graphApi, type Nodes } from "./graph-api";
export { killedEverywhere } from "./killed";
export { type Extract, openApi } from "./open-api";
export { memoryRun, newMemory } from "./run";
export { sandboxFor, type TestSandbox } from "./sandbox";

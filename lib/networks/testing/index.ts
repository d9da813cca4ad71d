export { connectBy, sandboxApp, submitConsent } from "./consent";
export { type Extract, openApi } from "./open-api";
export { memoryRun, newMemory } from "./run";
export { sandboxFor, type TestSandbox } from "./sandbox";

export { connectBy, sandboxApp, submitConsent } from "./consent";
export { memoryRun, newMemory } from "./run";
export { sandboxFor, type TestSandbox } from "./sandbox";

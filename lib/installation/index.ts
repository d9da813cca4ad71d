export { checkInstallation } from "./check";
export {
  acceptConfiguration,
  assertKeys,
  configurationProblems,
  forgetOlderKeys,
  joinInstallation,
  leaderConnection,
} from "./configuration";
export { advanceSequences, endHold } from "./finish";
export { assertStore, storeIdProblem } from "./store-id";
export { knownMarks, noteAnnounced, watchInstallation } from "./watch";

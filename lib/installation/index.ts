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
export { knownMarks, noteAnnounced, watchInstallation } from "./watch";

export { acceptConfiguration, assertKeys, forgetOlderKeys, joinInstallation } from "./configuration";
export { advanceSequences, endHold } from "./finish";
export { checkInstallation } from "./check";
export { knownMarks, noteAnnounced, watchInstallation } from "./watch";

export { checkInstallation } from "./check";
export { acceptConfiguration, assertKeys, forgetOlderKeys, joinInstallation } from "./configuration";
export { knownMarks, noteAnnounced, watchInstallation } from "./watch";

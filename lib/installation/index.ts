export { checkInstallation } from "./check";
export { knownMarks, noteAnnounced, watchInstallation } from "./watch";

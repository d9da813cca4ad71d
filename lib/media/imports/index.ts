export { releaseImports } from "./claim";
export { discardDownloadsOfGoneImports } from "./download";
export { importMedia } from "./run";
export { createImport, getImport, listImports, presentImport, startImport, withdrawImports } from "./start";

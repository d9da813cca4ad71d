export { releaseImports } from "./claim";
export { importMedia } from "./run";
export { createImport, getImport, listImports, presentImport, startImport, withdrawImports } from "./start";

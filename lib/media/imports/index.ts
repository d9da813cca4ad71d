export { releaseImports } from "./claim";
export { presentImport } from "./present";
export { createImport, getImport, listImports, startImport, withdrawImports } from "./start";
export { importMedia } from "./work";

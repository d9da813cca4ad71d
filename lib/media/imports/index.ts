export { releaseImports } from "./claim";
export { presentImport } from "./present";
export { createImport, getImport, importUrlProblem, listImports, startImport, withdrawImports } from "./start";
export { importMedia } from "./work";

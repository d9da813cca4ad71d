export { exportSchedules } from "./export";
export { type ImportedRow, importSchedules } from "./import";
export { presentImport } from "./present";

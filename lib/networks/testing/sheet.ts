export type SheetRow = { row: string; proof?: { file: string; test: string } };
export type Sheet = SheetRow[];

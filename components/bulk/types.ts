/** What `POST /v1/posts/import` answers. */
export type RowProblem = {
  path: string;
  column?: string;
  message: string;
  rule: string;
  measured?: number | string;
  fix?: string;
  severity?: "warning";
};

export type ImportedRow = {
  /** As spreadsheets number it. */
  row: number;
  outcome: "ready" | "invalid" | "created" | "existing";
  /** Of the schedule that was made of it. */
  id?: number;
  scheduledTime?: string;
  isDraft: boolean;
  socialMediaAccountIds: number[];
  text: string;
  problems: RowProblem[];
};

export type ImportReport = {
  dryRun: boolean;
  counts: { [outcome in ImportedRow["outcome"]]: number };
  rows: ImportedRow[];
};

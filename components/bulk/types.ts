import type { z } from "zod";
import type { ImportReportView } from "@/lib/api/shapes";

/** The response of `POST /v1/posts/import`. */
export type ImportReport = z.output<typeof ImportReportView>;
export type ImportedRow = ImportReport["rows"][number];
export type RowProblem = ImportedRow["problems"][number];

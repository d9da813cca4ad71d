"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { ImportReportView } from "@/lib/api/shapes";
import { ApiFailure, api, readAnew } from "../api/client";

const PATH = "/v1/posts/import";

/** After silence it is asked again: rows that were created by then are found and left as they are. */
const retry = (failures: number, error: Error) => failures < 3 && error instanceof ApiFailure && error.status === 0;

/** Checks a file; nothing is stored. */
export function useCheck() {
  return useMutation({
    mutationFn: (csv: Blob) => api<ImportReport>(`${PATH}?dryRun=true`, { method: "POST", csv }),
    retry,
  });
}

/** Creates what the file says, without the rows that are wrong where they are to be left out. */
export function useImport() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ csv, skipInvalid }: { csv: Blob; skipInvalid: boolean }) =>
      api<ImportReport>(`${PATH}?skipInvalid=${skipInvalid}`, { method: "POST", csv }),
    retry,
    onSuccess: () => readAnew(cache, { queryKey: ["schedules"] }),
  });
}

/** The response of `POST /v1/posts/import`. */
export type ImportReport = z.output<typeof ImportReportView>;
export type ImportedRow = ImportReport["rows"][number];
export type RowProblem = ImportedRow["problems"][number];

"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { ImportReportView } from "@/lib/api/shapes";
import { ApiFailure, callApi, readAnew } from "../api/client";

const PATH = "/v1/posts/import";

/** Retries after no response: rows that were created meanwhile are recognised and left alone. */
const retry = (failures: number, error: Error) => failures < 3 && error instanceof ApiFailure && error.status === 0;

/** Checks a file without storing anything. */
export function useCheckFile() {
  return useMutation({
    mutationFn: (csv: Blob) => callApi<ImportReport>(`${PATH}?dryRun=true`, { method: "POST", csv }),
    retry,
  });
}

/** Imports the file, without invalid rows if they are to be skipped. */
export function useImportFile() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ csv, skipInvalid }: { csv: Blob; skipInvalid: boolean }) =>
      callApi<ImportReport>(`${PATH}?skipInvalid=${skipInvalid}`, { method: "POST", csv }),
    retry,
    onSuccess: () => readAnew(cache, { queryKey: ["schedules"] }),
  });
}

/** The response of `POST /v1/posts/import`. */
export type ImportReport = z.output<typeof ImportReportView>;
export type ApiImportedRow = ImportReport["rows"][number];
export type ApiRowProblem = ApiImportedRow["problems"][number];

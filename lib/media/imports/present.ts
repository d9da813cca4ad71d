import type { Import } from "./start";

/** SPEC's "Import job": the error is null where there is none, whatever else has no value is absent. */
export function presentImport(row: Import) {
  return {
    id: row.id,
    state: row.state,
    sourceUrl: row.sourceUrl,
    bytesDownloaded: row.bytesDownloaded,
    ...(row.totalBytes === null ? {} : { totalBytes: row.totalBytes }),
    ...(row.detectedMime === null ? {} : { detectedMime: row.detectedMime }),
    ...(row.key === null ? {} : { s3Key: row.key }),
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
  };
}

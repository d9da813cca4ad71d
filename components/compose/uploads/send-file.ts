import { ApiFailure, callApi } from "../../api/client";
import { uploadWords } from "./words";

type Watch = { onProgress: (share: number) => void; signal: AbortSignal };
type Grant = { key: string; url: string; headers: { [name: string]: string } };

/**
 * Uploads a file straight to storage, reports progress, and has it checked. Resolves with its storage key.
 * @throws ApiFailure with the reason
 */
export async function sendFile(file: File, { onProgress, signal }: Watch): Promise<string> {
  const wanted = { filename: file.name, contentType: typeOf(file), sizeBytes: file.size };
  const grant = await callApi<Grant>("/v1/media/upload/urls", { method: "POST", body: wanted, signal });
  await put(file, grant, { onProgress, signal });
  const body = { key: grant.key };
  const { path } = await callApi<{ path: string }>("/v1/media/upload/confirm", { method: "POST", body, signal });
  return path;
}

/** The browser leaves unknown types empty; the server detects the type from the bytes. */
function typeOf({ type }: File): string {
  return type === "" ? "application/octet-stream" : type;
}

/** Uses `XMLHttpRequest`, because `fetch` reports no upload progress. */
function put(file: File, { url, headers }: Grant, { onProgress, signal }: Watch): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) {
      // The browser sets it and forbids setting it.
      if (name.toLowerCase() !== "content-length") request.setRequestHeader(name, value);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new ApiFailure(request.status, uploadWords.sending.storeRefused(request.status)));
    request.onerror = () => reject(new ApiFailure(0, uploadWords.sending.uploadBroke));
    request.onabort = () => reject(new ApiFailure(0, "Cancelled"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

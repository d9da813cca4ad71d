import { ApiFailure, failureText, leaveToSignIn } from "../api/client";

type Watch = { onProgress: (share: number) => void; signal: AbortSignal };

/** Uploads one file and says how far it is (`fetch` cannot). Resolves with its storage key. */
export function sendFile(file: File, { onProgress, signal }: Watch): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/v1/media/upload");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 401) leaveToSignIn();
      const path = request.status < 300 ? pathIn(request.responseText) : undefined;
      if (path) resolve(path);
      else reject(new ApiFailure(request.status, failureText(request.status, request.responseText)));
    };
    request.onerror = () => reject(new ApiFailure(0, "The upload broke off. Check your connection."));
    request.onabort = () => reject(new ApiFailure(0, "Cancelled"));
    signal.addEventListener("abort", () => request.abort());
    const body = new FormData();
    body.append("file", file);
    request.send(body);
  });
}

function pathIn(answer: string): string | undefined {
  const { path }: { path?: unknown } = JSON.parse(answer);
  return typeof path === "string" ? path : undefined;
}

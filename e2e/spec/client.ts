/** HTTP as an integrator has it: an address, headers, and what comes back. */
export type Fields = { [name: string]: string };

/** An answer; `body` is its JSON, undefined where it holds none. What `T` promises the tests themselves look at. */
export type Answer<T> = { status: number; headers: Headers; text: string; body: T };

export type Api = {
  get<T>(path: string, headers?: Fields): Promise<Answer<T>>;
  post<T>(path: string, body?: unknown, headers?: Fields): Promise<Answer<T>>;
  put<T>(path: string, body?: unknown, headers?: Fields): Promise<Answer<T>>;
  delete<T>(path: string, headers?: Fields): Promise<Answer<T>>;
  /** Any request, sent as it is. */
  send<T>(method: string, path: string, init?: { headers?: Fields; body?: BodyInit }): Promise<Answer<T>>;
};

/** Calls one address with these headers on every request. */
export function apiOf(base: string, always: Fields = {}): Api {
  const send = async <T>(method: string, path: string, { headers = {}, body }: { headers?: Fields; body?: BodyInit }) =>
    answerOf<T>(await fetch(base + path, { method, headers: { ...always, ...headers }, body, redirect: "manual" }));
  const json = <T>(method: string, path: string, body: unknown, headers: Fields = {}) =>
    send<T>(method, path, { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
  return {
    get: (path, headers) => send("GET", path, { headers }),
    post: (path, body, headers) =>
      body === undefined ? send("POST", path, { headers }) : json("POST", path, body, headers),
    put: (path, body, headers) => json("PUT", path, body, headers),
    delete: (path, headers) => send("DELETE", path, { headers }),
    send: (method, path, init = {}) => send(method, path, init),
  };
}

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) as T };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Status and body, for comparing both at once. */
export async function told(answer: Promise<Answer<unknown>>): Promise<[number, unknown]> {
  const { status, body } = await answer;
  return [status, body];
}

/** A multipart body with one part named `file`. */
export function fileForm(bytes: Uint8Array, filename: string, name = "file"): FormData {
  const form = new FormData();
  form.append(name, new Blob([new Uint8Array(bytes)]), filename);
  return form;
}

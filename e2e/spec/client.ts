/** A small HTTP client, as an integrator would write it. */
export type Fields = { [name: string]: string };

/** A response; `body` is its JSON, or undefined if it has none. `T` is not checked here: the tests compare the body. */
export type Answer<T> = { status: number; headers: Headers; text: string; body: T };

export type Api = {
  get<T>(path: string, headers?: Fields): Promise<Answer<T>>;
  post<T>(path: string, body?: unknown, headers?: Fields): Promise<Answer<T>>;
  put<T>(path: string, body?: unknown, headers?: Fields): Promise<Answer<T>>;
  delete<T>(path: string, headers?: Fields): Promise<Answer<T>>;
  /** Sends any request unchanged. */
  send<T>(method: string, path: string, init?: { headers?: Fields; body?: BodyInit }): Promise<Answer<T>>;
};

/** A client for one origin that sends these headers with every request. */
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

/** Status and body, to compare both at once. */
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

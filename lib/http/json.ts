type Fields = { [name: string]: string };

/**
 * A `Response` whose text is known from the start. The platform's own checks every header and makes a stream of the text,
 * which costs more than the rest of a short answer does. Here a server of ours writes `content` and `fields` as they are,
 * and whoever asks for anything else gets the platform's, made at that moment.
 */
export class TextResponse implements Response {
  readonly status: number;
  #fields: Fields;
  #whole: Response | undefined;

  constructor(
    readonly content: string,
    { status = 200, headers = {} }: { status?: number; headers?: Fields } = {},
  ) {
    this.status = status;
    this.#fields = headers;
  }

  /** The headers, as they are to be written. */
  get fields(): Fields {
    return this.#whole ? Object.fromEntries(this.#whole.headers) : this.#fields;
  }

  add(fields: Fields): void {
    if (this.#whole) addTo(this.#whole.headers, fields);
    else this.#fields = { ...fields, ...this.#fields };
  }

  get #response(): Response {
    this.#whole ??= new Response(this.content, { status: this.status, headers: this.#fields });
    return this.#whole;
  }

  get headers() {
    return this.#response.headers;
  }
  get ok() {
    return this.#response.ok;
  }
  get redirected() {
    return this.#response.redirected;
  }
  get statusText() {
    return this.#response.statusText;
  }
  get type() {
    return this.#response.type;
  }
  get url() {
    return this.#response.url;
  }
  get body() {
    return this.#response.body;
  }
  get bodyUsed() {
    return this.#whole?.bodyUsed ?? false;
  }
  arrayBuffer() {
    return this.#response.arrayBuffer();
  }
  blob() {
    return this.#response.blob();
  }
  bytes() {
    return this.#response.bytes();
  }
  clone() {
    return this.#response.clone();
  }
  formData() {
    return this.#response.formData();
  }
  json() {
    return this.#response.json();
  }
  text() {
    return this.#response.text();
  }
}

// For hosts that ask whether they were given a `Response` (Next does).
Object.setPrototypeOf(TextResponse.prototype, Response.prototype);

/** Adds headers, their names in lower case, to an answer; what it says itself stays. */
export function addHeaders(response: Response, fields: Fields): void {
  if (response instanceof TextResponse) response.add(fields);
  else addTo(response.headers, fields);
}

function addTo(headers: Headers, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) if (!headers.has(name)) headers.set(name, value);
}

/** An answer in JSON, as `Response.json` makes it; the names of headers in lower case. */
export function json(value: unknown, init: { status?: number; headers?: Fields } = {}): Response {
  const headers = { "content-type": "application/json", ...init.headers };
  return new TextResponse(JSON.stringify(value), { status: init.status, headers });
}

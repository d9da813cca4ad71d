/** Headers, their names in lower case. */
type Fields = { [name: string]: string };

/**
 * A `Response` with a known text. The platform's `Response` checks every header and turns the text into a stream, which costs
 * more than the rest of a short answer. Our server writes `content` and `fields` directly. A platform `Response` is created
 * only if any other member is used.
 */
export class TextResponse implements Response {
  readonly status: number;
  readonly #fields: Fields;
  #whole: Response | undefined;

  /** @param fields the headers; this object may change them later */
  constructor(
    readonly content: string,
    status: number,
    fields: Fields,
  ) {
    this.status = status;
    this.#fields = fields;
  }

  /** The headers to write. */
  get fields(): Fields {
    return this.#whole ? Object.fromEntries(this.#whole.headers) : this.#fields;
  }

  add(fields: Fields): void {
    if (this.#whole) addTo(this.#whole.headers, fields);
    else for (const [name, value] of Object.entries(fields)) this.#fields[name] ??= value;
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

// Next checks `instanceof Response`.
Object.setPrototypeOf(TextResponse.prototype, Response.prototype);

/** Adds headers to a response. It does not replace headers that the response already has. */
export function addHeaders(response: Response, fields: Fields): void {
  if (response instanceof TextResponse) response.add(fields);
  else addTo(response.headers, fields);
}

function addTo(headers: Headers, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) if (!headers.has(name)) headers.set(name, value);
}

/** Creates a JSON response like `Response.json`. */
export function json(value: unknown, { status = 200, headers }: { status?: number; headers?: Fields } = {}): Response {
  return new TextResponse(JSON.stringify(value), status, { "content-type": "application/json", ...headers });
}

/**
 * A `Response` whose text is known from the start. The platform's own makes a stream of it, which costs as much as the rest of a
 * short answer does; here whoever asks for the body still gets that, and a server of ours writes `content` as it is.
 */
export class TextResponse extends Response {
  #streamed: Response | undefined;

  constructor(
    readonly content: string,
    init: ResponseInit,
  ) {
    super(null, init);
  }

  get #whole(): Response {
    this.#streamed ??= new Response(this.content, this);
    return this.#streamed;
  }

  override get body() {
    return this.#whole.body;
  }
  override get bodyUsed() {
    return this.#streamed?.bodyUsed ?? false;
  }
  override arrayBuffer() {
    return this.#whole.arrayBuffer();
  }
  override blob() {
    return this.#whole.blob();
  }
  override clone(): Response {
    if (!this.#streamed) return new TextResponse(this.content, this);
    return new Response(this.#streamed.clone().body, this);
  }
  override formData() {
    return this.#whole.formData();
  }
  override json() {
    return this.#whole.json();
  }
  override text() {
    return this.#whole.text();
  }
}

/** An answer in JSON, as `Response.json` makes it. */
export function json(value: unknown, init: { status?: number; headers?: { [name: string]: string } } = {}): Response {
  return new TextResponse(JSON.stringify(value), {
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });
}

/** A social account in the list. */
export type ConnectedAccount = { id: number; platform: string; username: string };

/** What `<carillon-connect>` reports, as the `detail` of its events. */
export type CarillonConnectEvents = {
  /** The list is shown. */
  "carillon-ready": undefined;
  /** An account was connected, or connected again. */
  "carillon-connected": ConnectedAccount;
  /** A window ended without an account: why, as a sentence for the person. */
  "carillon-cancelled": { message: string };
  /** The session has ended, and `fetchClientToken` is missing or failed. */
  "carillon-ended": undefined;
  /** The list cannot be shown: why, as a sentence for you. */
  "carillon-error": { message: string };
};

/** How long the frame may take to answer once it is loaded. */
const ANSWER_MS = 10_000;

const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement); // so that a server can import this file

/**
 * `<carillon-connect src="https://carillon.example.com">`: the list of a person's accounts, with buttons to connect more. Set
 * `fetchClientToken` to a function that gets `clientToken` from your backend (`POST /v1/connect/sessions`); it is called again
 * when a session has ended. Or set the attribute `client-token`, for one session. Its height follows its content.
 */
export class CarillonConnect extends Base {
  static readonly observedAttributes = ["src", "client-token"];
  #fetchClientToken?: () => Promise<string>;
  #frame?: HTMLIFrameElement;
  #timer?: ReturnType<typeof setTimeout>;
  #isRenewing = false;
  #run = 0;
  readonly #onMessage = (event: MessageEvent) => this.#receive(event);

  /** Returns a new `clientToken` from your backend. */
  get fetchClientToken(): (() => Promise<string>) | undefined {
    return this.#fetchClientToken;
  }
  set fetchClientToken(value: (() => Promise<string>) | undefined) {
    this.#fetchClientToken = value;
    this.#restart();
  }

  connectedCallback(): void {
    addEventListener("message", this.#onMessage);
    this.#restart();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#onMessage);
    this.#run += 1;
    this.#stop();
  }

  attributeChangedCallback(): void {
    this.#restart();
  }

  /** Starts when everything that was set in one go is there. */
  #restart(): void {
    this.#run += 1;
    const run = this.#run;
    queueMicrotask(() => {
      if (run === this.#run && this.isConnected) void this.#start(run);
    });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#frame?.remove();
    this.#frame = undefined;
  }

  async #start(run: number): Promise<void> {
    this.#stop();
    const src = this.getAttribute("src") ?? "";
    const attribute = this.getAttribute("client-token");
    if (!this.#fetchClientToken && !attribute) return; // not set yet
    if (!/^https?:\/\//.test(src) || !URL.canParse(src)) {
      return this.#fail("The attribute src must be the address of Carillon, such as https://carillon.example.com");
    }
    let token: unknown;
    try {
      token = this.#fetchClientToken ? await this.#fetchClientToken() : attribute;
    } catch (error) {
      return this.#fail(`fetchClientToken failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (run !== this.#run) return;
    const id = /^([0-9a-f-]{36})\.[\w-]+$/.exec(String(token))?.[1];
    if (!id) return this.#fail("The client token must be the clientToken of POST /v1/connect/sessions");
    this.#load(`${src.replace(/\/+$/, "")}/embed/connect/${id}`, String(token));
  }

  #load(address: string, clientToken: string): void {
    const frame = document.createElement("iframe");
    frame.title = this.title || "Connected accounts";
    // Set as properties: a strict policy of the page forbids style attributes, but not these.
    Object.assign(frame.style, { display: "block", width: "100%", height: "0", border: "0" });
    frame.addEventListener("load", () => {
      // Only a page of Carillon receives it: the browser compares the origin.
      frame.contentWindow?.postMessage({ type: "carillon:open", clientToken }, new URL(address).origin);
      this.#timer = setTimeout(() => {
        this.#fail(
          "The list did not answer. Check that src is the address of Carillon, that the session includes the origin of this page, and that the policy of this page allows Carillon in frame-src",
        );
      }, ANSWER_MS);
    });
    frame.src = address;
    this.#frame = frame;
    if (getComputedStyle(this).display === "inline") this.style.display = "block";
    this.append(frame);
  }

  #receive({ source, origin, data }: MessageEvent): void {
    const frame = this.#frame;
    if (!frame || source !== frame.contentWindow || origin !== new URL(frame.src).origin) return;
    clearTimeout(this.#timer);
    if (typeof data?.height === "number") frame.style.height = `${Math.max(0, data.height)}px`;
    if (data?.type === "carillon:ready") {
      this.#isRenewing = false;
      // A frame is transparent only if it has the same scheme as the page around it.
      frame.style.colorScheme = data.theme === "auto" ? "light dark" : String(data.theme);
      this.#tell("carillon-ready", undefined);
    } else if (data?.type === "carillon:connected") this.#tell("carillon-connected", data.account);
    else if (data?.type === "carillon:cancelled") this.#tell("carillon-cancelled", { message: String(data.message) });
    else if (data?.type === "carillon:error") this.#fail(String(data.message));
    else if (data?.type === "carillon:ended") this.#renew();
  }

  /** Starts again with a new token, once: a second end without a list in between is reported. */
  #renew(): void {
    if (this.#fetchClientToken && !this.#isRenewing) {
      this.#isRenewing = true;
      this.#restart();
    } else this.#tell("carillon-ended", undefined);
  }

  #fail(message: string): void {
    this.#tell("carillon-error", { message });
  }

  #tell<Name extends keyof CarillonConnectEvents>(name: Name, detail: CarillonConnectEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

globalThis.customElements?.define("carillon-connect", CarillonConnect);

declare global {
  interface HTMLElementTagNameMap {
    "carillon-connect": CarillonConnect;
  }
}

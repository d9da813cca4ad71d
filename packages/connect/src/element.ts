/** A social account in the list. */
export type ConnectedAccount = { id: number; platform: string; username: string };

/** What both elements report, as the `detail` of their events. */
type ListEvents = {
  /** The list is shown. */
  "carillon-ready": undefined;
  /** The session has ended, and `fetchClientToken` is missing or gave no token with which the list could be shown again. */
  "carillon-ended": undefined;
  /** The list cannot be shown: why, as a sentence for you. */
  "carillon-error": { message: string };
};

/** What `<carillon-connect>` reports, as the `detail` of its events. */
export type CarillonConnectEvents = ListEvents & {
  /** An account was connected, or connected again. */
  "carillon-connected": ConnectedAccount;
  /** A window ended without an account: why, as a sentence for the person. If it only seemed closed, `carillon-connected` can follow. */
  "carillon-cancelled": { message: string };
};

/** What `<carillon-webhooks>` reports, as the `detail` of its events. */
export type CarillonWebhooksEvents = ListEvents & {
  /** A webhook was added, changed or deleted. */
  "carillon-changed": undefined;
};

/** How long the frame may take to answer once it is loaded. */
const ANSWER_MS = 10_000;

const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement); // so that a server can import this file

/** Not `URL.canParse`: older browsers do not have it, and Node 20's answers wrong after some thousand calls. */
function isAddress(text: string): boolean {
  try {
    return /^https?:\/\//.test(text) && Boolean(new URL(text));
  } catch {
    return false;
  }
}

/** A list in a frame of Carillon's origin. */
class CarillonList extends Base {
  static readonly observedAttributes = ["src", "client-token"];
  /** Where its frames are, and the name of a frame for screen readers. */
  protected readonly path: string = "";
  protected readonly label: string = "";
  #fetchClientToken?: () => Promise<string>;
  #frame?: HTMLIFrameElement;
  #timer?: ReturnType<typeof setTimeout>;
  #isRenewing = false;
  /** No list is shown or on its way. */
  #isOver = true;
  /** The window that the list has open, for the list that replaces it. */
  #connecting: unknown;
  #run = 0;
  readonly #onMessage = (event: MessageEvent) => this.#receive(event);

  /** Returns a new `clientToken` from your backend. A list that is shown stays if you set another one, as frameworks do. */
  get fetchClientToken(): (() => Promise<string>) | undefined {
    return this.#fetchClientToken;
  }
  set fetchClientToken(value: (() => Promise<string>) | undefined) {
    this.#fetchClientToken = value;
    if (this.#isOver) this.#restart();
  }

  connectedCallback(): void {
    addEventListener("message", this.#onMessage);
    // What was set before this script was loaded hides the setter.
    const early = Object.getOwnPropertyDescriptor(this, "fetchClientToken")?.value;
    if (early && Reflect.deleteProperty(this, "fetchClientToken")) this.#fetchClientToken = early;
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
    this.#isOver = false;
    if (!isAddress(src)) {
      return this.#fail("The attribute src must be the address of Carillon, such as https://carillon.example.com");
    }
    let token: unknown;
    try {
      token = this.#fetchClientToken ? await this.#fetchClientToken() : attribute;
    } catch (error) {
      if (run !== this.#run) return; // started again or removed meanwhile
      return this.#fail(`fetchClientToken failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (run !== this.#run) return;
    const id = /^([0-9a-f-]{36})\.[\w-]+$/.exec(String(token))?.[1];
    if (!id) return this.#fail("The client token must be the clientToken of POST /v1/connect/sessions");
    this.#load(`${src.replace(/\/+$/, "")}/embed/${this.path}/${id}`, String(token));
  }

  #load(address: string, clientToken: string): void {
    const frame = document.createElement("iframe");
    frame.title = this.title || this.label;
    // Set as properties: a strict policy of the page forbids style attributes, but not these.
    Object.assign(frame.style, { display: "block", width: "100%", height: "0", border: "0" });
    frame.addEventListener("load", () => {
      // Only a page of Carillon receives it: the browser compares the origin.
      const message = { type: "carillon:open", clientToken, connecting: this.#connecting };
      frame.contentWindow?.postMessage(message, new URL(address).origin);
      this.#timer = setTimeout(() => {
        this.#fail(
          "The list did not answer. Check that src is the address of Carillon, that the session is one for this element and includes the origin of this page, and that the policy of this page allows Carillon in frame-src",
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
      this.#isRenewing = this.#isOver = false;
      // A frame is transparent only if it has the same scheme as the page around it.
      frame.style.colorScheme = data.theme === "auto" ? "light dark" : String(data.theme);
      this.tell("carillon-ready");
    } else if (data?.type === "carillon:error") this.#fail(String(data.message));
    else if (data?.type === "carillon:ended") this.#renew();
    else if (data?.type === "carillon:window") this.#connecting = data.connecting;
    else this.received(data);
  }

  /** Passes on what only this list reports. */
  protected received(_message: { type?: unknown; [field: string]: unknown }): void {}

  /** Starts again with a new token, once: a second end without a list in between is reported. */
  #renew(): void {
    if (this.#fetchClientToken && !this.#isRenewing) {
      this.#isRenewing = true;
      this.#restart();
    } else this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.tell("carillon-ended");
  }

  #fail(message: string): void {
    this.#isOver = true;
    this.tell("carillon-error", { message });
    if (!this.#isRenewing) return;
    this.#isRenewing = false;
    this.#end();
  }

  protected tell(name: keyof CarillonConnectEvents | keyof CarillonWebhooksEvents, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/**
 * `<carillon-connect src="https://carillon.example.com">`: the list of a person's accounts, with buttons to connect more. Set
 * `fetchClientToken` to a function that gets `clientToken` from your backend (`POST /v1/connect/sessions`); it is called again
 * when a session has ended. Or set the attribute `client-token`, for one session. Its height follows its content.
 */
export class CarillonConnect extends CarillonList {
  protected override readonly path = "connect";
  protected override readonly label = "Connected accounts";

  protected override received({ type, account, message }: { type?: unknown; [field: string]: unknown }): void {
    if (type === "carillon:connected") this.tell("carillon-connected", account);
    else if (type === "carillon:cancelled") this.tell("carillon-cancelled", { message: String(message) });
  }
}

/**
 * `<carillon-webhooks src="https://carillon.example.com">`: the list of a person's webhooks with their deliveries. It works like
 * `<carillon-connect>`, with a session that has `"shows": "webhooks"`.
 */
export class CarillonWebhooks extends CarillonList {
  protected override readonly path = "webhooks";
  protected override readonly label = "Webhooks";

  protected override received({ type }: { type?: unknown }): void {
    if (type === "carillon:changed") this.tell("carillon-changed");
  }
}

globalThis.customElements?.define("carillon-connect", CarillonConnect);
globalThis.customElements?.define("carillon-webhooks", CarillonWebhooks);

type Events = CarillonConnectEvents & CarillonWebhooksEvents;
type EventMap = { [name in keyof Events]: CustomEvent<Events[name]> };

declare global {
  interface HTMLElementEventMap extends EventMap {}
  interface HTMLElementTagNameMap {
    "carillon-connect": CarillonConnect;
    "carillon-webhooks": CarillonWebhooks;
  }
}

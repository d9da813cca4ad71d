/** A way to open a connect link. `auto`: a popup if there is room for one and a mouse, otherwise `redirect`. */
export type ConnectMode = "auto" | "popup" | "redirect" | "deepLink";

export type ConnectOptions = {
  /** The link from `POST /v1/connect/authorize-url`, or a function that fetches it from your backend. */
  url: string | (() => Promise<string>);
  mode?: ConnectMode | undefined;
  /**
   * Opens the link outside of your app, for `deepLink`: for example `(url) => Browser.open({ url })` in Capacitor. The link's
   * `redirectUri` is then a deep link of your app.
   */
  open?: ((url: string) => unknown) | undefined;
  /** The person has returned to the link's `redirectUri`. Whether an account was connected: read `GET /v1/accounts`. */
  onDone?: (() => void) | undefined;
  /** The person closed the window before the end. If it only seemed closed, `onDone` can follow. */
  onCancel?: (() => void) | undefined;
  /** `url` could not be fetched or is not a link, or `open` is missing or failed. */
  onError?: ((error: Error) => void) | undefined;
};

/** A connect that was opened. */
export type OpenConnect = {
  /** Closes the window and forgets the connect. Calls nothing. */
  cancel(): void;
};

const CHANNEL = "carillon connect return";
/** The name of this page's window for connecting, so that its return ends no connect of another tab. */
const WINDOW = `${CHANNEL} ${Math.random()}`;
/** What a window says that has lost its name because a network's page cut it off. */
const RETURNED = "returned";
/** Set before the page is left, so that the page of `redirectUri` can tell a return from a visit. */
const PENDING = "carillon connect pending";
const LOOK_EVERY_MS = 300;
const [WIDTH, HEIGHT] = [560, 760];

let latest: { done(): void; leave(keepsWindow: boolean): void } | undefined;

/**
 * Opens a connect link. Call it directly in the handler of a click, or browsers block the window. The page of the link's
 * `redirectUri` should call `finishConnect`; on the origin of this page, a window also ends without it. A further call takes over
 * the window of the one before, which then reports nothing more.
 */
export function openConnect(options: ConnectOptions): OpenConnect {
  const { url, mode = "auto", open, onDone, onCancel, onError } = options;
  const way = mode === "auto" ? (open ? "deepLink" : wantsPopup() ? "popup" : "redirect") : mode;
  latest?.leave(way === "popup");
  wasPending(); // forgets a connect that was left, which a window would inherit
  // Opened before the link is fetched, while the browser still allows it.
  const popup = way === "popup" ? openWindow() : null;
  const channel = way === "redirect" ? undefined : openChannel();
  let timer: ReturnType<typeof setInterval> | undefined;
  let before: string | undefined; // the page of the window until it has left for the link
  let wasClosed = false; // at the last look
  let isOver = false;

  function finish(call?: () => void, keepsWindow = false): void {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    channel?.close();
    if (!keepsWindow) popup?.close();
    if (latest === mine) latest = undefined;
    call?.();
  }
  const mine = {
    done: () => finish(onDone),
    leave: (keepsWindow: boolean) => finish(undefined, keepsWindow),
  };
  latest = mine;
  if (channel) channel.onmessage = ({ data }) => [WINDOW, RETURNED].includes(data) && finish(onDone);

  void begin();
  return { cancel: () => finish() };

  async function begin(): Promise<void> {
    try {
      // A string is awaited too, so that of two calls in one click only the second one navigates the window.
      const link = await (typeof url === "string" ? url : url());
      // The browser refuses any other mistake by itself.
      if (!/^https?:\/\/[^\s/]/.test(link)) throw new Error("the connect link must be an http(s) address");
      if (!isOver) await go(link);
    } catch (error) {
      finish(() => onError?.(error instanceof Error ? error : new Error(String(error))));
    }
  }

  async function go(link: string): Promise<void> {
    if (way === "deepLink") {
      if (!open) throw new Error("the mode deepLink needs `open`");
      await open(link);
      return;
    }
    if (!popup) {
      // Also if the browser blocked the window.
      location.assign(link);
      setPending();
      return;
    }
    before = addressOf(popup);
    popup.location.replace(link);
    timer = setInterval(look, LOOK_EVERY_MS);
  }

  /** Ends when the window is back on this origin or was closed. A network's page may cut the window off; it then seems closed. */
  function look(): void {
    if (!popup) return;
    const address = addressOf(popup);
    const hasLeft = address !== before;
    if (hasLeft) before = undefined;
    if (hasLeft && address?.startsWith(`${location.origin}/`)) finish(onDone);
    else if (popup.closed && !wasClosed) {
      wasClosed = true; // a window that returned closes itself, and its message can arrive a moment later
    } else if (popup.closed) {
      clearInterval(timer);
      onCancel?.();
      // The channel stays open: a window that was cut off can still return, and `onDone` follows.
    }
  }
}

/**
 * For the page of `redirectUri`, and for an app that is opened by its deep link: tells the page that called `openConnect` that
 * the person is back, and closes this window if it is the popup.
 * @returns how the person came back: in the `popup`, in this page (`redirect`), in this app (`deepLink`), or undefined if this
 *   page did not start a connect
 */
export function finishConnect(): "popup" | "redirect" | "deepLink" | undefined {
  if (latest) {
    latest.done();
    return "deepLink";
  }
  if (wasPending()) return "redirect";
  const channel = openChannel();
  const hasName = window.name.startsWith(CHANNEL);
  channel?.postMessage(hasName ? window.name : RETURNED);
  channel?.close();
  const isPopup = window.opener !== null || hasName;
  // Without a channel, the page that opened this window looks at its address, and then closes it.
  if (isPopup && channel) window.close();
  return isPopup ? "popup" : undefined;
}

// A browser that blocks storage throws an error at its first use.

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return undefined;
  }
}

/** Without storage, the page of `redirectUri` cannot tell a return from a visit. */
function setPending(): void {
  try {
    sessionStorage.setItem(PENDING, "1");
  } catch {}
}

/** Whether this page was left for a connect link. Forgets it. */
function wasPending(): boolean {
  try {
    const was = sessionStorage.getItem(PENDING) !== null;
    sessionStorage.removeItem(PENDING);
    return was;
  } catch {
    return false;
  }
}

function wantsPopup(): boolean {
  return matchMedia("(min-width: 768px) and (hover: hover) and (pointer: fine)").matches;
}

function openWindow(): Window | null {
  const left = Math.round(screenX + (outerWidth - WIDTH) / 2);
  const top = Math.round(screenY + (outerHeight - HEIGHT) / 3);
  // Without an address, a window that is taken over stays where it is: two navigations at once can crash the tab in Chromium.
  return window.open("", WINDOW, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
}

/** The address of a window on this origin. Undefined while it shows another site, and after it was closed. */
function addressOf(popup: Window): string | undefined {
  try {
    return popup.closed ? undefined : popup.location.href;
  } catch {
    return undefined;
  }
}

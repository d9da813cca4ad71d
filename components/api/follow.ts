/** How long to wait before asking anew for a stream that was refused. */
const AGAIN_MS = 30_000;

type Follower = {
  /** Whether whatever happens is being told; while it is not, somebody has to look. */
  onState(isLive: boolean): void;
  /** Something happened: an event's type, or `open` where things may have happened before. */
  onFact(type: string): void;
};

/**
 * Follows what happens while the page is in view, until it is told to stop. A hidden page lets go of its connection, of
 * which browsers give a site few. The browser itself comes back after a loss and says up to where it was told.
 */
export function follow({ onState, onFact }: Follower): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    onState(false);
  }

  function open() {
    close();
    if (document.hidden || typeof EventSource === "undefined") return;
    source = new EventSource("/live");
    source.onmessage = ({ data }) => {
      onState(true);
      onFact(typeOf(data));
    };
    source.onopen = () => onState(true);
    source.onerror = () => {
      onState(false);
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
    };
  }

  document.addEventListener("visibilitychange", open);
  window.addEventListener("pagehide", close);
  open();
  return () => {
    document.removeEventListener("visibilitychange", open);
    window.removeEventListener("pagehide", close);
    close();
  };
}

function typeOf(data: unknown): string {
  try {
    const message: unknown = JSON.parse(String(data));
    const type = typeof message === "object" && message !== null && "type" in message ? message.type : "";
    return typeof type === "string" ? type : "";
  } catch {
    return "";
  }
}

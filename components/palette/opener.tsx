"use client";
import { usePathname, useRouter } from "next/navigation";
import { type ComponentType, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isWriting } from "../posts/use-undo";
import { composer, isComposing } from "../shell/places";
import { shellWords } from "../shell/words";
import { Search } from "../ui/icons";
import { isApple, KeyCaps } from "./key-caps";
import { areSingleKeysOn, asksForPalette, homeKeys, listKey, paletteShortcut, writeKey } from "./keys";
import type { PaletteProps } from "./palette";

type Showing = PaletteProps["showing"];
/** `words`: the classes of texts that are shown only where the navigation has labels. */
type Props = Pick<PaletteProps, "isStaff" | "hasConsole" | "networkNames"> & { words: string };

/**
 * Opens the palette from every page: a button, Ctrl+K or ⌘K, and `?` for the list of shortcuts. The palette is loaded
 * on demand. Listens also to the other keys that every page has.
 */
export function Opener({ words, ...viewer }: Props) {
  const [showing, setShowing] = useState<Showing>();
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
  const [isMissing, setMissing] = useState(false);
  const close = () => setShowing(undefined);
  const typed = useTypedAhead(showing !== undefined && !Palette, close);

  function open(what: Showing) {
    typed.current = "";
    setShowing(what);
    if (Palette) return;
    setMissing(false);
    import("./palette").then(
      (fetched) => setPalette(() => fetched.Palette),
      () => {
        setMissing(true);
        close();
      },
    );
  }
  useOpeningKeys(showing, { open, close });

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={paletteShortcut}
        onClick={() => open("commands")}
        className={`ml-auto flex min-h-11 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-lg px-2 text-[0.8125rem] text-frame-muted hover:bg-frame-hover hover:text-frame-ink md:ml-0 md:min-h-9 ${words === "sr-only" ? "" : "wide:justify-start wide:border wide:border-frame-line"}`}
      >
        <Search aria-hidden className="size-4.5 shrink-0" />
        <span className={`truncate! ${words}`}>
          {isMissing ? shellWords.palette.notLoaded : shellWords.palette.findOrDo}
        </span>
        <span
          className={
            words === "sr-only"
              ? "hidden"
              : "ml-auto hidden wide:inline-flex [&_kbd]:min-w-5 [&_kbd]:border-frame-line [&_kbd]:bg-transparent [&_kbd]:px-0.5 [&_kbd]:text-[0.6875rem] [&_kbd]:text-frame-muted"
          }
        >
          <KeyCaps keys={["mod", "K"]} />
        </span>
      </button>
      {showing && Palette && (
        <Palette {...viewer} showing={showing} show={setShowing} typed={typed.current} close={close} />
      )}
    </>
  );
}

type Ways = { open: (what: Showing) => void; close: () => void };

/** There, the key starts a post for the day that has the focus. */
const CALENDAR = "/calendar";

function useOpeningKeys(showing: Showing, { open, close }: Ways) {
  const router = useRouter();
  const path = usePathname();
  /** The key that was pressed before. */
  const before = useRef("");
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (asksForPalette(event, isApple())) {
        event.preventDefault(); // otherwise the browser opens its own search
        if (showing) close();
        else open("commands");
        return;
      }
      if (showing || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || !areSingleKeysOn())
        return;
      const key = event.key.toLowerCase();
      if (key === listKey) open("keys");
      else if (key === writeKey && path !== CALENDAR && !isComposing(path)) router.push(composer);
      else if (key === homeKeys[1] && before.current === homeKeys[0]) router.push("/");
      before.current = key;
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

/** Captures typing while the palette is loading, so that it does not reach the page. */
function useTypedAhead(isAwaited: boolean, close: () => void): RefObject<string> {
  const typed = useRef("");
  // A layout effect, so that no key is lost before the dialog has the focus.
  useLayoutEffect(() => {
    if (!isAwaited) return;
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") close();
      else if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      event.preventDefault();
      event.stopPropagation();
    }
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  });
  return typed;
}

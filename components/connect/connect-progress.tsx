"use client";
import { Button, buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import type { ConnectWindow } from "./use-connect-window";
import { connectWindowWords } from "./words";

type Props = Pick<ConnectWindow, "progress" | "platform" | "show" | "onSubmit"> & {
  networkOf(platform: string): string;
};

/** The progress of a connect in a separate window, with the next step. */
export function ConnectProgress({ progress, platform = "", show, onSubmit, networkOf }: Props) {
  if (!progress) return null;
  const { tone, says, next } = progress;
  return (
    <Notice tone={tone} className="mb-4" action={action()}>
      {says}
    </Notice>
  );

  function action() {
    if (next === "show")
      return (
        <Button look="quiet" onClick={show}>
          {connectWindowWords.showWindow}
        </Button>
      );
    if (next === "write") {
      return (
        <Link href="/compose" className={buttonClass("primary")}>
          {connectWindowWords.writePost}
        </Link>
      );
    }
    const isHere = next === "here";
    return (
      <form
        method="post"
        action="/oauth/connect/new"
        onSubmit={isHere ? undefined : (event) => onSubmit(event, networkOf(platform))}
      >
        <input type="hidden" name="ticket" />
        <input type="hidden" name="window" />
        <button type="submit" name="platform" value={platform} className={buttonClass("quiet")}>
          {isHere ? connectWindowWords.connectHere(networkOf(platform)) : connectWindowWords.tryAgain}
        </button>
      </form>
    );
  }
}

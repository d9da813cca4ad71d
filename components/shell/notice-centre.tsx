"use client";
import { useAttention, useScheduleCounts } from "../api/queries";
import { Bell } from "../ui/icons";
import { Link } from "../ui/link";
import { shellWords } from "./words";

type Props = {
  path: string;
  className: string;
  /** The classes of texts that are shown only where the navigation has labels. */
  words: string;
};

export const PLACE = "/notifications";

/** A link to the notifications, with the number of those that the user has not seen. */
export function NoticeCentre({ path, className, words }: Props) {
  const { items = [], isMore: isCut = false } = useAttention().data ?? {};
  const unread = items.filter((item) => item.isUnread).length;
  // Only the newest posts are listed, so the others are read if one of these is.
  const isMore = isCut && items.every((item) => item.isUnread || !("post" in item));
  return (
    <Link
      href={PLACE}
      aria-current={path === PLACE ? "page" : undefined}
      aria-label={unread > 0 ? shellWords.unread(unread, isMore) : undefined}
      title={shellWords.notices}
      className={className}
    >
      <Bell aria-hidden className="size-4.5 shrink-0" />
      <span className={words}>{shellWords.notices}</span>
      {unread > 0 && (
        <span
          aria-hidden
          className={`absolute top-1 right-1 ${countLook} ${words === "sr-only" ? "" : "wide:static wide:ml-auto"}`}
        >
          {unread}
          {isMore && "+"}
        </span>
      )}
    </Link>
  );
}

export const countLook =
  "grid h-4.5 min-w-4.5 place-items-center rounded-full bg-gold px-1 font-semibold text-on-gold text-xs tabular-nums";

const WAITING = { status: "SCHEDULED,AWAITING_MEDIA" };

/** The numbers beside places of the navigation, by their addresses. */
export function useCounts(): { [href: string]: number | undefined } {
  const items = useAttention().data?.items ?? [];
  const counts = useScheduleCounts(WAITING).data?.counts;
  return {
    "/posts": counts && counts.SCHEDULED + counts.AWAITING_MEDIA,
    "/accounts": items.filter(({ kind }) => kind === "ACCOUNT_TO_RECONNECT").length,
  };
}

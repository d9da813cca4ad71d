import { memo } from "react";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { Thumbnail } from "../library/thumbnail";
import { NetworkBadge } from "../networks/badge";
import { type stateWith, textsOf } from "../posts/facts";
import { ChangesMark, StatusSign, statusWord } from "../posts/status";
import { postWords } from "../posts/words";
import { timeOfDay } from "../time/format";
import { Link } from "../ui/link";
import { calendarWords } from "./words";

/** `line`: one line, for weeks that share the screen with many. `beside`: a chip with room for a number. `row`: large, for lists and thumbs. */
export type ChipSize = "line" | "chip" | "beside" | "row";

type State = ReturnType<typeof stateWith>;

const ahead = "border-line bg-surface before:bg-[#5a85c4]";
const wrong = "border-transparent bg-wrong-soft text-wrong before:bg-wrong";
const warn = "border-transparent bg-warn-soft before:bg-warn";

/** The ground and the bar of each state. The word is there for screen readers, and a sign where something is wrong. */
const looks: { [state in State]: string } = {
  DRAFT: "border-edge border-dashed before:bg-transparent",
  PROPOSED: "border-edge border-dashed before:bg-warn",
  AWAITING_MEDIA: ahead,
  SCHEDULED: ahead,
  IN_PROGRESS: "border-line bg-busy-soft before:bg-gold",
  COMPLETED: "border-line bg-sunk before:bg-accent",
  LATE: warn,
  ATTENTION: warn,
  PARTIALLY_COMPLETED: warn,
  FAILED: wrong,
  MEDIA_IMPORT_FAILED: wrong,
  UNKNOWN: warn,
};
const QUIET: State[] = ["DRAFT", "SCHEDULED", "COMPLETED"];

const sizes: { [size in ChipSize]: { face: string; picture: string; text: string } } = {
  line: { face: "h-6.5 pl-2.5", picture: "size-5", text: "text-xs" },
  chip: { face: "h-10 pl-3", picture: "size-8.5", text: "text-xs" },
  beside: { face: "h-10 pl-3", picture: "hidden", text: "mr-8 text-xs" },
  row: { face: "min-h-14.5 pl-4", picture: "size-12.5", text: "text-sm" },
};

type FaceProps = {
  schedule: ApiSchedule;
  accounts: Owner[];
  state: State;
  size?: ChipSize;
  /** Formats the time of the post; as this browser shows it by default. */
  clock?: (instant: string) => string;
};
/** What a chip shows of an account. */
export type Owner = Pick<ApiAccount, "id" | "platform" | "state">;

/** The heading of a day in a list. `date` is its name. */
export function DayHeading({ date, isToday, count }: { date: string; isToday: boolean; count: number }) {
  return (
    <h2
      aria-current={isToday ? "date" : undefined}
      className="flex flex-wrap items-baseline gap-x-2 font-semibold aria-[current=date]:text-accent"
    >
      {isToday ? calendarWords.todayIs(date) : date}
      <span className="font-normal text-muted text-xs">{calendarWords.posts(count)}</span>
    </h2>
  );
}

/** The content of a chip, also while it is dragged and in the page's HTML: state, time, networks, text and picture. */
export const ChipFace = memo(function ChipFace(props: FaceProps) {
  const { schedule, accounts, state, size = "chip", clock = scheduleTime } = props;
  const [text = postWords.card.noText] = textsOf(schedule);
  const { face, picture, text: textLook } = sizes[size];
  const path = pictureOf(schedule);
  const isSigned = !QUIET.includes(state);
  const isTight = size !== "row" && (isSigned || schedule.changesRequested);
  const facts = (
    <>
      {schedule.scheduledTime && (
        <time dateTime={schedule.scheduledTime} className="shrink-0 font-semibold text-[0.6875rem]">
          {clock(schedule.scheduledTime)}
        </time>
      )}
      {isSigned && <StatusSign of={state} className="size-4" />}
      <ChangesMark schedule={schedule} isSmall />
      <Networks schedule={schedule} accounts={accounts} most={isTight ? 1 : size === "line" ? 2 : 3} />
    </>
  );
  return (
    <Link
      href={`/posts/${schedule.id}`}
      draggable={false}
      className={`@container relative flex items-stretch gap-1.5 overflow-hidden rounded-[0.4375rem] border p-0.75 text-ink transition-shadow before:absolute before:inset-y-1.25 before:left-1 before:w-0.75 before:rounded-full hover:border-edge hover:no-underline hover:shadow-sm ${looks[state]} ${face}`}
    >
      <span className="sr-only">{statusWord(state)}, </span>
      {size === "line" ? (
        <span className="flex min-w-0 flex-1 items-center gap-1.5">
          {facts}
          <span className={`min-w-0 flex-1 truncate ${textLook}`}>{text}</span>
        </span>
      ) : (
        <span className="grid min-w-0 flex-1 content-center">
          <span className="flex h-4 min-w-0 flex-wrap items-center gap-1.5 overflow-hidden">{facts}</span>
          <span className={`truncate font-medium leading-4.5 ${textLook}`}>{text}</span>
        </span>
      )}
      {path && <Thumbnail path={path} className={`self-center rounded-[0.3125rem] ${picture} @max-[7.5rem]:hidden`} />}
    </Link>
  );
});

/** The storage key of the first file of a post. */
export function pictureOf({ publications }: ApiSchedule): string | undefined {
  const posts = publications.flatMap((publication) => publication.posts);
  return posts.map(({ thumbnail, attachmentPaths }) => thumbnail ?? attachmentPaths?.[0]).find(Boolean);
}

export function scheduleTime(instant: string): string {
  return timeOfDay(new Date(instant));
}

type NetworksProps = Pick<FaceProps, "schedule" | "accounts"> & { most: number };

/** Marks of the networks. One that finds no room beside the time is in the line below, which the chip hides. */
function Networks({ schedule, accounts, most }: NetworksProps) {
  const ids = schedule.publications.map(({ socialMediaAccountId }) => socialMediaAccountId);
  const platforms = [...new Set(accounts.filter(({ id }) => ids.includes(id)).map(({ platform }) => platform))];
  return (
    <span className="contents">
      {platforms.slice(0, most).map((platform, place) => (
        <NetworkBadge
          key={platform}
          platform={platform}
          className={`size-3.5 shrink-0 ${place > 0 ? "-ml-1 @max-[6.5rem]:hidden" : ""}`}
        />
      ))}
      {platforms.length > most && (
        <span className="-ml-1 @max-[6.5rem]:hidden text-[0.6875rem] text-muted">+{platforms.length - most}</span>
      )}
      <span className="sr-only">{calendarWords.accounts(ids.length)}</span>
    </span>
  );
}

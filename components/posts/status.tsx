import type { ApiSchedule } from "../api/types";
import {
  CheckCircle2,
  Clock,
  HelpCircle,
  type IconComponent,
  ImageDown,
  LoaderCircle,
  MessageSquareWarning,
  PencilLine,
  TriangleAlert,
  XCircle,
} from "../ui/icons";
import { postWords } from "./words";

type State = keyof typeof postWords.states;
type Look = { icon: IconComponent; colour: string; turns?: boolean };

const neutral = "bg-sunk text-ink";
const busy = "bg-busy-soft text-busy";
const good = "bg-accent-soft text-accent";
const warn = "bg-warn-soft text-warn";
const wrong = "bg-wrong-soft text-wrong";

const looks: Record<State, Look> = {
  DRAFT: { icon: PencilLine, colour: neutral },
  PROPOSED: { icon: PencilLine, colour: warn },
  AWAITING_MEDIA: { icon: ImageDown, colour: busy },
  SCHEDULED: { icon: Clock, colour: busy },
  LATE: { icon: TriangleAlert, colour: warn },
  ATTENTION: { icon: TriangleAlert, colour: warn },
  MEDIA_IMPORT_FAILED: { icon: XCircle, colour: wrong },
  IN_PROGRESS: { icon: LoaderCircle, colour: warn, turns: true },
  COMPLETED: { icon: CheckCircle2, colour: good },
  PARTIALLY_COMPLETED: { icon: TriangleAlert, colour: warn },
  FAILED: { icon: XCircle, colour: wrong },
  PENDING: { icon: Clock, colour: busy },
  PUBLISHED: { icon: CheckCircle2, colour: good },
  UNKNOWN: { icon: HelpCircle, colour: warn },
};

/** Returns a state's name. */
export function statusWord(of: State): string {
  return postWords.states[of];
}

/** A state's icon; the caller provides the text. */
export function StatusSign({ of, className = "size-5" }: { of: State; className?: string }) {
  const { icon: Icon, colour, turns } = looks[of];
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 items-center justify-center rounded-full ${colour} ${className}`}
    >
      <Icon className={`size-3.5 ${turns ? "motion-safe:animate-spin" : ""}`} />
    </span>
  );
}

/** A state's icon and name. */
export function Status({ of }: { of: State }) {
  const { icon: Icon, colour, turns } = looks[of];
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 font-semibold text-xs ${colour}`}
    >
      <Icon aria-hidden className={`size-3.5 shrink-0 ${turns ? "motion-safe:animate-spin" : ""}`} />
      {postWords.states[of]}
    </span>
  );
}

/** Marks a post with open change requests; on a calendar chip as an icon only. */
export function ChangesMark({ schedule, isSmall = false }: { schedule: ApiSchedule; isSmall?: boolean }) {
  if (!schedule.changesRequested) return null;
  if (isSmall) {
    return (
      <span className="inline-flex shrink-0 text-warn">
        <MessageSquareWarning aria-hidden className="size-4" />
        <span className="sr-only">{postWords.changesMark.askedThen}</span>
      </span>
    );
  }
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap rounded-full bg-warn-soft px-2 py-0.5 font-semibold text-warn text-xs">
      <MessageSquareWarning aria-hidden className="size-3.5 shrink-0" />
      {postWords.changesMark.asked}
    </span>
  );
}

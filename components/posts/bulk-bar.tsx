"use client";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { addDays, dayOf, onDay } from "../time/days";
import { fromLocalField, toLocalField } from "../time/format";
import { Button } from "../ui/button";
import { CalendarClock, Check, Copy, type IconComponent, RotateCcw, Trash2, X } from "../ui/icons";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { TitledModal } from "../ui/titled-modal";
import { useFocusOn } from "../ui/use-focus-on";
import { uiWords } from "../ui/words";
import { textsOf } from "./facts";
import { textStart } from "./post-row";
import { tableWords } from "./table-words";
import { type BulkProgress, type BulkReport, canMove, type useBulk } from "./use-bulk";
import { postWords } from "./words";

/** The posts of the list that are not shown yet. `loaded`: how many are shown while the rest is loaded. */
export type RestOfList = { count: string; loaded: string | undefined; select: () => void; stop: () => void };

type Props = {
  chosen: ApiSchedule[];
  bulk: ReturnType<typeof useBulk>;
  clear: () => void;
  /** Absent unless every post shown is selected and there are more. */
  rest: RestOfList | undefined;
  /** Shown before the count. */
  children: ReactNode;
};

/** Deleting more than this many posts at once is asked about: bringing them back takes as long. */
const MOST_WITHOUT_QUESTION = 50;

/** What can be done with the selected posts, and how far it is. */
export function BulkBar({ chosen, bulk, clear, rest, children }: Props) {
  const [asked, ask] = useState<"move" | "remove">();
  const { progress } = bulk;
  const remove = () => void bulk.remove(chosen).then(clear);
  const place = useRef<HTMLDivElement>(null);
  const isLoading = rest?.loaded !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pressed button is gone when loading begins and when it ends
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [isLoading]);
  if (chosen.length === 0 && !progress && !isLoading) return null;
  return (
    <div
      ref={place}
      tabIndex={-1}
      role="toolbar"
      aria-label={tableWords.bar}
      className="fixed inset-x-2.5 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-20 flex items-center gap-1 overflow-x-auto rounded-2xl bg-frame py-1.5 pr-2 pl-4 text-frame-ink text-sm shadow-xl focus-within:[&_:focus-visible]:outline-gold md:sticky md:inset-x-auto md:bottom-3 md:mx-auto md:mt-4 md:w-fit md:max-w-full"
    >
      {progress ? (
        <Progress text={busyText(progress)} stop={bulk.stop} />
      ) : rest?.loaded ? (
        <Progress text={tableWords.loadingRest(rest.loaded, rest.count)} stop={rest.stop} />
      ) : (
        <>
          {children}
          <b className="mr-2 whitespace-nowrap font-semibold">{tableWords.selected(chosen.length)}</b>
          {rest && <Act icon={Check} text={tableWords.selectRest(rest.count)} run={rest.select} />}
          <Act icon={CalendarClock} text={tableWords.move} run={() => ask("move")} />
          <Act icon={RotateCcw} text={tableWords.retry} run={() => bulk.retry(chosen).then(clear)} />
          <Act icon={Copy} text={tableWords.duplicate} run={() => bulk.duplicate(chosen).then(clear)} />
          <span aria-hidden className="mx-1 h-5 w-px shrink-0 bg-frame-line" />
          <Act
            icon={Trash2}
            text={tableWords.remove}
            run={() => (chosen.length > MOST_WITHOUT_QUESTION ? ask("remove") : remove())}
          />
          <button type="button" onClick={clear} className={act}>
            <X aria-hidden className="size-4" />
            <span className="sr-only">{tableWords.clearSelection}</span>
          </button>
        </>
      )}
      {asked === "move" && (
        <MoveMany chosen={chosen} close={() => ask(undefined)} move={(to) => void bulk.move(chosen, to).then(clear)} />
      )}
      {asked === "remove" && <RemoveMany count={chosen.length} close={() => ask(undefined)} remove={remove} />}
    </div>
  );
}

const act =
  "inline-flex min-h-11 shrink-0 items-center gap-2 whitespace-nowrap rounded-lg px-3 font-semibold text-[0.8125rem] hover:bg-frame-active md:min-h-9";

function Act({ icon: Icon, text, run }: { icon: IconComponent; text: string; run: () => void }) {
  return (
    <button type="button" onClick={run} className={act}>
      <Icon aria-hidden className="size-4" /> {text}
    </button>
  );
}

const busyText = ({ action, tried, all }: BulkProgress) => tableWords.busy[action](Math.min(tried + 1, all), all);

/** Takes the focus from the pressed button, which is gone, and leaves it to what follows, unless the person moves it meanwhile. */
function Progress({ text, stop }: { text: string; stop: () => void }) {
  const place = useFocusOn(true);
  return (
    <>
      <span ref={place} role="status" tabIndex={-1} className="mr-2 whitespace-nowrap">
        {text}
      </span>
      <button type="button" onClick={stop} className={act}>
        {tableWords.stop}
      </button>
    </>
  );
}

/** Asks before many posts are deleted. */
function RemoveMany({ count, close, remove }: { count: number; close: () => void; remove: () => void }) {
  const words = tableWords.removeMany;
  return (
    <TitledModal title={words.title(count)} close={close} className="w-[min(28rem,calc(100vw-2rem))]">
      <p className="mb-4 text-ink">{words.hint}</p>
      <div className="flex justify-end gap-3">
        <Button look="quiet" onClick={close}>
          {words.leave}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            close();
            remove();
          }}
        >
          {words.action}
        </Button>
      </div>
    </TitledModal>
  );
}

const SHOWN = 5;

type OutcomeProps = { report: BulkReport; close: () => void };

/**
 * The result of the last change: how many posts were changed, which were not and why, and undo. It stays visible. It takes the
 * focus if that was on the progress.
 */
export function BulkOutcome({ report, close }: OutcomeProps) {
  const { action, done, failed, untried, undo } = report;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, []);
  const counts = [
    done > 0 || failed.length === 0 ? tableWords.done[action](done) : undefined,
    failed.length > 0 ? `${tableWords.notDone(failed.length)}${done > 0 ? "" : ` ${actionWord(action)}`}` : undefined,
    untried > 0 ? tableWords.untried(untried) : undefined,
  ].filter(Boolean);
  return (
    <div ref={place} tabIndex={-1} className="sticky top-2 z-20 my-3 rounded-xl">
      <Notice
        tone={failed.length + untried > 0 ? "warn" : "good"}
        className="shadow-lg"
        action={
          <span className="flex gap-2">
            {undo && (
              <Button look="quiet" onClick={() => void undo()}>
                {uiWords.undo}
              </Button>
            )}
            <Button look="bare" onClick={close}>
              {tableWords.close}
            </Button>
          </span>
        }
      >
        <p className="font-semibold">{counts.join(", ")}.</p>
        {failed.length > 0 && (
          <ul className="mt-1 max-h-40 overflow-y-auto text-sm">
            {failed.slice(0, SHOWN).map(({ schedule, why }) => (
              <li key={schedule.id}>
                <Link href={`/posts/${schedule.id}`} className="underline">
                  {textStart(textsOf(schedule)[0] ?? postWords.card.noText, 60)}
                </Link>
                : {why}
              </li>
            ))}
            {failed.length > SHOWN && <li>{tableWords.andMore(failed.length - SHOWN)}</li>}
          </ul>
        )}
      </Notice>
    </div>
  );
}

const actionWord = (action: BulkReport["action"]) => tableWords.actions[action];

type MoveProps = { chosen: ApiSchedule[]; close: () => void; move: (to: (from: Date) => Date) => void };

const field = "min-h-11 rounded-lg border border-edge bg-surface px-3";
const HOUR_MS = 3_600_000;

/** Asks by how much the posts move, or to which time the earliest of them does. */
function MoveMany({ chosen, close, move }: MoveProps) {
  const id = useId();
  const words = tableWords.moveMany;
  const times = chosen.filter(canMove).map(({ scheduledTime = "" }) => Date.parse(scheduledTime));
  const earliest = times.length > 0 ? Math.min(...times) : undefined;
  const [isBy, setBy] = useState(true);
  const [amount, setAmount] = useState("1");
  const [unit, setUnit] = useState<"days" | "hours">("days");
  const [isLater, setLater] = useState(true);
  const [at, setAt] = useState(earliest === undefined ? "" : toLocalField(new Date(earliest)));
  function submit(event: FormEvent) {
    event.preventDefault();
    const to = fromLocalField(at);
    const by = (isLater ? 1 : -1) * Number(amount);
    if (!isBy && !to) return;
    const distance = (to?.getTime() ?? 0) - (earliest ?? 0);
    close();
    move((from) => (isBy ? shifted(from, by, unit) : new Date(from.getTime() + distance)));
  }
  return (
    <TitledModal title={words.title(chosen.length)} close={close} className="w-[min(28rem,calc(100vw-2rem))]">
      <form onSubmit={submit} className="grid gap-4 text-ink">
        <fieldset className="flex gap-2">
          {[true, false].map((by) => (
            <label
              key={String(by)}
              className="flex min-h-11 flex-1 items-center gap-2 rounded-lg border border-edge px-3 has-[:checked]:border-accent has-[:checked]:bg-accent-soft"
            >
              <input
                type="radio"
                name={id}
                checked={isBy === by}
                onChange={() => setBy(by)}
                className="size-4 accent-accent"
              />
              {by ? words.by : words.to}
            </label>
          ))}
        </fieldset>
        {isBy ? (
          <div className="flex flex-wrap gap-2">
            <input
              aria-label={words.amount}
              type="number"
              required
              min={1}
              max={999}
              step={1}
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
              className={`w-24 ${field}`}
            />
            <select
              aria-label={words.unit}
              value={unit}
              onChange={({ target }) => setUnit(target.value === "hours" ? "hours" : "days")}
              className={field}
            >
              <option value="days">{words.days}</option>
              <option value="hours">{words.hours}</option>
            </select>
            <select
              aria-label={words.direction}
              value={isLater ? "later" : "earlier"}
              onChange={({ target }) => setLater(target.value === "later")}
              className={field}
            >
              <option value="later">{words.later}</option>
              <option value="earlier">{words.earlier}</option>
            </select>
          </div>
        ) : (
          <input
            aria-label={words.to}
            type="datetime-local"
            required
            value={at}
            onChange={({ target }) => setAt(target.value)}
            className={field}
          />
        )}
        <p className="text-muted text-sm">{isBy ? words.byHint : words.toHint}</p>
        <div className="flex justify-end gap-3">
          <Button look="quiet" onClick={close}>
            {words.leave}
          </Button>
          <Button type="submit">{words.action}</Button>
        </div>
      </form>
    </TitledModal>
  );
}

/** Days keep the clock time, also when the clocks change in between. */
function shifted(from: Date, by: number, unit: "days" | "hours"): Date {
  if (unit === "hours") return new Date(from.getTime() + by * HOUR_MS);
  return onDay(from, addDays(dayOf(from), by));
}

import type { UsageDay } from "@/lib/partners";
import { Table } from "./table";
import { consoleWords } from "./words";

const words = consoleWords.chart;

const HEIGHT = 160;
/** Below the bars, for the days. */
const AXIS = 24;
/** A bar that counts anything is visible. */
const LEAST = 3;
/** Every seventh day has its name, counted back from today. */
const NAMED = 7;

const outcomes = [
  { of: "published", fill: "fill-accent", swatch: "bg-accent" },
  { of: "failed", fill: "fill-wrong", swatch: "bg-wrong" },
  { of: "unknown", fill: "fill-warn", swatch: "bg-warn" },
] as const satisfies readonly { of: keyof UsageDay; fill: string; swatch: string }[];

const number = new Intl.NumberFormat("en-GB");
const short = new Intl.NumberFormat("en-GB", { notation: "compact" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dayName = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));

/** Posts per day by outcome, as stacked bars, with the same numbers as a table. */
export function UsageChart({ days }: { days: UsageDay[] }) {
  const total = (of: (typeof outcomes)[number]["of"]) => days.reduce((sum, day) => sum + day[of], 0);
  const shown = outcomes.filter(({ of }) => of !== "unknown" || total(of) > 0);
  const highest = Math.max(...days.map((day) => outcomes.reduce((sum, { of }) => sum + day[of], 0)));
  if (highest === 0) return <p className="text-muted">{words.none}</p>;
  const top = roundUp(highest);
  const summary = words.summary(
    dayName(days[0]?.day ?? ""),
    dayName(days.at(-1)?.day ?? ""),
    shown.map(({ of }) => `${number.format(total(of))} ${words.outcomes[of].toLowerCase()}`).join(", "),
  );
  return (
    <div className="grid gap-4">
      <ul className="flex flex-wrap justify-end gap-x-4 text-muted text-sm">
        {shown.map(({ of, swatch }) => (
          <li key={of} className="flex items-center gap-2">
            <span aria-hidden className={`size-3 rounded-sm ${swatch}`} />
            {words.outcomes[of]}
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-[auto_1fr] gap-x-3">
        <div aria-hidden className="-my-2 flex h-44 flex-col justify-between text-right text-muted text-xs">
          {[top, top / 2, 0].map((tick) => (
            <span key={tick}>{short.format(tick)}</span>
          ))}
        </div>
        <svg role="img" aria-label={summary} width="100%" height={HEIGHT + AXIS} overflow="visible">
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} x2="100%" y1={y} y2={y} className="stroke-line" />
          ))}
          {days.map((day, index) => (
            <Bar key={day.day} day={day} place={index / days.length} room={1 / days.length} top={top} />
          ))}
          {days.map(({ day }, index) => {
            if ((days.length - 1 - index) % NAMED !== 0) return null;
            return (
              <text
                key={day}
                x={percent((index + 0.5) / days.length)}
                y={HEIGHT + AXIS - 4}
                textAnchor="middle"
                className="fill-muted text-xs"
              >
                {dayName(day)}
              </text>
            );
          })}
        </svg>
      </div>
      <details>
        <summary className="min-h-11 content-center text-muted text-sm">{words.asTable}</summary>
        <Table
          caption={words.title}
          head={[words.day, ...shown.map(({ of }) => words.outcomes[of])]}
          rows={days.toReversed().map((day) => ({
            key: day.day,
            cells: [dayName(day.day), ...shown.map(({ of }) => number.format(day[of]))],
          }))}
          empty=""
        />
      </details>
    </div>
  );
}

/** `place` and `room` are parts of the width. */
function Bar({ day, place, room, top }: { day: UsageDay; place: number; room: number; top: number }) {
  const parts = outcomes.filter(({ of }) => day[of] > 0);
  const numbers = parts.map(({ of }) => `${number.format(day[of])} ${words.outcomes[of].toLowerCase()}`);
  let y = HEIGHT;
  return (
    <g>
      <title>{words.ofDay(dayName(day.day), numbers.join(", "))}</title>
      <rect x={percent(place)} width={percent(room)} height={HEIGHT} fill="transparent" />
      {parts.map(({ of, fill }) => {
        const height = Math.max(LEAST, (day[of] / top) * HEIGHT);
        y -= height;
        return (
          <rect
            key={of}
            x={percent(place + room * 0.15)}
            y={y}
            width={percent(room * 0.7)}
            // One pixel less, so that outcomes do not touch.
            height={height - 1}
            rx="2"
            className={fill}
          />
        );
      })}
    </g>
  );
}

const percent = (part: number) => `${(part * 100).toFixed(3)}%`;

/** The least even number at or above `highest` that is 1, 2, 4, 6 or 8 times a power of ten, so that its half is whole too. */
function roundUp(highest: number): number {
  const unit = 10 ** Math.floor(Math.log10(highest));
  return Math.min(
    ...[1, 2, 4, 6, 8, 10].map((digits) => digits * unit).filter((top) => top >= highest && top % 2 === 0),
  );
}

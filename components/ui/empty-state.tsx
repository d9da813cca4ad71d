import type { ReactNode } from "react";
import { BELL } from "./icons";

const line = "fill-none stroke-ink [stroke-linecap:round] [stroke-linejoin:round] [stroke-width:2.2]";
const sheet = "fill-surface stroke-ink [stroke-linejoin:round] [stroke-width:2.2]";
const soft = "fill-accent-soft";

/** One picture for each place, as drawn in the design. Each fits 160 by 104 units. */
const pictures = {
  /** Three bells on a beam. */
  posts: (
    <>
      <path className={line} d="M22 20h116M34 20v76M126 20v76" />
      <Bell place="translate(64 20) scale(1.05)" className="fill-accent" />
      <Bell place="translate(38 20) scale(.7)" className={soft} />
      <Bell place="translate(100 20) scale(.7)" className={soft} />
    </>
  ),
  /** A page of a calendar. */
  times: (
    <>
      <rect className={sheet} x="38" y="18" width="84" height="74" rx="10" />
      <path className="fill-accent" d="M38 28a10 10 0 0 1 10-10h64a10 10 0 0 1 10 10v10H38z" />
      <path className={line} d="M58 11v13M102 11v13" />
      <path className={soft} d="M48 48h14v12H48zM70 48h14v12H70zM48 68h14v12H48z" />
      <rect className="fill-gold" x="92" y="48" width="18" height="32" rx="5" />
    </>
  ),
  /** Two photographs. */
  files: (
    <>
      <g transform="rotate(-9 60 60)">
        <rect className={sheet} x="30" y="24" width="62" height="62" rx="8" />
        <path className={soft} d="M36 30h50v38H36z" />
      </g>
      <g transform="rotate(7 98 60)">
        <rect className={sheet} x="68" y="22" width="64" height="66" rx="8" />
        <path className="fill-accent" d="M74 28h52v42H74z" />
        <circle className="fill-gold" cx="112" cy="41" r="7" />
        <path className={soft} d="M74 70l18-22 14 15 8-8 12 15z" />
      </g>
    </>
  ),
  /** A plug and a socket. */
  accounts: (
    <>
      <path className={line} d="M12 60c20 0 20-18 36-18M148 44c-20 0-20 18-36 18" />
      <path className="fill-accent" d="M48 30h20a8 8 0 0 1 8 8v8a8 8 0 0 1-8 8H48z" />
      <path className="fill-gold" d="M112 50H96a8 8 0 0 0-8 8v8a8 8 0 0 0 8 8h16z" />
      <path className={line} d="M76 37h9M76 47h9M79 70l-8 12M70 66l-12 6M92 40l8-12M101 44l12-6" />
    </>
  ),
  /** A bell under a magnifying glass. */
  search: (
    <>
      <circle className="fill-accent-soft stroke-ink [stroke-width:2.2]" cx="72" cy="48" r="32" />
      <path className={line} d="M95 71l24 22" />
      <Bell place="translate(54 30) scale(1.1) rotate(14 16 4)" className="fill-accent" />
    </>
  ),
  /** A bell that rings. */
  clear: (
    <>
      <Bell place="translate(50 14) scale(1.9) rotate(12 16 4)" className="fill-gold" clapper="fill-accent" />
      <path className={line} d="M34 40q-10 14-2 30M22 34q-14 20-2 44M124 40q10 14 2 30M136 34q14 20 2 44" />
    </>
  ),
};

type BellProps = { place: string; className: string; clapper?: string };

function Bell({ place, className, clapper = "fill-gold" }: BellProps) {
  return (
    <g transform={place}>
      <path className={className} d={BELL} />
      <circle className={clapper} cx="16" cy="27.6" r="2.9" />
    </g>
  );
}

type Props = { picture: keyof typeof pictures; title: string; text?: string; children?: ReactNode };

/** What a place shows before there is anything in it: what will be there, and as `children` the way to it. */
export function EmptyState({ picture, title, text, children }: Props) {
  return (
    <div className="grid justify-items-center gap-1.5 px-5 py-10 text-center">
      <svg aria-hidden viewBox="0 0 160 104" className="mb-2 w-33">
        <ellipse className="fill-sunk" cx="80" cy="97" rx="59" ry="5" />
        {pictures[picture]}
      </svg>
      <h2 className="font-bold font-display text-[1.0625rem]">{title}</h2>
      {text && <p className="max-w-[40ch] text-pretty text-muted text-sm">{text}</p>}
      {children && <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}

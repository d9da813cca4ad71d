import { platforms } from "@/lib/platforms";
import type { Account } from "../api/types";
import { bulkWords } from "./words";

const HEADINGS = "date,time,timeZone,accounts,text,media";
const DAY_MS = 86_400_000;
const NOBODY = "x:your-handle";

/** A file to begin with, for these accounts, about the next two days; with accounts that take words alone it can be imported as it is. */
export function sampleFile(accounts: Account[], nowMs: number, zone: string): string {
  const [first = NOBODY, second] = accounts.map(nameOf);
  const day = (days: number) =>
    new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(nowMs + days * DAY_MS);
  const rows = [
    [day(1), "09:00", zone, first, bulkWords.sampleText, ""],
    [day(2), "18:30", zone, [first, second].filter(Boolean).join("; "), bulkWords.sampleQuotes, ""],
  ];
  return `${[HEADINGS, ...rows.map((cells) => cells.map(quoted).join(","))].join("\r\n")}\r\n`;
}

/** As the file's column `accounts` takes it. */
function nameOf({ id, platform, accountUsername }: Account): string {
  const handle = accountUsername.replace(/^@/, "");
  return handle === "" ? String(id) : `${platforms[platform]}:${handle}`;
}

function quoted(cell: string): string {
  return /[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

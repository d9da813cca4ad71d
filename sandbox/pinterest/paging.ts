import type { Call } from "../core/network";
import { invalid } from "./errors";

/** One page of a list, and the bookmark of the next one. */
export function pageOf<T>(call: Call, all: T[], usual = 25): { items: T[]; bookmark: string | null } {
  const given = call.req.query("page_size");
  const size = given === undefined ? usual : Number(given);
  if (!Number.isInteger(size) || size < 1) throw invalid(`'${given}' is less than the minimum of 1`);
  if (size > 250) throw invalid(`${size} is greater than the maximum of 250`);
  const from = offsetOf(call.req.query("bookmark"));
  const next = from + size;
  return { items: all.slice(from, next), bookmark: next < all.length ? bookmarkOf(next) : null };
}

const bookmarkOf = (offset: number) => Buffer.from(`offset:${offset}`).toString("base64url");

function offsetOf(bookmark: string | undefined): number {
  if (bookmark === undefined) return 0;
  const offset = /^offset:(\d+)$/.exec(Buffer.from(bookmark, "base64url").toString())?.[1];
  if (offset === undefined) throw invalid("Invalid bookmark");
  return Number(offset);
}

import type { Call } from "../core/network";
import { YouTubeRefusal } from "./errors";

/** The `part` parameter: required, each of them known. */
export function partsOf(call: Call, known: string[]): string[] {
  const parts = (call.req.queries("part") ?? []).flatMap((part) => part.split(",")).filter(Boolean);
  const where = { location: "part", locationType: "parameter" };
  if (parts.length === 0)
    throw new YouTubeRefusal(400, "missingRequiredParameter", "No filter selected. Expected one of: part", where);
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown) throw new YouTubeRefusal(400, "unknownPart", `'${unknown}'`, { domain: "youtube.part", ...where });
  return parts;
}

/** A resource with nothing but what was asked for; kind, etag and id are always there. */
export function pickParts(resource: Record<string, unknown>, parts: string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => ["kind", "etag", "id"].includes(name) || parts.includes(name)),
  );
}

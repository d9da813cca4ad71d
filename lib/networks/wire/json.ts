import { z } from "zod";
import { PlatformError } from "../errors";

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** Parses JSON, reading integers of 16 or more digits as strings: some networks send IDs above 2^53 as numbers. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)));
}

/** An ID sent as a string or number; always parsed to a string. */
export const idSchema = z.union([z.string().min(1), z.number().int().transform(String)]);

/**
 * Parses a 2xx answer.
 * @throws PlatformError `unknown` if it does not match the documented schema: the call may have taken effect
 */
export async function readAnswer<T>(network: string, schema: z.ZodType<T>, response: Response): Promise<T> {
  const text = await response.text();
  try {
    return schema.parse(parseJson(text));
  } catch {
    const answer = { status: response.status };
    throw new PlatformError("unknown", `${network} sent an answer that Carillon does not understand`, { answer });
  }
}

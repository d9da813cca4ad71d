import { z } from "zod";
import { PlatformError } from "../errors";

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** JSON with whole numbers of 16 digits and more read as strings: several networks send ids above 2^53 as bare numbers. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)));
}

/** An id, a string whichever way the network wrote it. */
export const idSchema = z.union([z.string().min(1), z.number().int().transform(String)]);

/**
 * Reads an answer of 2xx.
 * @throws PlatformError `unknown` where it is not what the network documents: the call may well have taken effect
 */
export async function readAnswer<T>(network: string, schema: z.ZodType<T>, response: Response): Promise<T> {
  const text = await response.text();
  try {
    return schema.parse(parseJson(text));
  } catch {
    const answer = { status: response.status };
    throw new PlatformError("unknown", `${network} answered in a way that Carillon does not understand`, { answer });
  }
}

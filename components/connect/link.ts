import { isPast, unsealState, type Wish } from "@/lib/connect";
import { databaseNow } from "@/lib/db";
import { speaks } from "./answers";

/**
 * What a connect link asks for, in the person's language.
 * @throws StateExpired where it is none of ours
 */
export async function readLink(sealed: string, request: Request): Promise<Wish> {
  const state = unsealState(sealed);
  return { ...state, isPast: isPast(state, await databaseNow()), speaks: speaks(request) };
}

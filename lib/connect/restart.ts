import { databaseNow } from "../db";
import type { Whose } from "./failure";
import { connectUrl } from "./state";

/** A fresh link for the same wish, for a page's "Start again"; undefined where the page may not offer one. */
export async function restartUrl(whose: Whose): Promise<string | undefined> {
  if (!whose.canRestart) return undefined;
  const { owner, platform, redirectUri, account, language } = whose;
  const url = connectUrl({ owner, platform, redirectUri, account }, await databaseNow());
  return language ? `${url}&ui_locales=${language}` : url;
}

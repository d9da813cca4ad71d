import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { submitConsent } from "../networks/testing";
import { newOwner, newPerson } from "../testing";
import { dashboardReturn } from "./addresses";
import { completeAttempt } from "./complete";
import { ConnectFailed } from "./failure";
import { openAttempt } from "./open";
import { restartUrl } from "./restart";
import { unsealState } from "./state";

test("starting again keeps whose account it was to be, so that nobody is asked twice", async () => {
  const account = `${newPerson()}.bsky.test`;
  const wish = {
    jti: randomUUID(),
    owner: await newOwner(),
    platform: "BLUE_SKY",
    redirectUri: dashboardReturn(),
  } as const;
  const { url, nonce } = await openAttempt({ ...wish, account });
  const answer = await submitConsent(url, { account: account.replace(/\..*/, ""), decision: "deny" });
  const callback = new URL(answer.headers.get("location") ?? "").searchParams;
  const failed = await completeAttempt("BLUE_SKY", callback, [nonce ?? ""]).catch((error: unknown) => error);
  if (!(failed instanceof ConnectFailed) || !failed.whose) throw failed;
  expect(failed.failure).toBe("denied");
  const again = await restartUrl(failed.whose);
  const state = unsealState(new URL(again ?? "").searchParams.get("whitelabel_state"));
  expect(state).toMatchObject({ owner: wish.owner, platform: "BLUE_SKY", redirectUri: wish.redirectUri, account });
});

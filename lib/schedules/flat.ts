import { listAccounts } from "../accounts";
import { BadRequest } from "../errors";
import { networkOf } from "../networks";
import type { FlatSchedule, NewSchedule } from "./new-schedule";

/**
 * A flat body as the nested one: one publication with one post.
 * @throws BadRequest where `accountId` is none of the owner's accounts on that platform
 */
export async function nested(ownerId: string, flat: FlatSchedule): Promise<NewSchedule> {
  const account = (await listAccounts(ownerId)).find(
    ({ id, platform, networkAccountId }) =>
      platform === flat.platform && (String(id) === String(flat.accountId) || networkAccountId === flat.accountId),
  );
  if (!account) {
    const message = `is not one of this user's ${flat.platform} accounts: ${flat.accountId}`;
    const fix = "Use an id of GET /v1/accounts";
    throw new BadRequest({ path: "accountId", message, rule: "account.unknown", fix });
  }
  const type = networkOf(flat.platform).settingsTypes[0];
  const { publicationType, scheduledTime, isDraft, content, mediaPaths, chatId } = flat;
  return {
    scheduledTime,
    isDraft,
    publications: [
      {
        socialMediaAccountId: account.id,
        platformSettings: { type, ...(publicationType === undefined ? {} : { publicationType }) },
        posts: [{ content, attachmentPaths: mediaPaths, chatId }],
      },
    ],
  };
}

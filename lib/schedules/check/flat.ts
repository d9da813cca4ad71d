import type { Problem } from "../../errors";
import { networkOf } from "../../networks";
import type { FlatSchedule, NewSchedule } from "../input";

/** What no account has as its id. */
const NOBODYS = 0;

/** What a flat body calls the fields of the one publication and post that are made of it; other settings it cannot name. */
const flatNames = Object.entries({
  "publications[0].socialMediaAccountId": "accountId",
  "publications[0].platformSettings.publicationType": "publicationType",
  "publications[0].posts[0].content": "content",
  "publications[0].posts[0].attachmentPaths": "mediaPaths",
  "publications[0].posts[0].chatId": "chatId",
});

/** A flat body as the nested one: one publication with one post, of the account that it names where that was found. */
export function nested(flat: FlatSchedule, accountId = NOBODYS): NewSchedule {
  const { platform, publicationType, scheduledTime, isDraft, content, mediaPaths, chatId } = flat;
  const type = networkOf(platform).settingsTypes[0];
  return {
    scheduledTime,
    isDraft,
    publications: [
      {
        socialMediaAccountId: accountId,
        platformSettings: { type, ...(publicationType === undefined ? {} : { publicationType }) },
        posts: [{ content, attachmentPaths: mediaPaths, chatId }],
      },
    ],
  };
}

/** A problem that was found in the nested body, in the words of the flat one that it was made of. */
export function inFlatWords(problem: Problem, { platform, accountId }: FlatSchedule): Problem {
  const [long, short] = flatNames.find(([name]) => problem.path.startsWith(name)) ?? ["", ""];
  const path = short + problem.path.slice(long.length);
  if (problem.rule !== "account.unknown") return { ...problem, path };
  return { ...problem, path, message: `is not one of this user's ${platform} accounts: ${accountId}` };
}

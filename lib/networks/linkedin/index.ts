import { tryWithoutCode } from "../credentials";
import type { Breach } from "../limits";
import { defineNetwork, type Format, type PlannedPost } from "../network";
import { me } from "./api";
import { connect, refresh } from "./connect";
import { errors } from "./errors";
import { limits } from "./limits";
import { publishImages, publishText, publishVideo } from "./publish";
import { rehearsal } from "./rehearsal";
import { type LinkedInSettings, settings } from "./settings";
import { version } from "./version";

/** SPEC lists GROUP, so it is accepted with a warning that publishing will fail (DECISIONS, "Networks"). */
function groupBreaches({ settings: { visibility } }: PlannedPost<LinkedInSettings>): Breach[] {
  if (visibility !== "GROUP") return [];
  const message = "LinkedIn's API no longer posts to groups, so this post will fail";
  const fix = "Choose PUBLIC or CONNECTIONS";
  return [{ at: "platformSettings.visibility", message, rule: "visibility.group", fix, severity: "warning" }];
}

type Publish = Format<LinkedInSettings>["publish"];
const format = (name: keyof typeof limits, publish: Publish): Format<LinkedInSettings> => ({
  limits: limits[name],
  check: groupBreaches,
  publish,
});

export const linkedin = defineNetwork({
  platform: "LINKEDIN",
  name: "LinkedIn",
  hosts: { api: "https://api.linkedin.com", web: "https://www.linkedin.com" },
  version,
  settings,
  settingsTypes: ["LINKEDIN"],
  formats: {
    text: format("text", publishText),
    image: format("image", publishImages),
    carousel: format("carousel", publishImages),
    video: format("video", publishVideo),
  },
  connect,
  checkCredentials: tryWithoutCode(connect),
  profile: me,
  avatarsExpire: true,
  refresh,
  errors,
  rehearsal,
});

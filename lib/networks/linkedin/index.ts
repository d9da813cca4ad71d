import { checkWithInvalidCode } from "../connect";
import { PlatformError } from "../errors";
import { type FieldProblem, UPLOAD_POST } from "../limits";
import { type LiveChecks, testImage } from "../live-checks";
import { type DryRunAnswers, defineNetwork, type Format, type PlannedPost } from "../network";
import { apiVersion, authorOf, listPages, me } from "./api";
import { connect, readGrantedScopes, refresh } from "./connect";
import { errors } from "./errors";
import { limits } from "./limits";
import { publishComment, publishDocument, publishImages, publishText, publishVideo } from "./publish";
import { type LinkedInSettings, settings } from "./settings";
import { uploadImage } from "./uploads";

/** SPEC lists GROUP, so it is accepted with a warning that publishing will fail (DECISIONS, "Networks"). */
function groupProblems({ settings: { visibility } }: PlannedPost<LinkedInSettings>): FieldProblem[] {
  if (visibility !== "GROUP") return [];
  const message = "LinkedIn's API no longer posts to groups, so this post will fail";
  const fix = "Choose PUBLIC or CONNECTIONS";
  return [{ at: "platformSettings.visibility", message, rule: "visibility.group", fix, severity: "warning" }];
}

type Publish = Format<LinkedInSettings>["publish"];
const format = (name: keyof typeof limits, publish: Publish): Format<LinkedInSettings> => ({
  limits: limits[name],
  check: groupProblems,
  publish,
});

const at = "https://www.linkedin.com/dms-uploads";

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "POST", path: /\/rest\/images$/, answer: { value: { uploadUrl: `${at}/image`, image: "{image urn}" } } },
  {
    method: "POST",
    path: /\/rest\/documents$/,
    answer: { value: { uploadUrl: `${at}/document`, document: "{document urn}" } },
  },
  {
    method: "POST",
    path: /\/rest\/videos$/,
    answer: {
      value: {
        video: "{video urn}",
        uploadToken: "{upload token}",
        uploadInstructions: [{ uploadUrl: `${at}/part`, firstByte: 0, lastByte: 4_194_303 }],
        thumbnailUploadUrl: `${at}/thumbnail`,
      },
    },
  },
  { method: "PUT", path: /\/dms-uploads\//, answer: {}, headers: { etag: '"{part tag}"' } },
  { method: "GET", path: /\/rest\/(images|videos|documents)\//, answer: { status: "AVAILABLE" } },
  { method: "POST", path: /\/rest\/posts$/, answer: {}, headers: { "x-restli-id": "{post urn}" } },
  { method: "POST", path: /\/comments$/, answer: {}, headers: { "x-restli-id": "{comment id}" } },
];

const DOCS = "https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares";
const PORTAL = "linkedin.com/developers/apps, your app";

const live: LiveChecks = {
  products: {
    async run(session) {
      const granted = await readGrantedScopes(session);
      const missing = connect.requiredScopes.filter((scope) => !granted.includes(scope));
      if (missing.length > 0)
        throw new PlatformError("rejected", `LinkedIn does not list ${missing.join(", ")} for this token`);
      return `The app has both products, which grant ${granted.join(", ")}`;
    },
    fix: `Open ${PORTAL}, Products, and add "Share on LinkedIn" and "Sign In with LinkedIn using OpenID Connect"`,
  },
  quotas: {
    byHand: `Open ${PORTAL}, Analytics: it shows the calls of today and their limits, which LinkedIn reports in no answer`,
  },
  upload: {
    async run(session) {
      await uploadImage(session, testImage, authorOf(session));
      return "LinkedIn accepted an image, which is not posted";
    },
    fix: `Add the product "Share on LinkedIn" in ${PORTAL}, Products, then reconnect the account`,
  },
  webhooks: { nothing: "Carillon uses no notifications of LinkedIn" },
};

export const linkedin = defineNetwork({
  platform: "LINKEDIN",
  name: "LinkedIn",
  hosts: { api: "https://api.linkedin.com", web: "https://www.linkedin.com" },
  version: apiVersion,
  settings,
  settingsTypes: ["LINKEDIN"],
  formats: {
    text: format("text", publishText),
    image: format("image", publishImages),
    carousel: format("carousel", publishImages),
    video: format("video", publishVideo),
    document: format("document", publishDocument),
  },
  comment: {
    // LinkedIn documents no limit; other services use this one.
    text: { max: 1250, unit: "UTF-16 units", source: UPLOAD_POST },
    source: `${DOCS}/comments-api`,
    publish: publishComment,
  },
  connect,
  checkCredentials: checkWithInvalidCode(connect),
  destinations: { required: false, own: true, list: listPages },
  profile: me,
  avatarsExpire: true,
  refresh,
  live,
  errors,
  dryRunAnswers,
});

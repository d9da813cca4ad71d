import { env } from "../../env";
import { checkWithInvalidCode } from "../connect";
import { PlatformError } from "../errors";
import type { FieldProblem } from "../limits";
import type { LiveChecks } from "../live-checks";
import { type DryRunAnswers, defineNetwork, type PlannedPost } from "../network";
import { listBoards, listSections, me, readAllowance, registerMedia } from "./api";
import { connect, refresh } from "./connect";
import { errors } from "./errors";
import { limits } from "./limits";
import { publishCarousel, publishImage, publishVideo } from "./publish";
import { type PinterestSettings, settings } from "./settings";

/** Pinterest accepts images of different shapes and crops them to the shape of the first. */
function shapeProblems({ media }: PlannedPost<PinterestSettings>): FieldProblem[] {
  const shapes = [...new Set(media.map(({ width, height }) => `${width} x ${height}`))];
  if (shapes.length <= 1) return [];
  const message = "Pinterest shows all images of a carousel in one shape, but these have different ones";
  const measured = shapes.join(", ");
  return [{ at: "attachmentPaths", message, rule: "carousel.shapes", measured, severity: "warning" }];
}

const image = { limits: limits.image, publish: publishImage };
const video = { limits: limits.video, publish: publishVideo };
const carousel = { limits: limits.carousel, check: shapeProblems, publish: publishCarousel };

const parameters = { key: "{upload key}", policy: "{policy}", "x-amz-signature": "{signature}" };
const registered = {
  media_id: "{media id}",
  upload_url: "https://pinterest-media-upload.s3-accelerate.amazonaws.com/",
  upload_parameters: parameters,
};

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "POST", path: /\/v5\/media$/, answer: registered },
  { method: "POST", path: /^\/$/, answer: {} },
  { method: "GET", path: /\/v5\/media\//, answer: { status: "succeeded" } },
  { method: "GET", path: /\/pins$/, answer: { items: [] } },
  { method: "POST", path: /\/v5\/pins$/, answer: { id: "{pin id}" } },
];

const PORTAL = "developers.pinterest.com, My apps, your app";
const DAY_SECONDS = 86_400;
const TRIAL = "With Trial access, only the account's owner sees the Pins";

const live: LiveChecks = {
  products: {
    async run(session) {
      const allowance = await readAllowance(session);
      if (!allowance) return { byHand: `Open ${PORTAL}: the access must be Standard. ${TRIAL}` };
      if (allowance.windowSeconds >= DAY_SECONDS)
        throw new PlatformError("rejected", `The app has Trial access. ${TRIAL}`);
      return "The app has Standard access: its limits are per minute";
    },
    fix: `Open ${PORTAL}, and request Standard access`,
  },
  quotas: {
    async run(session) {
      const allowance = await readAllowance(session);
      if (!allowance) return { byHand: `Open ${PORTAL}: it shows the limits of its access level` };
      const { left, limit, windowSeconds } = allowance;
      return `${left} of ${limit} reading calls are left in ${windowSeconds} seconds; Pinterest states the number of Pins only in the answer to one`;
    },
    fix: `Run the command again later, and compare the limits in ${PORTAL}`,
  },
  upload: {
    async run(session) {
      await registerMedia(session);
      return "Pinterest opened an upload of a video, to which nothing is sent";
    },
    fix: `Check the access in ${PORTAL}, then reconnect the account with all scopes`,
  },
  webhooks: { nothing: "Carillon uses no notifications of Pinterest" },
};

export const pinterest = defineNetwork({
  platform: "PINTEREST",
  name: "Pinterest",
  hosts: { api: "https://api.pinterest.com", web: "https://www.pinterest.com" },
  version: { name: "v5" },
  settings,
  settingsTypes: ["PINTEREST"],
  /**
   * The documentation names only image and video Pins, but the OpenAPI file contains carousel Pins and production clients send
   * them. An operator whose application may not create them turns them off with `PINTEREST_CAROUSEL`.
   */
  get formats() {
    return env.pinterestCarousel ? { image, carousel, video } : { image, video };
  },
  connect,
  checkCredentials: checkWithInvalidCode(connect, ({ answer }) => answer?.code !== "2"),
  destinations: {
    required: true,
    list: listBoards,
    parts: { setting: "boardSectionId", name: "section", of: "board", list: listSections },
  },
  profile: me,
  refresh,
  live,
  errors,
  dryRunAnswers,
});

import { expect, test } from "./service";
import type { Schedule, Validation } from "./shapes";

/** SPEC's table of platform settings, one row per platform. Each is sent as a draft, which is checked but needs no file. */
type Row = {
  platform: string;
  /** The `type` in answers, and its aliases. */
  types: [string, ...string[]];
  /** The other required settings. */
  least: object;
  /** Each of these is accepted together with `least`. */
  takes: object[];
  /** Each of these is rejected, with an error for its first field. */
  refuses: object[];
  /** The settings in the answer if only `least` is given. */
  defaults: object;
};

const flags = "disableDuet disableComments disableStitch brandContent brandOrganic aiContent autoAddMusic".split(" ");
const categories =
  "FILM_ANIMATION AUTOS_VEHICLES MUSIC PETS_ANIMALS SPORTS TRAVEL_EVENTS GAMING PEOPLE_BLOGS COMEDY ENTERTAINMENT " +
  "NEWS_POLITICS HOWTO_STYLE EDUCATION SCIENCE_TECHNOLOGY";
const each = (name: string, values: string) => values.split(" ").map((value) => ({ [name]: value }));
const publicationTypes = each("publicationType", "FEED REELS STORY");

const rows: Row[] = [
  {
    platform: "INSTAGRAM",
    types: ["INSTAGRAM"],
    least: {},
    takes: [...publicationTypes, { aiContent: true }, { aiContent: false }],
    refuses: [{ publicationType: "POST" }, { aiContent: "yes" }],
    defaults: { publicationType: "FEED", aiContent: false },
  },
  {
    platform: "LINKEDIN",
    types: ["LINKEDIN"],
    least: {},
    takes: each("visibility", "PUBLIC CONNECTIONS GROUP"),
    refuses: [{ visibility: "ANYONE" }],
    defaults: { visibility: "PUBLIC" },
  },
  {
    platform: "THREADS",
    types: ["THREADS"],
    least: {},
    takes: [{ topicTag: "bells" }],
    refuses: [{ topicTag: 7 }],
    defaults: {},
  },
  {
    platform: "TIKTOK",
    types: ["TIK_TOK", "TIKTOK"],
    least: { privacyLevel: "SELF_ONLY" },
    takes: [
      ...each("privacyLevel", "PUBLIC_TO_EVERYONE FOLLOWER_OF_CREATOR MUTUAL_FOLLOW_FRIENDS SELF_ONLY"),
      { title: "A title" },
      ...[...flags, "hasUsageConfirmation"].map((name) => ({ [name]: true })),
    ],
    refuses: [{ privacyLevel: "EVERYONE" }, { privacyLevel: undefined }, ...flags.map((name) => ({ [name]: "true" }))],
    defaults: Object.fromEntries(flags.map((name) => [name, false])),
  },
  {
    platform: "YOUTUBE",
    types: ["YOUTUBE"],
    least: { title: "A title" },
    takes: [...each("privacyStatus", "PUBLIC UNLISTED PRIVATE"), ...each("category", categories)],
    refuses: [{ title: undefined }, { privacyStatus: "HIDDEN" }, { category: "22" }],
    defaults: { privacyStatus: "PUBLIC", category: "PEOPLE_BLOGS" },
  },
  { platform: "TELEGRAM", types: ["TELEGRAM"], least: {}, takes: [], refuses: [], defaults: {} },
  {
    platform: "X_TWITTER",
    types: ["TWITTER", "X_TWITTER"],
    least: {},
    takes: [],
    refuses: [],
    defaults: {},
  },
  {
    platform: "BLUE_SKY",
    types: ["BLUE_SKY", "BLUESKY"],
    least: {},
    takes: [],
    refuses: [],
    defaults: {},
  },
  {
    platform: "FACEBOOK",
    types: ["FACEBOOK"],
    least: {},
    takes: publicationTypes,
    refuses: [{ publicationType: "POST" }],
    defaults: { publicationType: "FEED" },
  },
  {
    platform: "PINTEREST",
    types: ["PINTEREST"],
    least: {},
    takes: [
      { title: "t".repeat(100) },
      { link: "https://example.com/a" },
      { altText: "A bell" },
      { boardSectionId: "12345" },
    ],
    refuses: [{ title: "t".repeat(101) }, { link: "not a link" }, { altText: 7 }],
    defaults: {},
  },
];

test.describe("SPEC, Platform settings", () => {
  for (const { platform, types, least, takes, refuses, defaults } of rows) {
    test(`${platform} accepts the settings of the table and no others, with their aliases and defaults`, async ({
      service,
    }) => {
      const { api, account } = await service.on(platform);
      const draft = (platformSettings: object) => ({
        isDraft: true,
        publications: [{ socialMediaAccountId: account.id, platformSettings, posts: [{ content: "A draft" }] }],
      });
      const problems = async (settings: object, isDraft = true) => {
        const body = {
          ...draft({ type: types[0], ...least, ...settings }),
          isDraft,
          scheduledTime: "2031-05-01T12:00:00Z",
        };
        return (await api.post<Validation>("/v1/posts/validate", body)).body.problems;
      };

      for (const type of types) {
        const { status, body } = await api.post<Schedule>("/v1/posts", draft({ ...least, type }));
        expect([type, status]).toEqual([type, 201]);
        expect(body.publications[0]?.platformSettings).toMatchObject({ type: types[0], ...least, ...defaults });
      }
      for (const settings of takes) expect([settings, await problems(settings)]).toEqual([settings, []]);
      for (const settings of [...refuses, { publicationTypo: "FEED" }]) {
        const path = `publications[0].platformSettings.${Object.keys(settings)[0]}`;
        // A draft may still be incomplete. A post that is to go out may have other problems, such as a missing file.
        const about = (await problems(settings, false)).filter((problem) => problem.path.includes(".platformSettings"));
        expect([settings, about.map((problem) => problem.path)]).toEqual([settings, [path]]);
      }
    });
  }

  test("type is required, and one that does not match the account's platform returns 400", async ({ service }) => {
    const { api, account } = await service.on("X_TWITTER");
    const paths = async (platformSettings: object) => {
      const publications = [{ socialMediaAccountId: account.id, platformSettings, posts: [{ content: "a" }] }];
      const { body } = await api.post<Validation>("/v1/posts/validate", { isDraft: true, publications });
      return body.problems.map(({ path }) => path);
    };
    const at = "publications[0].platformSettings.type";
    for (const type of [undefined, null, "INSTAGRAM", "twitter", "X", 7]) {
      expect([type, await paths({ type })]).toEqual([type, [at]]);
    }
  });
});

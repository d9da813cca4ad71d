import { expect, test } from "../spec/service";
import { CODE, expectFailure, expectGuarded, expectSentTo } from "./expect";
import {
  button,
  changed,
  continueWith,
  exchanges,
  fault,
  linkFor,
  NETWORKS,
  noFaults,
  RETURNS,
  visit,
  walkTo,
} from "./walk";

test.afterEach(({ service }) => noFaults(service));

/**
 * The networks on which `npm test` runs every test: one with PKCE and one without. On the others, tests of behaviour that is the same
 * on every network run only with `npm run test:long`.
 */
const TRIED_WHOLE: string[] = ["X_TWITTER", "FACEBOOK"];
const FAULTS = ["http_500", "http_502_html", "rate_limit", "drop_response", "cut_body", "refuse"];

for (const network of NETWORKS) {
  test.describe(`connecting ${network.platform}`, () => {
    const { platform, id, name } = network;
    const isWhole = TRIED_WHOLE.includes(platform);
    /** Marks a test of behaviour that is the same on every network. */
    const shared = { tag: isWhole ? [] : "@long" };

    for (const [kind, redirectUri] of Object.entries(RETURNS)) {
      const details = kind === "a web address" ? {} : shared;
      test(`C4: a connect ends at ${kind}, byte for byte, and stores one account`, details, async ({ service }) => {
        const walk = await walkTo(service, network, { redirectUri });
        expectSentTo(await visit(walk.browser, walk.callback), redirectUri);
        expect(await walk.accounts()).toEqual([expect.objectContaining({ platform, id: expect.any(Number) })]);
      });
    }

    test("C9: the network receives a new state, our callback and nothing about the partner", async ({ service }) => {
      const { authorizeUrl, link, user, opened } = await walkTo(service, network);
      const { searchParams } = authorizeUrl;
      expect([opened.status, authorizeUrl.origin]).toEqual([302, service.sandboxUrl]);
      expect(searchParams.get("redirect_uri")).toBe(`${service.url}/oauth/connect/callback/${id}`);
      expect(searchParams.get("state")).toMatch(/^[\w-]{43}$/);
      const sealed = new URL(link).searchParams.get("whitelabel_state") ?? "";
      for (const foreign of [sealed, user.uuid, user.externalUserId, "Partner.Example", service.partner.clientId]) {
        expect(decodeURIComponent(authorizeUrl.href)).not.toContain(foreign);
      }
      // Only these networks support PKCE; the others would refuse or ignore it.
      const takesPkce = ["X_TWITTER", "YOUTUBE"].includes(platform);
      expect([searchParams.get("code_challenge_method"), searchParams.has("code_challenge")]).toEqual(
        takesPkce ? ["S256", true] : [null, false],
      );
      const again = await walkTo(service, network);
      expect(again.authorizeUrl.searchParams.get("state")).not.toBe(searchParams.get("state"));
      expect(again.authorizeUrl.searchParams.get("scope")).toBe(searchParams.get("scope"));
    });

    const refusals: [when: string, change: (callback: string) => string, status: number, title: string][] = [
      ["no code", (callback) => changed(callback, "code"), 400, `${name} did not answer as expected`],
      ["an empty code", (callback) => changed(callback, "code", ""), 400, `${name} did not answer as expected`],
      [
        "an invalid code",
        (callback) => changed(callback, "code", "made-up"),
        400,
        `${name} did not answer as expected`,
      ],
      [
        "an error",
        (callback) => changed(changed(callback, "code"), "error", "temporarily_unavailable"),
        400,
        `${name} did not answer as expected`,
      ],
    ];
    for (const [when, change, status, title] of refusals) {
      const details = when === "an invalid code" ? {} : shared;
      test(
        `C18: when the network sends ${when}, a page explains it, nothing is stored, and starting again works`,
        details,
        async ({ service }) => {
          const walk = await walkTo(service, network);
          const page = await visit(walk.browser, change(walk.callback));
          expectFailure(page, status, title);
          expect(await walk.accounts()).toEqual([]);
          const again = await continueWith(service, walk.user, button(page.html, "Start again") ?? "");
          expectSentTo(await visit(again.browser, again.callback), RETURNS["a web address"]);
          expect(await walk.accounts()).toHaveLength(1);
        },
      );
    }

    test("C16: a denial returns 403, exchanges and stores nothing, and starting again works", async ({ service }) => {
      const walk = await walkTo(service, network, { decision: "deny" });
      const before = await exchanges(service, id);
      const page = await visit(walk.browser, walk.callback);
      expectFailure(page, 403, `${name} was not connected`);
      expect([await exchanges(service, id), await walk.accounts()]).toEqual([before, []]);
      const again = await continueWith(service, walk.user, button(page.html, "Start again") ?? "");
      expectSentTo(await visit(again.browser, again.callback), RETURNS["a web address"]);
    });

    const failures = ["token", "profile"].flatMap((operation) => [
      ...(isWhole ? [] : [{ operation, kinds: ["http_502_html"], details: {} }]),
      { operation, kinds: FAULTS, details: shared },
    ]);
    for (const { operation, kinds, details } of failures) {
      test(
        `C18: a failed ${operation} request (${kinds.join(", ")}) returns a plain 502 page, stores no partial account, and starting again works`,
        details,
        async ({ service }) => {
          const first = await walkTo(service, network);
          let walk = first;
          for (const kind of kinds) {
            await fault(service, id, operation, kind);
            const page = await visit(walk.browser, walk.callback);
            expectFailure(page, 502, `${name} did not answer as expected`);
            expect(page.html, kind).toMatch(CODE);
            expect(page.html, kind).not.toContain("Bad Gateway");
            expect(await walk.accounts(), kind).toEqual([]);
            await noFaults(service);
            walk = await continueWith(service, walk.user, button(page.html, "Start again") ?? "", {
              person: first.person,
            });
          }
          expectSentTo(await visit(walk.browser, walk.callback), RETURNS["a web address"]);
          expect(await walk.accounts()).toHaveLength(1);
        },
      );
    }

    test(
      "C13: ten callbacks at once make one exchange and one account, and all redirect to the same place",
      shared,
      async ({ service }) => {
        const walk = await walkTo(service, network);
        const before = await exchanges(service, id);
        const alone = await walkTo(service, network);
        await visit(alone.browser, alone.callback);
        const ofOne = (await exchanges(service, id)) - before;
        const pages = await Promise.all(Array.from({ length: 10 }, () => visit(walk.browser, walk.callback)));
        for (const page of pages) expectSentTo(page, RETURNS["a web address"]);
        expect(await exchanges(service, id)).toBe(before + 2 * ofOne);
        expect(await walk.accounts()).toHaveLength(1);
      },
    );

    test("C13: a reload and the back button redirect again and exchange nothing", shared, async ({ service }) => {
      const walk = await walkTo(service, network);
      await visit(walk.browser, walk.callback);
      const before = await exchanges(service, id);
      for (let time = 0; time < 3; time++)
        expectSentTo(await visit(walk.browser, walk.callback), RETURNS["a web address"]);
      expect(await exchanges(service, id)).toBe(before);
    });

    test(
      "C11: a browser that did not start the attempt gets 403 without an exchange, and the right one still connects",
      shared,
      async ({ service }) => {
        const [walk, stranger] = [await walkTo(service, network), await walkTo(service, network)];
        const before = await exchanges(service, id);
        const other = await walkTo(service, NETWORKS[id === "x" ? 1 : 0]);
        for (const browser of [stranger.browser, other.browser]) {
          const page = await visit(browser, walk.callback);
          expectFailure(page, 403, "Open the link again in this browser");
          expect(button(page.html, "Start again")).toBeUndefined();
        }
        expect([await exchanges(service, id), await walk.accounts()]).toEqual([before, []]);
        expectSentTo(await visit(walk.browser, walk.callback), RETURNS["a web address"]);
      },
    );

    test(
      "C12: every other network's callback returns 410 without an exchange, and the right one still connects",
      shared,
      async ({ service }) => {
        const walk = await walkTo(service, network);
        const before = await exchanges(service, id);
        for (const other of [...NETWORKS, { id: "bluesky" }, { id: "telegram" }, { id: "pinterest" }]) {
          if (other.id === id) continue;
          const crossed = walk.callback.replace(`/callback/${id}`, `/callback/${other.id}`);
          expectFailure(await visit(walk.browser, crossed), 410, "This link has expired");
        }
        expect(await exchanges(service, id)).toBe(before);
        expectSentTo(await visit(walk.browser, walk.callback), RETURNS["a web address"]);
      },
    );

    test(
      "C6: a link works once: after a connect it returns 410, and so does the callback of another tab",
      shared,
      async ({ service }) => {
        const user = await service.user();
        const link = await linkFor(service, user, platform);
        const [first, second] = [await continueWith(service, user, link), await continueWith(service, user, link)];
        expectSentTo(await visit(first.browser, first.callback), RETURNS["a web address"]);
        expectFailure(await visit(second.browser, second.callback), 410, "This link has expired");
        expectFailure(await visit(first.browser, link), 410, "This link has expired");
        expect(await first.accounts()).toHaveLength(1);
      },
    );

    test(
      "C20: an account that another user has connected returns 402, and the other user keeps it",
      shared,
      async ({ service }) => {
        const first = await walkTo(service, network);
        await visit(first.browser, first.callback);
        const held = await first.accounts();
        const second = await walkTo(service, network, { person: first.person });
        const page = await visit(second.browser, second.callback);
        expectFailure(page, 402, "This account is connected elsewhere");
        expect([await second.accounts(), await first.accounts()]).toEqual([[], held]);
      },
    );

    test(
      "C20: of five users who connect the same account at once, one gets it and the others get 402",
      shared,
      async ({ service }) => {
        const first = await walkTo(service, network);
        const rest = await Promise.all([1, 2, 3, 4].map(() => walkTo(service, network, { person: first.person })));
        const pages = await Promise.all([first, ...rest].map((walk) => visit(walk.browser, walk.callback)));
        expect(pages.map(({ status }) => status).toSorted()).toEqual([302, 402, 402, 402, 402]);
        const held = await Promise.all([first, ...rest].map((walk) => walk.accounts()));
        expect(held.flat()).toHaveLength(1);
      },
    );

    test("C21: reconnecting keeps the Account ID, also after a disconnect and without a new refresh token", async ({
      service,
    }) => {
      const first = await walkTo(service, network);
      await visit(first.browser, first.callback);
      const [{ id: accountId } = { id: 0 }] = await first.accounts();
      const again = { user: first.user, person: first.person };
      await fault(service, id, "token", "no_refresh_token");
      const second = await walkTo(service, network, again);
      expectSentTo(await visit(second.browser, second.callback), RETURNS["a web address"]);
      expect((await first.accounts()).map((account) => account.id)).toEqual([accountId]);
      expect((await first.user.api.delete(`/v1/accounts/${accountId}`)).status).toBe(204);
      expect(await first.accounts()).toEqual([]);
      const third = await walkTo(service, network, again);
      expectSentTo(await visit(third.browser, third.callback), RETURNS["a web address"]);
      expect((await first.accounts()).map((account) => account.id)).toEqual([accountId]);
    });

    test("C18: a missing permission that posting needs returns 403, and nothing is stored", async ({ service }) => {
      const needed = NEEDED[platform];
      const walk = await walkTo(service, network, {
        authorize({ searchParams }) {
          const separator = searchParams.get("scope")?.includes(",") ? "," : " ";
          const scopes = (searchParams.get("scope") ?? "").split(separator);
          expect(scopes).toContain(needed);
          searchParams.set("scope", scopes.filter((scope) => scope !== needed).join(separator));
        },
      });
      const page = await visit(walk.browser, walk.callback);
      expectFailure(page, 403, "A permission is missing");
      expect(page.html).toContain(`<span>${needed}</span>`);
      expect(await walk.accounts()).toEqual([]);
    });

    test("C10: no answer may be cached, framed or named in a Referer", shared, async ({ service }) => {
      const walk = await walkTo(service, network);
      expectGuarded(walk.opened);
      const page = await visit(walk.browser, walk.callback);
      expectGuarded(page);
      const cookies = walk.opened.headers.getSetCookie();
      expect(cookies).toEqual([
        expect.stringMatching(/^cf_[0-9a-f-]{36}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/),
      ]);
      expect(page.headers.getSetCookie()).toEqual([]);
    });
  });
}

/** A scope of each network that posting needs. */
const NEEDED: { [platform in (typeof NETWORKS)[number]["platform"]]: string } = {
  X_TWITTER: "tweet.write",
  INSTAGRAM: "instagram_business_content_publish",
  FACEBOOK: "pages_manage_posts",
  YOUTUBE: "https://www.googleapis.com/auth/youtube.upload",
  TIKTOK: "video.publish",
  LINKEDIN: "w_member_social",
  THREADS: "threads_content_publish",
};

import { openBrowser } from "../spec/browser";
import { apiOf } from "../spec/client";
import { bearer, expect, newPartner, test, unique } from "../spec/service";
import { CODE, expectFailure, expectGuarded, expectSentTo } from "./expect";
import { changed, exchanges, linkFor, NETWORKS, RETURNS, type Visit, visit, walkTo } from "./walk";

const [X] = NETWORKS;
const GONE = "This link has expired";
const END = RETURNS["a web address"];

/** The parts of the sealed state in a link. */
function partsOf(link: string) {
  const [version = "", key = "", payload = "", mac = ""] = (
    new URL(link).searchParams.get("whitelabel_state") ?? ""
  ).split(".");
  const withState = (state: string) => `${link.split("?")[0]}?whitelabel_state=${state}`;
  const flip = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
  return { version, key, payload, mac, withState, flip };
}

test.describe("C5: an invalid state returns the same 410 page without redirect or cookie", () => {
  type Parts = ReturnType<typeof partsOf>;
  const mutations: [what: string, make: (parts: Parts, other: Parts) => string][] = [
    ["no text", () => ""],
    ["a single part", () => "x"],
    ["a part missing", ({ version, key, payload }) => [version, key, payload].join(".")],
    ["a part too many", ({ version, key, payload, mac }) => [version, key, payload, mac, "x"].join(".")],
    ["another version", ({ key, payload, mac }) => ["2", key, payload, mac].join(".")],
    ["another key", ({ version, payload, mac }) => [version, "00000000", payload, mac].join(".")],
    ["an edited payload", ({ version, key, payload, mac, flip }) => [version, key, flip(payload), mac].join(".")],
    ["a truncated payload", ({ version, key, payload, mac }) => [version, key, payload.slice(0, -4), mac].join(".")],
    ["an edited MAC", ({ version, key, payload, mac, flip }) => [version, key, payload, flip(mac)].join(".")],
    ["a truncated MAC", ({ version, key, payload, mac }) => [version, key, payload, mac.slice(0, -1)].join(".")],
    ["no MAC", ({ version, key, payload }) => `${version}.${key}.${payload}.`],
    ["another link's MAC", ({ version, key, payload }, other) => [version, key, payload, other.mac].join(".")],
    ["padding", ({ version, key, payload, mac }) => `${[version, key, payload, mac].join(".")}=`],
    ["a space behind", ({ version, key, payload, mac }) => `${[version, key, payload, mac].join(".")}%20`],
    ["more than 4 KB", ({ version, key, payload, mac }) => [version, key, payload, mac].join(".") + "A".repeat(4096)],
    ["a NUL in it", ({ version, key, payload, mac }) => [version, key, payload, `${mac}%00`].join(".")],
  ];
  for (const [what, make] of mutations) {
    test(`a state with ${what}`, async ({ service }) => {
      const user = await service.user();
      const [link, other] = [await linkFor(service, user, "X_TWITTER"), await linkFor(service, user, "X_TWITTER")];
      const parts = partsOf(link);
      const page = await visit(openBrowser(), parts.withState(make(parts, partsOf(other))));
      expectFailure(page, 410, GONE);
      expect(page.headers.getSetCookie()).toEqual([]);
      expect(page.html.replace(CODE, "")).toBe((await visit(openBrowser(), parts.withState("nonsense"))).html);
    });
  }
});

test.describe("C8: repeated parameters, odd paths and foreign hosts change nothing", () => {
  const CANARY = "evil-canary.example";
  const links: [what: string, make: (link: string) => string, status: number][] = [
    ["the same state twice", (link) => `${link}&${link.split("?")[1]}`, 410],
    ["two different states", (link) => `${link}&whitelabel_state=${CANARY}`, 410],
    ["no state", (link) => link.split("?")[0] ?? "", 410],
    ["the state parameter in upper case", (link) => link.replace("whitelabel_state", "WHITELABEL_STATE"), 410],
    ["the state as a list", (link) => link.replace("whitelabel_state=", "whitelabel_state[]="), 410],
    [
      "a redirectUri beside it",
      (link) => `${link}&redirectUri=https://${CANARY}/&redirect_uri=https://${CANARY}/`,
      302,
    ],
    ["an added platform", (link) => `${link}&platform=${CANARY}`, 302],
    ["markup as language", (link) => `${link}&ui_locales=%22%3E%3Cscript%3E${CANARY}`, 302],
  ];
  for (const [what, make, status] of links) {
    test(`${what} returns ${status}, and the added text is not in the answer`, async ({ service }) => {
      const page = await visit(openBrowser(), make(await linkFor(service, await service.user(), "X_TWITTER")));
      expect(page.status).toBe(status);
      expect(JSON.stringify([[...page.headers], page.html])).not.toContain(CANARY);
    });
  }

  test("forwarded and other Host headers change no address", async ({ service }) => {
    const headers = {
      "x-forwarded-host": CANARY,
      "x-forwarded-proto": "https",
      forwarded: `host=${CANARY}`,
      "x-original-url": `/${CANARY}`,
    };
    const walk = await walkTo(service, X);
    const opened = await visit(openBrowser(), await linkFor(service, walk.user, "X_TWITTER"), { headers });
    expect(new URL(opened.headers.get("location") ?? "").searchParams.get("redirect_uri")).toBe(
      `${service.url}/oauth/connect/callback/x`,
    );
    const page = await visit(walk.browser, walk.callback, { headers });
    expectSentTo(page, END);
    expect(opened.html + page.html).not.toContain(CANARY);
  });

  const callbacks: [what: string, change: (callback: string) => string][] = [
    ["a network that does not exist", (url) => url.replace("/callback/x", "/callback/myspace")],
    ["the platform's API value as network", (url) => url.replace("/callback/x", "/callback/X_TWITTER")],
    ["the name of an object property", (url) => url.replace("/callback/x", "/callback/constructor")],
    ["an encoded slash", (url) => url.replace("/callback/x", "/callback/..%2fcallback%2fx")],
    ["no state", (url) => changed(url, "state")],
    ["an empty state", (url) => changed(url, "state", "")],
    ["the state cut short", (url) => changed(url, "state", new URL(url).searchParams.get("state")?.slice(1))],
    ["a state of 10,000 characters", (url) => changed(url, "state", "A".repeat(10_000))],
    ["a NUL in the state", (url) => changed(url, "state", "\0")],
  ];
  for (const [what, change] of callbacks) {
    test(`a callback with ${what} returns 410 and leaves the attempt unchanged`, async ({ service }) => {
      const walk = await walkTo(service, X);
      expectFailure(await visit(walk.browser, change(walk.callback)), 410, GONE);
      expectSentTo(await visit(walk.browser, walk.callback), END);
    });
  }
});

test.describe("C7: previews start nothing, and any tab may finish an attempt", () => {
  const LOOKS: [what: string, init: { method?: string; headers?: { [name: string]: string } }][] = [
    ["HEAD", { method: "HEAD" }],
    ["a prefetch", { headers: { "sec-purpose": "prefetch" } }],
    ["a prerender", { headers: { "sec-purpose": "prefetch;prerender" } }],
    ["a prefetch of an older browser", { headers: { purpose: "prefetch" } }],
    ["Firefox's prefetch", { headers: { "x-moz": "prefetch" } }],
  ];
  for (const [what, init] of LOOKS) {
    test(`${what} of a link starts nothing, and of a callback finishes nothing`, async ({ service }) => {
      const walk = await walkTo(service, X);
      const before = await exchanges(service, "x");
      for (const url of [walk.link, walk.callback]) {
        const page = await visit(walk.browser, url, init);
        expect([page.status, page.html, page.headers.get("location"), page.headers.getSetCookie()]).toEqual([
          204,
          "",
          null,
          [],
        ]);
      }
      expect([await exchanges(service, "x"), await walk.accounts()]).toEqual([before, []]);
      expectSentTo(await visit(walk.browser, walk.callback), END);
    });
  }

  test("a link still works for the person after a preview bot has opened it", async ({ service }) => {
    const user = await service.user();
    const link = await linkFor(service, user, "X_TWITTER");
    for (let time = 0; time < 3; time++) expect((await visit(openBrowser(), link)).status).toBe(302);
    const end = await openBrowser().follow(link, END, { account: unique("p"), decision: "allow" });
    expect(end.address).toBe(END);
  });

  test("a double click starts two attempts, either can be finished, and one account is connected", async ({
    service,
  }) => {
    const user = await service.user();
    const link = await linkFor(service, user, "X_TWITTER");
    const browser = openBrowser();
    const [one, two] = await Promise.all([visit(browser, link), visit(browser, link)]);
    expect(one.headers.get("location")).not.toBe(two.headers.get("location"));
    const end = await browser.follow(two.headers.get("location") ?? "", END, {
      account: unique("p"),
      decision: "allow",
    });
    expect(end.address).toBe(END);
    expect((await user.api.get<unknown[]>("/v1/accounts")).body).toHaveLength(1);
  });

  test("a browser keeps the cookies of five attempts at most, and the oldest are removed", async ({ service }) => {
    const user = await service.user();
    const browser = openBrowser();
    let last: Visit | undefined;
    for (let time = 0; time < 7; time++) last = await visit(browser, await linkFor(service, user, "X_TWITTER"));
    const gone = (last?.headers.getSetCookie() ?? []).filter((cookie) => cookie.includes("Max-Age=0"));
    expect(gone.length).toBeGreaterThan(0);
    expect(
      browser
        .cookie()
        .split("; ")
        .filter((cookie) => /^cf_[^=]+=[\w-]{43}$/.test(cookie)),
    ).toHaveLength(5);
  });
});

test.describe("C17: other methods", () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    test(`${method} to the bridge and to a callback returns 405 and stores nothing`, async ({ service }) => {
      const walk = await walkTo(service, X);
      for (const url of [walk.link, walk.callback]) {
        const page = await visit(walk.browser, url, { method });
        expect([page.status, page.headers.get("location")]).toEqual([405, null]);
        expectGuarded(page);
      }
      expect(await walk.accounts()).toEqual([]);
      expectSentTo(await visit(walk.browser, walk.callback), END);
    });
  }
});

test.describe("C16: a page repeats no parameter and distinguishes a denial from an error", () => {
  const MARKUP = "<img src=x onerror=alert(1)>";
  for (const parameter of ["error", "error_description", "error_reason", "error_uri", "code", "scope", "iss"]) {
    test(`markup in ${parameter} is not in the page`, async ({ service }) => {
      const walk = await walkTo(service, X);
      const page = await visit(walk.browser, changed(changed(walk.callback, "code", "made-up"), parameter, MARKUP));
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.html).not.toContain("onerror");
      expectGuarded(page);
    });
  }

  for (const error of ["access_denied", "user_cancelled_login", "user_cancelled_authorize"]) {
    test(`error=${error} is shown as a denial`, async ({ service }) => {
      const walk = await walkTo(service, X);
      const page = await visit(walk.browser, changed(changed(walk.callback, "code"), "error", error));
      expectFailure(page, 403, "X was not connected");
    });
  }
  for (const [kind, redirectUri] of Object.entries(RETURNS)) {
    test(`a denial leads back to ${kind}, byte for byte and with nothing appended`, async ({ service }) => {
      const walk = await walkTo(service, X, { redirectUri, decision: "deny" });
      const { html } = await visit(walk.browser, walk.callback);
      expect(html).toContain(`<a class="button quiet" href="${redirectUri.replaceAll("&", "&amp;")}">Back to Acme</a>`);
    });
  }

  for (const error of ["server_error", "temporarily_unavailable", "invalid_scope", "unauthorized_client", ""]) {
    test(`error=${error || "(empty)"} is shown as an error of the network, even with a code`, async ({ service }) => {
      const walk = await walkTo(service, X);
      expectFailure(
        await visit(walk.browser, changed(walk.callback, "error", error)),
        400,
        "X did not answer as expected",
      );
      expect(await walk.accounts()).toEqual([]);
    });
  }
});

test.describe("C14: a code or challenge of another attempt", () => {
  for (const network of NETWORKS.filter(({ platform }) => ["X_TWITTER", "YOUTUBE"].includes(platform))) {
    test(`another attempt's code at ${network.name} connects nothing`, async ({ service }) => {
      const [mine, injected] = [await walkTo(service, network), await walkTo(service, network)];
      const code = new URL(injected.callback).searchParams.get("code") ?? "";
      expectFailure(
        await visit(mine.browser, changed(mine.callback, "code", code)),
        400,
        `${network.name} did not answer as expected`,
      );
      expect(await mine.accounts()).toEqual([]);
    });
  }

  for (const network of NETWORKS.filter(({ platform }) => ["X_TWITTER", "YOUTUBE"].includes(platform))) {
    test(`a changed challenge at ${network.name} connects nothing, because the verifier is sent`, async ({
      service,
    }) => {
      const walk = await walkTo(service, network, {
        authorize({ searchParams }) {
          searchParams.set("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"); // RFC 7636, appendix B
        },
      });
      expectFailure(await visit(walk.browser, walk.callback), 400, `${network.name} did not answer as expected`);
      expect(await walk.accounts()).toEqual([]);
    });
  }
});

test.describe("C6: deleted and suspended users and partners", () => {
  test("a deleted end user gets 410", async ({ service }) => {
    const walk = await walkTo(service, X);
    expect((await service.partner.api.delete(`/v1/connect/users/${walk.user.uuid}`)).status).toBe(202);
    const before = await exchanges(service, "x");
    expectFailure(await visit(walk.browser, walk.callback), 410, GONE);
    expectFailure(await visit(openBrowser(), walk.link), 410, GONE);
    expect(await exchanges(service, "x")).toBe(before);
  });

  test("a suspended end user gets 403 when opening the link and on the callback, and nothing is exchanged", async ({
    service,
  }) => {
    const walk = await walkTo(service, X);
    await service.product.carillon("users", "suspend", walk.user.uuid);
    const before = await exchanges(service, "x");
    expectFailure(await visit(openBrowser(), walk.link), 403, "Connecting is switched off here");
    expectFailure(await visit(walk.browser, walk.callback), 403, "Connecting is switched off here");
    expect(await exchanges(service, "x")).toBe(before);
  });

  test("the users of a suspended partner get 403", async ({ service }) => {
    const partner = await newPartner(service.product, "Soon suspended");
    const made = await partner.api.post<{ uuid: string }>("/v1/connect/users", { externalUserId: "one", name: "One" });
    const link = await linkFor({ url: service.url, partner }, made.body, "X_TWITTER");
    expect((await visit(openBrowser(), link)).status).toBe(302);
    await service.product.carillon("partners", "suspend", partner.clientId);
    expectFailure(await visit(openBrowser(), link), 403, "Connecting is switched off here");
  });
});

test.describe("C11: the browser's cookie", () => {
  const others: [what: string, cookie: (mine: string) => string][] = [
    ["no cookie", () => ""],
    ["an empty cookie", (mine) => `${mine.split("=")[0]}=`],
    ["an invalid cookie", (mine) => `${mine.split("=")[0]}=${"A".repeat(43)}`],
    ["its own cookie cut short", (mine) => mine.slice(0, -1)],
    [
      "twenty other cookies before its own",
      (mine) => [...Array.from({ length: 20 }, (_, n) => `cf_${n}=x`), mine].join("; "),
    ],
  ];
  for (const [what, cookie] of others) {
    test(`a callback with ${what} returns 403 without an exchange or a link to start again`, async ({ service }) => {
      const walk = await walkTo(service, X);
      const before = await exchanges(service, "x");
      const page = await visit(openBrowser(), walk.callback, { headers: { cookie: cookie(walk.browser.cookie()) } });
      expectFailure(page, 403, "Open the link again in this browser");
      expect(page.html).not.toContain("whitelabel_state");
      expect([await exchanges(service, "x"), await walk.accounts()]).toEqual([before, []]);
    });
  }
});

test.describe("C1, C2: credentials of authorize-url", () => {
  test("C1: a partner gets no link for another partner's user", async ({ service }) => {
    const [mine, other] = [await service.user(), await service.otherPartner()];
    const input = { platform: "X_TWITTER", redirectUri: END };
    const foreign = { ...bearer(other.token), "x-connect-user-id": mine.uuid };
    for (const [key, status] of [
      [other.clientId, 404],
      [service.partner.clientId, 403],
    ] as const) {
      const answer = await apiOf(service.url, foreign).post("/v1/connect/authorize-url", input, { "x-api-key": key });
      expect([answer.status, answer.text]).not.toContain("whitelabel_state");
      expect(answer.status).toBe(status);
    }
  });

  for (const [what, headers, status] of [
    ["no identity header", {}, 400],
    ["an empty identity header", { "x-connect-user-id": "" }, 400],
    ["the ID of an unknown user", { "x-connect-user-id": "00000000-0000-4000-8000-000000000000" }, 404],
  ] as const) {
    test(`C2: ${what} returns ${status} and no link`, async ({ service }) => {
      const { token, clientId } = service.partner;
      const api = apiOf(service.url, { ...bearer(token), "x-api-key": clientId, ...headers });
      const answer = await api.post<unknown>("/v1/connect/authorize-url", { platform: "X_TWITTER", redirectUri: END });
      expect([answer.status, typeof answer.body]).toEqual([status, "object"]);
    });
  }
});

test.describe("C22: secrets", () => {
  test("no page, header or trace contains a code, a state, a token or the browser's cookie", async ({ service }) => {
    const walk = await walkTo(service, X);
    const query = new URL(walk.callback).searchParams;
    const nonce = walk.browser.cookie().split("=")[1] ?? "";
    const page = await visit(walk.browser, changed(walk.callback, "code", `${query.get("code")}x`));
    const code = CODE.exec(page.html)?.[1] ?? "";
    const trace = await service.product.carillon(
      "partners",
      "attempts",
      "--client",
      service.partner.clientId,
      "--code",
      code,
    );
    expect(trace).toMatchObject({ attempts: [{ code, outcome: "network", platform: "X_TWITTER" }] });
    const told = JSON.stringify([trace, page.html, [...page.headers]]);
    for (const secret of [query.get("code"), query.get("state"), nonce, "sandbox-x-secret"]) {
      expect(secret).toMatch(/.{6}/);
      expect(told).not.toContain(secret);
    }
    // A redirectUri may contain the partner's secrets. Only the link back to the partner shows it.
    const withoutLinks = page.html.replace(/<a [^>]*>/g, "");
    expect(JSON.stringify([trace, withoutLinks, [...page.headers]])).not.toContain("kept=%2fas");
  });
});

test.describe("C4: the body of the redirect", () => {
  for (const [kind, redirectUri] of Object.entries(RETURNS)) {
    test(`contains a button that leads to ${kind}`, async ({ service }) => {
      const walk = await walkTo(service, X, { redirectUri });
      const { html } = await visit(walk.browser, walk.callback);
      expect(html).toContain(`<a class="button" href="${redirectUri.replaceAll("&", "&amp;")}">Back to Acme</a>`);
      expect(html).not.toContain("<script");
    });
  }
});

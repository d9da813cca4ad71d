import { describe, expect, test } from "vitest";
import { decide, testSandbox } from "../testing/sandbox";
import { authorizeUrl, codeFor, connect, denied, errorOf, exchange, graph, pagesOf, redeem, SCOPES } from "./testing";

const sandbox = testSandbox();

test("Allow redirects with the code and #_=_, Deny with four error parameters and the state", async () => {
  const allowed = await decide(authorizeUrl(sandbox), "allow");
  expect([allowed.searchParams.get("state"), allowed.hash]).toEqual(["st", "#_=_"]);
  expect((await denied(sandbox)).search).toBe(
    "?error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied&state=st",
  );
});

test.each([
  ["another application", { client_id: "123" }],
  ["an unregistered redirect URI", { redirect_uri: "http://example.com/cb" }],
  ["an unknown scope", { scope: "pages_everything" }],
])("shows an error page without redirecting for %s", async (_, changed) => {
  expect((await fetch(authorizeUrl(sandbox, changed), { redirect: "manual" })).status).toBe(400);
});

describe("tokens", () => {
  test.each([
    ["another redirect URI", { redirect_uri: "http://localhost:3000/other" }, [400, 100, 36008]],
    ["another secret", { client_secret: "guess" }, [400, 1, undefined]],
    ["another application", { client_id: "123" }, [400, 101, undefined]],
    ["an unknown code", { code: "made-up" }, [400, 100, 36009]],
  ])("rejects %s in the Graph API's error format", async (_, changed, refusal) => {
    expect(await errorOf(await redeem(sandbox, await codeFor(sandbox), changed))).toEqual(refusal);
  });

  test("a code is single-use and expires after ten minutes", async () => {
    const used = await codeFor(sandbox);
    expect((await redeem(sandbox, used)).status).toBe(200);
    expect((await (await redeem(sandbox, used)).json()).error.message).toBe("This authorization code has been used.");
    const old = await codeFor(sandbox);
    await sandbox.advance(601);
    expect(await errorOf(await redeem(sandbox, old))).toEqual([400, 100, 36007]);
  });

  test("exchanges a valid token for one of sixty days, and rejects an expired one", async () => {
    const { access_token: short } = await (await redeem(sandbox, await codeFor(sandbox))).json();
    const long = await (await exchange(sandbox, short)).json();
    expect(long).toMatchObject({ token_type: "bearer", expires_in: 5_183_944 });
    await sandbox.advance(5401);
    expect(await errorOf(await exchange(sandbox, short))).toEqual([401, 190, 463]);
    expect((await exchange(sandbox, long.access_token)).status).toBe(200);
    await sandbox.advance(61 * 86_400);
    expect(await errorOf(await graph(sandbox, long.access_token).get("me"))).toEqual([401, 190, 463]);
  });

  test("a Page token from a long-lived token does not expire; one from a short-lived token does", async () => {
    const { access_token: short } = await (await redeem(sandbox, await codeFor(sandbox, "gina"))).json();
    const [brief] = await pagesOf(sandbox, graph(sandbox, short));
    const [lasting] = await pagesOf(
      sandbox,
      graph(sandbox, (await (await exchange(sandbox, short)).json()).access_token),
    );
    await sandbox.advance(70 * 86_400);
    expect((await errorOf((await brief?.get(`${brief.id}/stories`)) ?? new Response("{}"))).slice(1)).toEqual([
      190, 463,
    ]);
    expect((await lasting?.get(`${lasting.id}/stories`))?.status).toBe(200);
  });
});

describe("proofs", () => {
  test("rejects calls without a valid appsecret_proof for their token", async () => {
    const api = graph(sandbox, await connect(sandbox));
    for (const answer of [await api.getWithoutProof("me"), await api.getWithWrongProof("me")]) {
      const { error } = await answer.json();
      expect([answer.status, error.code, error.message]).toEqual([
        400,
        100,
        expect.stringContaining("appsecret_proof"),
      ]);
    }
    expect((await api.get("me")).status).toBe(200);
  });
});

describe("Pages", () => {
  test("are listed in pages, with the user's tasks on each", async () => {
    const api = graph(sandbox, await connect(sandbox));
    const first = await (await api.get("me/accounts?fields=id,name,tasks&limit=100")).json();
    expect(first.data).toHaveLength(2);
    const second = await (await api.get(`me/accounts?fields=id,name,tasks&after=${first.paging.cursors.after}`)).json();
    expect(second).toMatchObject({ data: [{ name: "Alice's old club", tasks: ["ANALYZE"] }] });
    expect(second.paging.next).toBeUndefined();
  });

  test("a Page that was not selected at consent is missing", async () => {
    const [unticked = { id: "" }] = await pagesOf(sandbox, graph(sandbox, await connect(sandbox, "bob")));
    const api = graph(sandbox, await connect(sandbox, "bob", [unticked.id]));
    expect((await pagesOf(sandbox, api)).map(({ id }) => id)).not.toContain(unticked.id);
    expect((await errorOf(await api.get(unticked.id))).slice(1)).toEqual([100, 33]);
  });

  test("of a business need business_management, and include a token if the user has tasks", async () => {
    const api = graph(sandbox, await connect(sandbox, "ida"));
    const { id } = await (await sandbox.control("POST", "facebook/open-business", { account: "ida" })).json();
    for (const path of ["me/businesses", `${id}/owned_pages`])
      expect((await errorOf(await api.get(path))).slice(0, 2)).toEqual([403, 200]);
    const allowed = graph(sandbox, await connect(sandbox, "ida", [], `${SCOPES},business_management`));
    expect(await (await allowed.get("me/businesses?fields=id")).json()).toMatchObject({ data: [{ id }] });
    const pages = `${id}/owned_pages?fields=name,access_token`;
    const first = await (await allowed.get(pages)).json();
    expect(first.data).toMatchObject([{ name: "Ida's Page" }, { name: "Ida's old club" }]);
    const second = await (await allowed.get(`${pages}&after=${first.paging.cursors.after}`)).json();
    expect(second.data).toMatchObject([{ name: "Hall 1", access_token: expect.any(String) }, { name: "Vault 1" }]);
    expect(second.data[1]).not.toHaveProperty("access_token");
    expect((await errorOf(await allowed.get(`${id}/client_pages?fields=tasks`))).slice(0, 2)).toEqual([400, 100]);
    const stranger = graph(sandbox, await connect(sandbox, "jane", [], `${SCOPES},business_management`));
    expect(await errorOf(await stranger.get(`${id}/client_pages`))).toEqual([400, 100, 33]);
  });

  test("a declined scope is listed as declined, and its calls return 403", async () => {
    const api = graph(sandbox, await connect(sandbox, "carol", ["pages_manage_posts"]));
    expect((await (await api.get("me/permissions")).json()).data).toContainEqual({
      permission: "pages_manage_posts",
      status: "declined",
    });
    const [page] = await pagesOf(sandbox, api);
    const answer = await page?.post(`${page.id}/feed`, { message: "a" });
    expect((await errorOf(answer ?? new Response("{}"))).slice(0, 2)).toEqual([403, 200]);
  });
});

test("publishing without pages_read_engagement returns 403", async () => {
  const api = graph(sandbox, await connect(sandbox, "kate", ["pages_read_engagement"]));
  const [page] = await pagesOf(sandbox, api);
  const answer = await page?.post(`${page.id}/feed`, { message: "a" });
  expect((await errorOf(answer ?? new Response("{}"))).slice(0, 2)).toEqual([403, 200]);
});

describe("revocations apply at once, also to Page tokens", () => {
  test("the user removes the application: 190/458", async () => {
    const api = graph(sandbox, await connect(sandbox, "dave"));
    const [page] = await pagesOf(sandbox, api);
    await sandbox.fault({ network: "facebook", operation: "profile", fault: "revoke_token" });
    expect(await errorOf(await api.get("me"))).toEqual([401, 190, 458]);
    expect(await errorOf((await page?.get(`${page.id}/stories`)) ?? new Response("{}"))).toEqual([401, 190, 458]);
  });

  test("a lost role on a Page is 190/492, a changed password 190/460", async () => {
    const api = graph(sandbox, await connect(sandbox, "erin"));
    const [one, two] = await pagesOf(sandbox, api);
    await sandbox.control("POST", "facebook/leave-page", { account: "erin", page: one?.id });
    expect(await errorOf((await one?.get(`${one.id}/stories`)) ?? new Response("{}"))).toEqual([401, 190, 492]);
    expect((await two?.get(`${two.id}/stories`))?.status).toBe(200);
    await sandbox.control("POST", "facebook/change-password", { account: "erin" });
    expect(await errorOf(await api.get("me"))).toEqual([401, 190, 460]);
  });
});

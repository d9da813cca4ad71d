import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { startProduct } from "../setup/product";
import { root } from "../setup/service";

/**
 * `bin/beside.mjs` installs these. The tests themselves run on the version that runs `npm test`. The version between that one and the
 * newest runs in the long run.
 */
for (const [major, tag] of [[24, "@long"], [26]] as const) {
  const node = join(root, `.cache/node-versions/node_modules/node-${major}/bin/node`);

  test(`npm start works on Node ${major}: it starts, connects an account and publishes a post`, { tag }, async () => {
    test.skip(!existsSync(node), `Node ${major} could not be installed`);
    expect(execFileSync(node, ["--version"], { encoding: "utf8" })).toMatch(new RegExp(`^v${major}\\.`));
    const product = await startProduct({ node });
    try {
      const email = `node-${major}@example.com`;
      await product.carillon("users", "create", "--email", email, "--password", "a long password");
      const account = (await product.carillon(
        ...["accounts", "connect-sandbox", "--user", email, "--platform", "BLUE_SKY", "--person", "alice"],
      )) as { id: number };
      const { access_token } = (await product.carillon("tokens", "create", "--user", email)) as {
        access_token: string;
      };
      const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
      const created = await fetch(`${product.url}/v1/posts`, {
        method: "POST",
        headers,
        body: JSON.stringify({
          scheduledTime: new Date().toISOString(),
          publications: [
            {
              socialMediaAccountId: account.id,
              platformSettings: { type: "BLUE_SKY" },
              posts: [{ content: `Published on Node ${major}` }],
            },
          ],
        }),
      });
      expect(created.status).toBe(201);
      const { id } = (await created.json()) as { id: number };
      await expect
        .poll(async () => (await (await fetch(`${product.url}/v1/posts/${id}`, { headers })).json()).overallStatus)
        .toBe("COMPLETED");
    } finally {
      await product.stop();
    }
  });
}

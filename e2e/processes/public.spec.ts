import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { type OwnProduct, startProduct } from "../setup/product";
import { send, sendForm } from "../trials/http";
import { cookiesOf } from "../trials/people";

const ADDRESS = "https://carillon.example.com";
const person = { email: "ada@example.com", password: "a long password" };

test.describe("a service with a public address and without SMTP_URL", () => {
  let product: OwnProduct;
  /** Where the service listens. A proxy would be in front of it. */
  let local: string;

  test.beforeAll(async () => {
    product = await startProduct({ env: { BASE_URL: ADDRESS, HOST: "127.0.0.1", TIME_FACTOR: "" } });
    local = `http://127.0.0.1:${product.settings.PORT}`;
    await product.carillon("users", "create", "--email", person.email, "--password", person.password);
  });
  test.afterAll(() => product?.stop());

  test("warns at the start, and first in doctor, that addresses cannot be confirmed and passwords cannot be reset", async () => {
    expect(product.output()).toContain("WARNING     SMTP_URL is not set");
    const { problems } = (await product.carillon("doctor")) as { problems: { severity: string; problem: string }[] };
    expect(problems[0]).toMatchObject({
      severity: "failure",
      problem: expect.stringMatching(/^No mail server is configured/),
    });
  });

  test("stores the mail that resets a password, but never shows it in the account", async () => {
    const asked = await sendForm(local, "/forgot-password", { email: person.email }, { origin: ADDRESS });
    expect(asked.status).toBeLessThan(400);
    const folder = join(product.dataDir, "mail");
    const findMail = async () => {
      // A mail that is still being written ends in `.eml.part`.
      const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(".eml"));
      const contents = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
      return files[contents.findIndex((content) => content.includes("Subject: Choose a new password"))];
    };
    await expect.poll(findMail, { timeout: 60_000 }).toBeTruthy();
    const id = (await findMail())?.replace(/\.eml$/, "");
    const cookie = cookiesOf(await sendForm(local, "/sign-in", person, { origin: ADDRESS }));
    const read = async (path: string) => {
      const { status, text } = await send(local, path, { headers: { cookie } });
      return [status, text.includes("Choose a new password")];
    };
    expect(await read("/settings")).toEqual([200, false]);
    for (const path of [`/mail/${id}`, `/mail/${id}/shown`])
      expect([path, ...(await read(path))]).toEqual([path, 404, false]);
  });

  test("tells browsers to use https, also if the proxy does not pass the host on", async () => {
    for (const path of ["/sign-in", "/v1/me", "/oauth/connect", "/.well-known/security.txt", "/nothing-here"]) {
      const { headers } = await send(local, path);
      expect([path, headers["strict-transport-security"]]).toEqual([path, "max-age=31536000"]);
    }
  });
});

import { readdir, readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { type OwnProduct, startProduct } from "../setup/product";
import { send, sendForm } from "../trials/http";
import { cookiesOf } from "../trials/people";

const ADDRESS = "https://carillon.example.com";
const EVIL = "evil.example";
/** So many connections of one address are open at most. */
const CONNECTIONS = 30;
const person = { email: "ada@example.com", password: "a long password" };

test.describe("a service with a public address and without SMTP_URL", () => {
  let product: OwnProduct;
  /** Where the service listens. A proxy would be in front of it. */
  let local: string;

  test.beforeAll(async () => {
    product = await startProduct({
      env: { BASE_URL: ADDRESS, HOST: "127.0.0.1", TIME_FACTOR: "", CONNECTIONS_PER_ADDRESS: String(CONNECTIONS) },
    });
    local = `http://127.0.0.1:${product.settings.PORT}`;
    const json = "host: x\r\ncontent-type: application/json\r\n";
    slow = [
      drip("GET /sign-in HTTP/1.1\r\nhost: x\r\na: "),
      drip(`POST /oauth/token HTTP/1.1\r\n${json}content-length: 1000\r\n\r\n`),
      drip(
        "POST /sign-in HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 1000\r\n\r\n",
      ),
    ];
    await product.carillon("users", "create", "--email", person.email, "--password", person.password);
  });
  test.afterAll(async () => {
    for (const { socket } of slow) socket.destroy();
    await product?.stop();
  });

  type Raw = { socket: Socket; all: Promise<string>; since: number; ended: Promise<number> };
  /** Clients that send a byte now and then. They begin before the other tests, so that those run while the time passes. */
  let slow: Raw[] = [];

  /** Sends bytes as they are. `all` is everything that the service sent until it disconnected. */
  function raw(host: string, bytes: string): Raw {
    const socket = connect(Number(product.settings.PORT), host);
    const since = performance.now();
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => {}); // a refused or closed connection
    if (bytes) socket.write(bytes);
    const ended = new Promise<number>((resolve) => socket.once("close", () => resolve(performance.now())));
    return { socket, since, ended, all: ended.then(() => answer) };
  }

  /** Sends the beginning of a request, and then a byte each second. */
  function drip(bytes: string): Raw {
    const client = raw("127.0.0.1", bytes);
    const timer = setInterval(() => client.socket.writable && client.socket.write("x"), 1_000);
    client.socket.once("close", () => clearInterval(timer));
    return client;
  }

  test("warns at the start, and first in doctor, that addresses cannot be confirmed and passwords cannot be reset", async () => {
    expect(product.output()).toContain("WARNING     SMTP_URL is not set");
    const { problems } = (await product.carillon("doctor")) as { problems: { severity: string; problem: string }[] };
    expect(problems[0]).toMatchObject({
      severity: "failure",
      problem: expect.stringMatching(/^No mail server is configured/),
    });
  });

  const mails: [what: string, subject: string, ask: () => ReturnType<typeof sendForm>, email: string][] = [
    [
      "resets a password",
      "Choose a new password",
      () => sendForm(local, "/forgot-password", { email: person.email }, { origin: ADDRESS }),
      person.email,
    ],
    [
      "confirms an address",
      "Confirm your email address",
      () => sendForm(local, "/sign-up", { ...person, email: "bea@example.com", callbackUrl: "/" }, { origin: ADDRESS }),
      "bea@example.com",
    ],
  ];
  for (const [what, subject, ask, email] of mails) {
    test(`stores the mail that ${what}, but never shows it in the account`, async () => {
      expect((await ask()).status).toBeLessThan(400);
      const folder = join(product.dataDir, "mail");
      const findMail = async () => {
        // A mail that is still being written ends in `.eml.part`.
        const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(".eml"));
        const contents = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
        return files[contents.findIndex((content) => content.includes(`Subject: ${subject}`))];
      };
      await expect.poll(findMail, { timeout: 60_000 }).toBeTruthy();
      const id = (await findMail())?.replace(/\.eml$/, "");
      const cookie = cookiesOf(await sendForm(local, "/sign-in", { ...person, email }, { origin: ADDRESS }));
      const read = async (path: string) => {
        const { status, text } = await send(local, path, { headers: { cookie } });
        return [status, text.includes(`/mail/${id}`) || text.includes(subject)];
      };
      expect(await read("/settings")).toEqual([200, false]);
      for (const path of [`/mail/${id}`, `/mail/${id}/shown`])
        expect([path, ...(await read(path))]).toEqual([path, 404, false]);
    });
  }

  test("tells browsers to use https, also if the proxy does not pass the host on", async () => {
    for (const path of ["/sign-in", "/v1/me", "/oauth/connect", "/.well-known/security.txt", "/nothing-here"]) {
      const { headers } = await send(local, path);
      expect([path, headers["strict-transport-security"]]).toEqual([path, "max-age=31536000"]);
    }
  });

  test("listens only at the address of HOST", async () => {
    expect(await raw("127.0.0.1", "GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").all).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    // Every address of this network is the same machine, so a server that listens everywhere would answer.
    expect(await raw("127.0.0.2", "GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").all).toBe("");
  });

  test("never answers with a host that is not its own", async () => {
    const pages = ["/", "/oauth/connect", "/sign-in", "/settings", "/docs", "/embed/connected", "/embed/connect/x"];
    const paths = [...pages, "/v1/me", "/nothing-here", "/_next/image"];
    for (const path of paths) {
      const [absolute, host, forwarded] = await Promise.all([
        raw("127.0.0.1", `GET http://${EVIL}${path} HTTP/1.1\r\nhost: ${EVIL}\r\nconnection: close\r\n\r\n`).all,
        raw("127.0.0.1", `GET ${path} HTTP/1.1\r\nhost: ${EVIL}\r\nconnection: close\r\n\r\n`).all,
        raw(
          "127.0.0.1",
          `GET ${path} HTTP/1.1\r\nhost: carillon.example.com\r\nx-forwarded-host: ${EVIL}\r\nforwarded: host=${EVIL}\r\nconnection: close\r\n\r\n`,
        ).all,
      ]);
      expect([path, absolute]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 421 /)]);
      for (const answer of [absolute, host, forwarded]) {
        expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
        expect(answer).not.toContain(EVIL);
      }
    }
  });

  test("refuses the address of an image with a backslash", async () => {
    for (const image of ["\\\\evil\\a.png", "%5C%5Cevil", "/%5Cevil", "/a\\b"]) {
      const target = `/_next/image?url=${image}&w=64&q=75`;
      const answer = await raw("127.0.0.1", `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`).all;
      expect([target, answer]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
    }
  });

  test("closes further connections of an address that has too many, and answers it again afterwards", async () => {
    const many = Array.from({ length: CONNECTIONS + 5 }, () => raw("127.0.0.1", ""));
    await expect.poll(() => many.filter(({ socket }) => socket.closed).length).toBeGreaterThanOrEqual(5);
    expect(many.filter(({ socket }) => !socket.closed).length).toBeGreaterThan(CONNECTIONS / 2);
    for (const { socket } of many) socket.destroy();
    const ask = () => raw("127.0.0.1", "GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").all;
    await expect.poll(ask).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("disconnects a client whose headers or body do not arrive within 30 s", async () => {
    for (const { all } of slow) expect(await all).toMatch(/^HTTP\/1\.1 408 /);
    for (const { since, ended } of slow) {
      const seconds = ((await ended) - since) / 1000;
      expect(seconds).toBeGreaterThan(29);
      expect(seconds).toBeLessThan(60);
    }
  });
});

import { expect } from "playwright/test";
import { jsonOf, send, sendForm } from "../http";
import { newPerson } from "../people";
import type { TrialContext } from "../trial";
import { type Browser, enter } from "./person";

const SOON = { timeout: 60_000 };

/** The victim presses Start on the intruder's link, reads the bot's question and says No. Then somebody says Yes. */
export async function telegramLink({ product, seed }: TrialContext): Promise<void> {
  const { email } = await newPerson(product, `telegram-${seed}@example.com`);
  const intruder = await enter(product, email);
  const accounts = async () => jsonOf<{ id: number; username: string }[]>(await intruder.get("/v1/accounts"));
  await answerBot(intruder, product.url, `t${seed}`, "no");
  expect(await accounts()).toEqual([]);

  const account = `y${seed}`;
  await answerBot(intruder, product.url, account, "yes");
  const [connected] = await accounts();
  expect((await intruder.get(`/accounts/${connected?.id}/chats`)).text, "the page shows who was connected").toContain(
    account,
  );
}

/** Starts a connect in the browser, and presses Start and a button in Telegram as this person. */
async function answerBot(browser: Browser, url: string, account: string, answer: "yes" | "no"): Promise<void> {
  const opened = await browser.form("/oauth/connect/new", { platform: "TELEGRAM" });
  const { text } = await browser.get(new URL(opened.headers.location ?? "", url).pathname);
  const link = new URL(/href="([^"]+\?start=[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "about:blank");
  await sendForm(link.origin, link.pathname + link.search, { account, decision: "start" });

  const chat = `${link.pathname}/chat?account=${account}`;
  await expect.poll(async () => (await send(link.origin, chat)).text, SOON).toContain('name="data"');
  const question = (await send(link.origin, chat)).text.split("<form").at(-1) ?? "";
  expect(question).toContain(`@${account}`);
  const message = /name="message" value="(\d+)"/.exec(question)?.[1] ?? "";
  const buttons = [...question.matchAll(/name="data" value="([^"]*)"/g)].map(([, data]) => data ?? "");
  const data = buttons.find((button) => button.startsWith(`${answer}:`)) ?? "";
  await sendForm(link.origin, `${link.pathname}/chat`, { account, message, data });
  await expect.poll(async () => (await send(link.origin, chat)).text, SOON).not.toContain('name="data"');
}

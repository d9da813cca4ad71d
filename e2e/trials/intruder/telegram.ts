import { expect } from "@playwright/test";
import { jsonOf, send, sendForm } from "../http";
import { newPerson } from "../people";
import type { TrialContext } from "../trial";
import { enter } from "./person";

const SOON = { timeout: 60_000 };

/** The victim presses Start on the intruder's link, reads the bot's question and says No. */
export async function telegramLink({ product, seed }: TrialContext): Promise<void> {
  const { email } = await newPerson(product, `telegram-${seed}@example.com`);
  const intruder = await enter(product, email);
  const opened = await intruder.form("/oauth/connect/new", { platform: "TELEGRAM" });
  const { text } = await intruder.get(new URL(opened.headers.location ?? "", product.url).pathname);
  const link = new URL(/href="([^"]+\?start=[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "about:blank");
  const account = `t${seed}`;
  await sendForm(link.origin, link.pathname + link.search, { account, decision: "start" });

  const chat = `${link.pathname}/chat?account=${account}`;
  await expect.poll(async () => (await send(link.origin, chat)).text, SOON).toContain('name="data"');
  const question = (await send(link.origin, chat)).text.split("<form").at(-1) ?? "";
  expect(question).toContain(`@${account}`);
  const message = /name="message" value="(\d+)"/.exec(question)?.[1] ?? "";
  const no = [...question.matchAll(/name="data" value="([^"]*)"/g)].at(-1)?.[1] ?? "";
  await sendForm(link.origin, `${link.pathname}/chat`, { account, message, data: no });
  await expect.poll(async () => (await send(link.origin, chat)).text, SOON).not.toContain('name="data"');
  expect(jsonOf(await intruder.get("/v1/accounts"))).toEqual([]);
}

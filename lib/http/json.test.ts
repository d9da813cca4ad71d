import { describe, expect, test } from "vitest";
import { json, TextResponse } from "./json";

const value = { id: 1, text: "grüße" };
const made = () => json(value, { status: 201, headers: { "x-one": "1" } });

describe("a JSON response", () => {
  test("equals the one of Response.json", async () => {
    const [ours, platforms] = [made(), Response.json(value, { status: 201, headers: { "x-one": "1" } })];
    expect([ours.status, [...ours.headers]]).toEqual([platforms.status, [...platforms.headers]]);
    expect(await ours.text()).toBe(await platforms.text());
    expect(ours).toBeInstanceOf(Response);
  });

  test.each([
    { as: "json", read: (answer: Response) => answer.json() },
    { as: "text", read: async (answer: Response) => JSON.parse(await answer.text()) },
    { as: "bytes", read: async (answer: Response) => JSON.parse(Buffer.from(await answer.arrayBuffer()).toString()) },
    { as: "a blob", read: async (answer: Response) => JSON.parse(await (await answer.blob()).text()) },
    { as: "a stream", read: (answer: Response) => new Response(answer.body).json() },
    { as: "a copy", read: (answer: Response) => answer.clone().json() },
  ])("can be read as $as", async ({ read }) => {
    expect(await read(made())).toEqual(value);
  });

  test("can be read only once, and a copy keeps headers that are set later", async () => {
    const answer = made();
    answer.headers.set("x-two", "2");
    expect(answer.clone().headers.get("x-two")).toBe("2");
    expect(answer.bodyUsed).toBe(false);
    await answer.text();
    expect(answer.bodyUsed).toBe(true);
    await expect(answer.text()).rejects.toThrow();
  });

  test("gives the server its text", () => {
    const answer = made();
    expect(answer instanceof TextResponse && answer.content).toBe(JSON.stringify(value));
  });
});

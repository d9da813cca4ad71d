import { describe, expect, test } from "vitest";
import { botTexts, personName, plainName } from "./bot-questions";

describe("a name in the bot's question", () => {
  test.each([
    ["Ada Lovelace", "Ada Lovelace"],
    ["Zoë O’Brien-Łuksza (Ops)", "Zoë O’Brien-Łuksza (Ops)"],
    ["अदा लवलेस", "अदा लवलेस"],
    ["you? Yes!\n\nYour account is safe", "you Yes Your account is safe"],
    ["https://evil.example/x", "https evil example x"],
    ["t.me/evil @mallory #now", "t me evil mallory now"],
    ["a\u202Eb\u200Bc\u0000d", "a b c d"],
    ["*bold* <b>x</b> [a](b)", "bold b x b a (b)"],
    ["🎉🎉", ""],
    ["\uD800x", "x"],
  ])("%j becomes %j", (name, expected) => {
    expect(plainName(name)).toBe(expected);
  });

  test("has at most 40 characters on one line, whatever was entered", () => {
    for (const name of [
      "a".repeat(100_000),
      "é\u0301".repeat(50_000),
      " \n".repeat(50_000),
      "e\u0301\u0301".repeat(9_000),
    ]) {
      expect([...plainName(name)].length).toBeLessThanOrEqual(40);
      expect(botTexts.question("@bob", name).split("\n")[0]).toMatch(/^Connect @bob to .{1,40} at Carillon\?$/u);
    }
  });

  test("names the person by their user name, or by their displayed name", () => {
    expect(personName({ accountId: "7", username: "bob", displayName: "Bob" })).toBe("@bob");
    expect(personName({ accountId: "7", username: "7", displayName: "Bob\nB. at evil.example" })).toBe(
      "Bob B at evil example",
    );
    expect(personName({ accountId: "7", username: "7", displayName: "!" })).toBe("7");
  });
});

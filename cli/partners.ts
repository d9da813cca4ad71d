import { readFile } from "node:fs/promises";
import { findConnectTrace, listConnectTraces } from "../lib/connect";
import { NotFound } from "../lib/errors";
import { addPartnerMember, getPartner, pageLanguages, saveBranding, savePartnerSettings } from "../lib/partners";
import { type Command, choice, type Input, UsageError } from "./command";

const CLIENT = { value: "CLIENT_ID", about: "the partner's client id", required: true } as const;
const EXAMPLE = "q3J0Vw1mB2xZ8sT6yK4nRg";

export const addMemberOfPartner: Command = {
  about: "Lets a person into a partner's console in the dashboard",
  options: {
    partner: { value: "CLIENT_ID", about: "the partner's client id", required: true },
    user: { value: "E", about: "the person's e-mail address", required: true },
  },
  prints: '{ "partner", "user" }',
  example: `--partner ${EXAMPLE} --user ada@example.com`,
  run: (input) => addPartnerMember(input.required("partner"), input.required("user")),
};

export const brandPartner: Command = {
  about: "Sets how a partner's users see the connect pages; what is not given stays, and an empty value takes it away",
  options: {
    client: CLIENT,
    name: { value: "N", about: "as its users know the partner; otherwise the name it was created with" },
    accent: { value: "#rrggbb", about: "of buttons and links on light pages; refused where it cannot be read" },
    "accent-dark": { value: "#rrggbb", about: "the same on dark pages; otherwise made from the other" },
    logo: { value: "FILE", about: "an image of at most 1 MB" },
    language: { value: pageLanguages.join("|"), about: "otherwise each person's browser decides" },
    "home-url": { value: "U", about: 'where "Back to …" leads' },
  },
  prints: '{ "displayName", "accent", "accentDark", "language", "homeUrl", "logoUrl" }',
  example: `--client ${EXAMPLE} --accent "#7a1fa2" --logo acme.png --language de`,
  async run(input) {
    const { id } = await getPartner(input.required("client"));
    return saveBranding(id, {
      displayName: given(input, "name", text),
      accent: given(input, "accent", text),
      accentDark: given(input, "accent-dark", text),
      language: given(input, "language", (language) => choice("language", language, pageLanguages)),
      homeUrl: given(input, "home-url", text),
      logo: await given(input, "logo", bytesOf),
    });
  },
};

const SWITCH = ["on", "off"] as const;

export const settingsOfPartner: Command = {
  about: "Sets how careful a partner's connects are, and shows it; what is not given stays",
  options: {
    client: CLIENT,
    interstitial: { value: "on|off", about: "a connect link first shows a page that names partner and user" },
    hold: { value: "on|off", about: "a new account is not used before the partner's backend confirms it" },
  },
  prints: '{ "interstitial", "hold" }',
  example: `--client ${EXAMPLE} --interstitial on --hold on`,
  async run(input) {
    const { id } = await getPartner(input.required("client"));
    const wish = (name: "interstitial" | "hold") => {
      const value = input.get(name);
      return value === undefined ? {} : { [name]: choice(name, value, SWITCH) === "on" };
    };
    return savePartnerSettings(id, { ...wish("interstitial"), ...wish("hold") }, "operator");
  },
};

/** What was typed: undefined where nothing was, null for an empty value. */
function given<T>(input: Input, option: string, read: (value: string) => T): T | null | undefined {
  const value = input.get(option);
  if (value === undefined || value === "") return value === "" ? null : undefined;
  return read(value);
}

const text = (value: string) => value;

async function bytesOf(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new UsageError(`--logo cannot be read: ${file}`);
  });
}

export const attemptsOfPartner: Command = {
  about: "Lists the latest attempts of a partner's users to connect, step by step; they are kept for 30 days",
  options: {
    client: CLIENT,
    code: { value: "C", about: "the one that a person quotes" },
  },
  prints: '{ "attempts": [{ "code", "platform", "connectUser", "outcome", "steps", … }] }',
  example: `--client ${EXAMPLE} --code 7KQ4M-2XPTR`,
  async run(input) {
    const { id } = await getPartner(input.required("client"));
    const code = input.get("code");
    if (!code) return { attempts: (await listConnectTraces(id, { limit: 20 })).items };
    const trace = await findConnectTrace(id, code);
    if (!trace) throw new NotFound("Attempt", code);
    return { attempts: [trace] };
  },
};

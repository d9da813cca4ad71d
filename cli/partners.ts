import { readFile } from "node:fs/promises";
import { findConnectTrace, listConnectTraces } from "../lib/connect";
import { NotFound } from "../lib/errors";
import {
  addPartnerMember,
  getPartner,
  memberRoles,
  pageLanguages,
  saveBranding,
  savePartnerSettings,
} from "../lib/partners";
import { type Command, choice, type Input, UsageError } from "./command";

const CLIENT = { value: "CLIENT_ID", about: "the partner's client ID", required: true } as const;
const EXAMPLE = "q3J0Vw1mB2xZ8sT6yK4nRg";

export const addMemberOfPartner: Command = {
  about: "Gives a user access to a partner's console in the dashboard, or another role there",
  options: {
    partner: { value: "CLIENT_ID", about: "the partner's client ID", required: true },
    user: { value: "E", about: "the user's email address", required: true },
    role: { value: memberRoles.join("|"), about: "default: owner; a member keeps the role without this option" },
  },
  prints: '{ "partner", "user", "role" }',
  example: `--partner ${EXAMPLE} --user ada@example.com --role developer`,
  prepare(input) {
    const role = input.get("role");
    const given = role === undefined ? undefined : choice("role", role, memberRoles);
    return () => addPartnerMember(input.required("partner"), input.required("user"), given);
  },
};

export const brandPartner: Command = {
  about:
    "Sets the branding of a partner's connect pages; an option that is not given stays as it is, and an empty value resets it",
  options: {
    client: CLIENT,
    name: { value: "N", about: "the displayed name (default: the partner's name)" },
    accent: {
      value: "#rrggbb",
      about: "color of buttons and links on light pages; rejected if its contrast is too low",
    },
    "accent-dark": { value: "#rrggbb", about: "the same on dark pages (default: derived from --accent)" },
    logo: { value: "FILE", about: "an image of at most 1 MB" },
    language: { value: pageLanguages.join("|"), about: "default: the language of the browser" },
    "home-url": { value: "U", about: 'the target of "Back to …"' },
  },
  prints: '{ "displayName", "accent", "accentDark", "language", "homeUrl", "logoUrl" }',
  example: `--client ${EXAMPLE} --accent "#7a1fa2" --logo acme.png --language de`,
  async prepare(input) {
    const branding = {
      displayName: given(input, "name", text),
      accent: given(input, "accent", text),
      accentDark: given(input, "accent-dark", text),
      language: given(input, "language", (language) => choice("language", language, pageLanguages)),
      homeUrl: given(input, "home-url", text),
      logo: await given(input, "logo", readLogo),
    };
    return async () => {
      const { id } = await getPartner(input.required("client"));
      return saveBranding(id, branding);
    };
  },
};

const SWITCH = ["on", "off"] as const;

export const settingsOfPartner: Command = {
  about: "Changes and shows a partner's connect settings; an option that is not given stays as it is",
  options: {
    client: CLIENT,
    interstitial: { value: "on|off", about: "a connect link first shows a page that names the partner and the user" },
    hold: { value: "on|off", about: "a new account is not used until the partner's backend confirms it" },
  },
  prints: '{ "interstitial", "hold" }',
  example: `--client ${EXAMPLE} --interstitial on --hold on`,
  prepare(input) {
    const switchOf = (name: "interstitial" | "hold") => {
      const value = input.get(name);
      return value === undefined ? {} : { [name]: choice(name, value, SWITCH) === "on" };
    };
    const settings = { ...switchOf("interstitial"), ...switchOf("hold") };
    return async () => {
      const { id } = await getPartner(input.required("client"));
      return savePartnerSettings(id, settings, "operator");
    };
  },
};

/** Returns the parsed value of an option: undefined if it is not given, null if it is empty. */
function given<T>(input: Input, option: string, read: (value: string) => T): T | null | undefined {
  const value = input.get(option);
  if (value === undefined || value === "") return value === "" ? null : undefined;
  return read(value);
}

const text = (value: string) => value;

async function readLogo(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new UsageError(`--logo cannot be read: ${file}`);
  });
}

export const attemptsOfPartner: Command = {
  about: "Lists the latest connect attempts of a partner's users with their steps; attempts are kept for 30 days",
  options: {
    client: CLIENT,
    code: { value: "C", about: "the code that a user quotes" },
  },
  prints: '{ "attempts": [{ "code", "platform", "connectUser", "outcome", "steps", … }] }',
  example: `--client ${EXAMPLE} --code 7KQ4M-2XPTR`,
  prepare: (input) => async () => {
    const { id } = await getPartner(input.required("client"));
    const code = input.get("code");
    if (!code) return { attempts: (await listConnectTraces(id, { limit: 20 })).items };
    const trace = await findConnectTrace(id, code);
    if (!trace) throw new NotFound("Attempt", code);
    return { attempts: [trace] };
  },
};

import { type NetworkName, networkNames } from "../platforms";
import { origin, text } from "./parsers";
import { type EnvSettings, problemLine, type Variables } from "./settings";

/** How a network is reached: at its own hosts, in the sandbox, or not at all. */
export type NetworkSettings =
  | { mode: "real" | "sandbox"; clientId: string; clientSecret: string; apiUrl?: string; configId?: string }
  | { mode: "off" };

/** Telegram has only a bot token. Bluesky identifies us by the URL of our public client document and the key in it. */
function credentialsOf(name: NetworkName, from: Variables, read: EnvSettings, appUrl: string) {
  const { TELEGRAM_BOT_TOKEN: token, BLUESKY_CLIENT_KEY: key } = read;
  if (name === "telegram") return { clientId: token?.split(":")[0], clientSecret: token };
  if (name === "bluesky") return { clientId: key && `${appUrl}/oauth/client/bluesky`, clientSecret: key };
  const prefix = name.toUpperCase();
  return { clientId: from[`${prefix}_CLIENT_ID`], clientSecret: from[`${prefix}_CLIENT_SECRET`] };
}

/** Reads the credentials and API URL of each network, and adds a problem for each wrong value. */
export function readNetworks(
  from: Variables,
  read: EnvSettings,
  sandbox: boolean,
  sandboxUrl: string,
  appUrl: string,
  problems: string[],
) {
  const networkOf = (name: NetworkName): NetworkSettings => {
    const prefix = name.toUpperCase();
    const check = (part: string, schema: typeof text | typeof origin, example: string) => {
      const value = from[`${prefix}_${part}`];
      const { data, error } = schema.optional().safeParse(value || undefined);
      if (error) problems.push(problemLine(`${prefix}_${part}`, value, error.issues[0]?.message ?? "", example));
      return data;
    };
    const apiUrl = check("API_URL", origin, "https://api.example.com");
    for (const part of ["CLIENT_ID", "CLIENT_SECRET", "CONFIG_ID"])
      check(part, text, "the value from the network's developer page");
    const { clientId, clientSecret } = credentialsOf(name, from, read, appUrl);
    // Facebook Login for Business keeps the permissions in a configuration. Its ID replaces the scopes.
    const configId = from[`${prefix}_CONFIG_ID`] || undefined;
    if (clientId && clientSecret) return { mode: "real", clientId, clientSecret, apiUrl, configId };
    if (clientId || clientSecret) {
      const [present, missing] = clientId ? ["ID", "SECRET"] : ["SECRET", "ID"];
      problems.push(
        problemLine(
          `${prefix}_CLIENT_${missing}`,
          undefined,
          `is required because ${prefix}_CLIENT_${present} is set`,
          "the value from the network's developer page",
        ),
      );
    }
    if (!sandbox) return { mode: "off" };
    const secret = name === "telegram" ? "1000000001:sandbox-telegram-bot" : `sandbox-${name}-secret`;
    return {
      mode: "sandbox",
      clientId: `sandbox-${name}`,
      clientSecret: secret,
      apiUrl: apiUrl ?? `${sandboxUrl}/${name}`,
      configId,
    };
  };
  return Object.fromEntries(networkNames.map((name) => [name, networkOf(name)])) as Record<
    NetworkName,
    NetworkSettings
  >;
}

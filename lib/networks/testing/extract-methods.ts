import { readFileSync, writeFileSync } from "node:fs";

/**
 * Reduces the description of Telegram's Bot API (github.com/PaulSonOfLars/telegram-bot-api-spec, `api.json`) to the methods
 * that an adapter calls and the objects they use, for validation by `botApi`:
 *
 *     npx tsx lib/networks/testing/extract-methods.ts <api.json> <extract.json> --source <address> sendMessage sendPhoto …
 */

type Field = { name: string; types: string[]; required: boolean };
type Type = { fields?: Field[]; subtypes?: string[] };

const [from = "", to = "", , source = "", ...wanted] = process.argv.slice(2);
if (wanted.length === 0) throw new Error("extract-methods.ts <api.json> <extract.json> --source <address> <method>…");
const whole: {
  version: string;
  release_date: string;
  methods: { [name: string]: { fields?: Field[] } };
  types: { [name: string]: Type };
} = JSON.parse(readFileSync(from, "utf8"));

const types: { [name: string]: { fields?: Field[]; oneOf?: string[] } } = {};
const methods = Object.fromEntries(wanted.map((name) => [name, lean(known(whole.methods[name], name).fields ?? [])]));
const { version, release_date: date } = whole;
writeFileSync(to, `${JSON.stringify({ source, version, date, methods, types }, null, 2)}\n`);

/** Removes prose; keeps the objects that parameters use, directly or indirectly. */
function lean(fields: Field[]): Field[] {
  for (const type of fields.flatMap((field) => field.types)) keep(type.replace(/^(Array of )+/, ""));
  return fields.map(({ name, types: of, required }) => ({ name, types: of, required }));
}

function keep(name: string): void {
  const type = whole.types[name];
  if (!type || types[name] || name === "InputFile") return;
  types[name] = type.subtypes?.length ? { oneOf: type.subtypes } : {};
  if (type.subtypes?.length) for (const one of type.subtypes) keep(one);
  else types[name] = { fields: lean(type.fields ?? []) };
}

function known<T>(found: T | undefined, name: string): T {
  if (!found) throw new Error(`${from} has no ${name}`);
  return found;
}

import {
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { CarillonError, type Carillon as Client, type Schemas } from "../../../sdk/src";
import { CREDENTIAL, clientOf, inFields } from "../client";
import { fields } from "./fields";
import { utcTimeOf } from "./time";

export class Carillon implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Carillon",
    name: "carillon",
    icon: { light: "file:../../icons/carillon.svg", dark: "file:../../icons/carillon.dark.svg" },
    group: ["output"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Publish and schedule posts to ten social networks",
    defaults: { name: "Carillon" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIAL, required: true }],
    properties: fields,
  };

  methods = {
    loadOptions: {
      async getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const accounts = await (await clientOf(this)).get("/v1/accounts").catch(inFields);
        return accounts.map(({ id, platform, accountUsername }) => ({
          name: `${accountUsername} (${platform})`,
          value: id,
        }));
      },
      async getDestinations(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const client = await clientOf(this);
        const chosen = listOf(this.getCurrentNodeParameter("accountIds") ?? []);
        const accounts = await client.get("/v1/accounts").catch(inFields);
        const lists = accounts
          .filter(({ id }) => chosen.includes(String(id)))
          .map(async ({ id, platform, accountUsername }) => {
            const call = { path: { id }, query: { platform } };
            const chats = await client.get("/v1/accounts/{id}/chats", call).catch(noneOnThisNetwork);
            return chats.map((chat) => ({ name: `${chat.title} (${accountUsername})`, value: `${id}/${chat.id}` }));
          });
        return (await Promise.all(lists)).flat();
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const client = await clientOf(this);
    let accounts: Promise<Schemas["Account"][]> | undefined;
    const listAccounts = () => {
      accounts ??= client.get("/v1/accounts");
      return accounts;
    };
    const results: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        const json = await runItem({ context: this, client, listAccounts, item }).catch(inFields);
        results.push({ json, pairedItem: { item } });
      } catch (error) {
        const message = messageOf(error);
        if (!this.continueOnFail())
          throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: item, message });
        results.push({ json: { error: message }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

/** The API refuses the question for accounts of networks without channels, Pages or boards. */
function noneOnThisNetwork(error: unknown): Schemas["Chat"][] {
  if (error instanceof CarillonError && error.status === 400) return [];
  return inFields(error);
}

/** Returns each problem with its fix, which the SDK keeps apart from its message. */
function messageOf(error: unknown): string {
  if (!(error instanceof CarillonError) || error.problems.length === 0) return (error as Error).message;
  return error.problems
    .map(({ path, message, fix }) => [path, message].filter(Boolean).join(" ") + (fix ? `. ${fix}` : ""))
    .join("\n");
}

type Run = {
  context: IExecuteFunctions;
  client: Client;
  /** Asks the server once for all items. */
  listAccounts: () => Promise<Schemas["Account"][]>;
  item: number;
};

async function runItem(run: Run): Promise<IDataObject> {
  const { context, item } = run;
  const operation = `${context.getNodeParameter("resource", item)}.${context.getNodeParameter("operation", item)}`;
  if (operation === "file.upload") return upload(run);
  if (operation === "post.wait") return wait(run);
  return create(run);
}

async function create({ context, client, listAccounts, item }: Run): Promise<IDataObject> {
  const ids = listOf(context.getNodeParameter("accountIds", item));
  const when = context.getNodeParameter("when", item) as "draft" | "now" | "scheduled";
  const paths = listOf(context.getNodeParameter("attachmentPaths", item, [])).filter(Boolean);
  const content = (context.getNodeParameter("text", item) as string) || undefined;
  const accounts = await listAccounts();
  const byNetwork = settingsOf(context.getNodeParameter("settings", item, {}), accounts);
  const chats = chatsOf(listOf(context.getNodeParameter("destinations", item, [])).filter(Boolean), ids);
  const publications = ids.flatMap((id) => {
    const account = accounts.find((one) => String(one.id) === id);
    if (!account) throw new Error(`There is no account with the ID ${id}. Choose one from the list`);
    return (chats.get(id) ?? [undefined]).map((chatId) => ({
      socialMediaAccountId: account.id,
      platformSettings: { ...byNetwork.get(account.platform), type: account.platform },
      posts: [{ content, chatId, ...(paths.length > 0 ? { attachmentPaths: paths } : {}) }],
    }));
  });
  const body: Schemas["NewSchedule"] = {
    scheduledTime: timeOf(context, when, item),
    isDraft: when === "draft" || undefined,
    publications,
  };
  return { ...(await client.post("/v1/posts", { body, idempotencyKey: keyOf(context, item) })) };
}

/** An expression can also give a single value. */
const listOf = (value: unknown) => [value].flat().map(String);

/**
 * Returns the channels, Pages and boards of each account.
 * @throws Error for one that no post would go to, because its account is not chosen
 */
function chatsOf(destinations: string[], accountIds: string[]): Map<string, string[]> {
  const chats = new Map<string, string[]>();
  for (const destination of destinations) {
    const [, id = "", chatId] = /^(\d+)\/(.+)$/.exec(destination) ?? [];
    if (chatId === undefined || !accountIds.includes(id))
      throw new Error(
        `${destination} is not a destination of a chosen account. Choose one from the list, or write the ID of the account, a slash and the ID of the destination, such as 12/-1001234`,
      );
    chats.set(id, [...(chats.get(id) ?? []), chatId]);
  }
  return chats;
}

/** @throws Error for settings that no post would have, such as those of a network that was misspelled */
function settingsOf(given: unknown, accounts: Schemas["Account"][]): Map<string, object> {
  const all = typeof given === "string" ? parsed(given || "{}") : given;
  const isObject = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(all) || !Object.values(all).every(isObject))
    throw new Error('Settings must be JSON with one object for each network, such as {"YOUTUBE": {"title": "Bells"}}');
  const platforms = [...new Set(accounts.map(({ platform }) => platform))];
  return new Map(
    Object.entries(all).map(([name, one]) => {
      const platform = platforms.find((known) => known === name.toUpperCase());
      if (!platform)
        throw new Error(`Settings has ${name}, but no account is on that network. Use ${platforms.join(", ")}`);
      return [platform, one];
    }),
  );
}

/** Undefined if it is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The same for another try of the same item, such as that of “Retry On Fail”, so that nothing is posted twice. */
function keyOf(context: IExecuteFunctions, item: number): string | undefined {
  const execution = context.getExecutionId();
  // A workflow that was copied to another n8n has the same nodes.
  return (
    execution && ["n8n", context.getInstanceId(), execution, context.getNode().id, runOf(context, item), item].join("-")
  );
}

const runOf = (context: IExecuteFunctions, item: number) => context.evaluateExpression("{{ $runIndex }}", item);

function timeOf(context: IExecuteFunctions, when: "draft" | "now" | "scheduled", item: number): string | null {
  if (when === "draft") return null;
  if (when === "now") return firstTimeOf(context, item);
  return utcTimeOf(context.getNodeParameter("scheduledTime", item) as string, context.getTimezone());
}

/** Another try has the time of the first one, because the server refuses the same key with another request. */
function firstTimeOf(context: IExecuteFunctions, item: number): string {
  const kept = context.getContext("node"); // n8n keeps it until the execution ends
  const name = `time of ${runOf(context, item)}-${item}`;
  kept[name] ??= new Date().toISOString();
  return String(kept[name]);
}

async function upload({ context, client, item }: Run): Promise<IDataObject> {
  const field = context.getNodeParameter("binaryPropertyName", item) as string;
  const { fileName, mimeType } = context.helpers.assertBinaryData(item, field);
  const bytes = await context.helpers.getBinaryDataBuffer(item, field);
  const file = new Blob([new Uint8Array(bytes)], { type: mimeType });
  return { path: await client.upload(file, { filename: fileName ?? "file" }) };
}

async function wait({ context, client, item }: Run): Promise<IDataObject> {
  const id = context.getNodeParameter("postId", item) as number;
  const seconds = context.getNodeParameter("timeoutSeconds", item) as number;
  return { ...(await client.waitFor({ id }, { timeoutMs: 1_000 * seconds })) };
}

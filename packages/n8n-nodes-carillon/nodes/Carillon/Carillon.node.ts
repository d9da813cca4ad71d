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
import type { Carillon as Client, Schemas } from "../../../sdk/src";
import { CREDENTIAL, clientOf } from "../client";
import { fields } from "./fields";
import { utcTimeOf } from "./time";

export class Carillon implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Carillon",
    name: "carillon",
    icon: "file:../../icons/carillon.svg",
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
        const accounts = await (await clientOf(this)).get("/v1/accounts");
        return accounts.map(({ id, platform, accountUsername }) => ({
          name: `${accountUsername} (${platform})`,
          value: id,
        }));
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const client = await clientOf(this);
    const results: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        const json = await runItem(this, client, item);
        results.push({ json, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: item });
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

async function runItem(context: IExecuteFunctions, client: Client, item: number): Promise<IDataObject> {
  const operation = `${context.getNodeParameter("resource", item)}.${context.getNodeParameter("operation", item)}`;
  if (operation === "file.upload") return upload(context, client, item);
  if (operation === "post.wait") return wait(context, client, item);
  return create(context, client, item);
}

/** A second run of the same item, such as “Retry On Fail”, does not post twice: its key is the same. */
async function create(context: IExecuteFunctions, client: Client, item: number): Promise<IDataObject> {
  const ids = context.getNodeParameter("accountIds", item) as (number | string)[];
  const when = context.getNodeParameter("when", item) as "draft" | "now" | "scheduled";
  const paths = context.getNodeParameter("attachmentPaths", item, []) as string[];
  const content = (context.getNodeParameter("text", item) as string) || undefined;
  const settings = context.getNodeParameter("settings", item, {}) as string | { [network: string]: object };
  const byNetwork = typeof settings === "string" ? JSON.parse(settings || "{}") : settings;
  const accounts = await client.get("/v1/accounts");
  const publications = ids.map((id) => {
    const account = accounts.find((one) => String(one.id) === String(id));
    if (!account) throw new Error(`There is no account with the ID ${id}. Choose one from the list`);
    const attachmentPaths = paths.filter(Boolean);
    return {
      socialMediaAccountId: account.id,
      platformSettings: { ...byNetwork[account.platform], type: account.platform },
      posts: [{ content, ...(attachmentPaths.length > 0 ? { attachmentPaths } : {}) }],
    };
  });
  const body: Schemas["NewSchedule"] = {
    scheduledTime: timeOf(context, when, item),
    isDraft: when === "draft" || undefined,
    publications,
  };
  const run = context.evaluateExpression("{{ $runIndex }}", item);
  const idempotencyKey = `n8n-${context.getExecutionId()}-${context.getNode().id}-${run}-${item}`;
  return { ...(await client.post("/v1/posts", { body, idempotencyKey })) };
}

function timeOf(context: IExecuteFunctions, when: "draft" | "now" | "scheduled", item: number): string | null {
  if (when === "draft") return null;
  if (when === "now") return new Date().toISOString();
  return utcTimeOf(context.getNodeParameter("scheduledTime", item) as string, context.getTimezone());
}

async function upload(context: IExecuteFunctions, client: Client, item: number): Promise<IDataObject> {
  const field = context.getNodeParameter("binaryPropertyName", item) as string;
  const { fileName, mimeType } = context.helpers.assertBinaryData(item, field);
  const bytes = await context.helpers.getBinaryDataBuffer(item, field);
  const file = new Blob([new Uint8Array(bytes)], { type: mimeType });
  return { path: await client.upload(file, { filename: fileName ?? "file" }) };
}

async function wait(context: IExecuteFunctions, client: Client, item: number): Promise<IDataObject> {
  const id = context.getNodeParameter("postId", item) as number;
  const seconds = context.getNodeParameter("timeoutSeconds", item) as number;
  return { ...(await client.waitFor({ id }, { timeoutMs: 1_000 * seconds })) };
}

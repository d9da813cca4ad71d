import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { CarillonError, type Schemas, verifyWebhook } from "../../../sdk/src";
import { CREDENTIAL, clientOf, inFields } from "../client";

/** What the workflow remembers about its webhook. */
type Stored = { webhookId?: number; secret?: string };

export class CarillonTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Carillon Trigger",
    name: "carillonTrigger",
    icon: { light: "file:../../icons/carillon.svg", dark: "file:../../icons/carillon.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when a post is published or fails, and on other events of Carillon",
    defaults: { name: "Carillon Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIAL, required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["post.completed", "post.failed"],
        options: [
          { name: "Account Connected", value: "account.connected" },
          { name: "Account Disconnected", value: "account.disconnected" },
          { name: "Account Needs Reconnecting", value: "account.reconnect_required" },
          { name: "Comment Failed", value: "comment.failed" },
          { name: "Comment Published", value: "comment.published" },
          { name: "File Import Failed", value: "media.upload.failed" },
          { name: "File Import Ready", value: "media.upload.ready" },
          { name: "Post Completed", value: "post.completed" },
          { name: "Post Deleted", value: "post.deleted" },
          { name: "Post Failed", value: "post.failed" },
          { name: "Post Has Files That Failed", value: "post.media_import_failed" },
          { name: "Post in Progress", value: "post.in_progress" },
          { name: "Post Partially Completed", value: "post.partially_completed" },
          { name: "Post Scheduled", value: "post.scheduled" },
          { name: "Publication Failed", value: "publication.failed" },
          { name: "Publication Published", value: "publication.published" },
        ],
      },
    ],
  };

  webhookMethods = {
    default: {
      /** Removes a webhook that no longer matches, so that n8n creates it again: a webhook's secret is shown only once. */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId: id, secret } = storedOf(this);
        if (id === undefined || !secret) return false;
        const client = await clientOf(this);
        const webhook = await client.get("/v1/webhooks/{id}", { path: { id } }).catch(unlessMissing);
        const wanted = wantedOf(this);
        const isSame = webhook?.url === wanted.url && sorted(webhook.events) === sorted(wanted.events);
        if (webhook && isSame && webhook.enabled) return true;
        if (webhook) await remove(this);
        return false;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const client = await clientOf(this);
        const { id, secret } = await client.post("/v1/webhooks", { body: wantedOf(this) }).catch(inFields);
        const stored: Stored = { webhookId: id, secret };
        Object.assign(this.getWorkflowStaticData("node"), stored);
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this);
        return true;
      },
    },
  };

  /** Starts the workflow with the event. A message without the right signature is answered with 400 and starts nothing. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject();
    const { secret = "" } = this.getWorkflowStaticData("node") as Stored;
    try {
      const event = await verifyWebhook({ body: request.rawBody, headers: request.headers, secret });
      return { workflowData: [this.helpers.returnJsonArray({ ...event } as unknown as IDataObject)] };
    } catch (error) {
      if (!(error instanceof CarillonError)) throw new NodeOperationError(this.getNode(), error as Error);
      this.getResponseObject().status(error.status).send(error.message).end();
      return { noWebhookResponse: true };
    }
  }
}

const storedOf = (context: IHookFunctions) => context.getWorkflowStaticData("node") as Stored;
const sorted = (events: string[]) => [...events].sort().join();

function wantedOf(context: IHookFunctions): Schemas["NewWebhook"] {
  const url = context.getNodeWebhookUrl("default");
  if (!url) throw new Error("n8n has no address for this webhook. Set WEBHOOK_URL in n8n");
  const events = context.getNodeParameter("events") as Schemas["EventType"][];
  return { url, events, description: `n8n: ${context.getWorkflow().name ?? "a workflow"}`.slice(0, 500) };
}

/** Deletes the webhook of the workflow, which may be gone already. */
async function remove(context: IHookFunctions): Promise<void> {
  const stored = storedOf(context);
  const { webhookId: id } = stored;
  if (id === undefined) return;
  await (await clientOf(context)).delete("/v1/webhooks/{id}", { path: { id } }).catch(unlessMissing);
  delete stored.webhookId;
  delete stored.secret;
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof CarillonError) || error.status !== 404) return inFields(error);
  return undefined;
}

"use client";
import { useRouter } from "next/navigation";
import { useDeleteWebhook, useRotateSecret, useTestWebhook, type Webhook } from "../api/webhooks";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Confirm } from "../ui/confirm";
import { Secret } from "./secret";

/** What can be done with a webhook besides changing it. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const router = useRouter();
  const test = useTestWebhook(webhook.id);
  const rotate = useRotateSecret(webhook.id);
  const remove = useDeleteWebhook(webhook.id);
  const failed = test.error ?? rotate.error ?? remove.error;
  return (
    <Card className="grid gap-4">
      <div className="flex flex-wrap gap-3">
        <Button
          aria-disabled={test.isPending || !webhook.enabled}
          onClick={() => webhook.enabled && !test.isPending && test.mutate(undefined)}
        >
          {test.isPending ? "Sending…" : "Send a test"}
        </Button>
        <Confirm
          trigger={<Button look="quiet">New secret</Button>}
          title="Give it a new secret?"
          action="New secret"
          onConfirm={() => rotate.mutate(undefined)}
        >
          The one of now goes on signing beside the new one for 24 hours, so your receiver has time to change.
        </Confirm>
        <Confirm
          trigger={<Button look="danger">Delete</Button>}
          title="Delete this webhook?"
          action="Delete"
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => router.push("/webhooks") })}
        >
          Nothing more is sent to it, and what was sent is forgotten.
        </Confirm>
      </div>
      {rotate.data && <Secret secret={rotate.data.secret} note="The secret before works for another 24 hours." />}
      <p aria-live="polite" className="text-muted text-sm empty:hidden">
        {test.isSuccess && "A test was sent. What it was answered stands below."}
      </p>
      {failed && (
        <p role="alert" className="text-wrong">
          {failed.message}
        </p>
      )}
    </Card>
  );
}

"use client";
import { useRouter } from "next/navigation";
import { useDeleteWebhook, useRotateSecret, useTestWebhook, type Webhook } from "../api/webhooks";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Confirm } from "../ui/confirm";
import * as words from "../words/webhooks";
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
          {test.isPending ? words.sending : words.sendTest}
        </Button>
        <Confirm
          trigger={<Button look="quiet">{words.newSecret}</Button>}
          title={words.newSecretQuestion}
          action={words.newSecret}
          onConfirm={() => rotate.mutate(undefined)}
        >
          {words.newSecretMeans}
        </Confirm>
        <Confirm
          trigger={<Button look="danger">{words.remove}</Button>}
          title={words.removeQuestion}
          action={words.remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => router.push("/webhooks") })}
        >
          {words.removeMeans}
        </Confirm>
      </div>
      {rotate.data && <Secret secret={rotate.data.secret} note={words.secretBefore} />}
      <p aria-live="polite" className="text-muted text-sm empty:hidden">
        {test.isSuccess && words.testSent}
      </p>
      {failed && (
        <p role="alert" className="text-wrong">
          {failed.message}
        </p>
      )}
    </Card>
  );
}

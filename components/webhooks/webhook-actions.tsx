"use client";
import { useRouter } from "next/navigation";
import { type ApiWebhook, useDeleteWebhook, useRotateSecret, useTestWebhook } from "../api/webhooks";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Confirm } from "../ui/confirm";
import { CopyButton } from "../ui/copy-button";
import { Notice } from "../ui/notice";
import { webhookWords } from "./words";

/** The actions for a webhook other than editing. */
export function WebhookActions({ webhook }: { webhook: ApiWebhook }) {
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
          {test.isPending ? webhookWords.sending : webhookWords.sendTest}
        </Button>
        <Confirm
          trigger={<Button look="quiet">{webhookWords.newSecret}</Button>}
          title={webhookWords.newSecretQuestion}
          action={webhookWords.newSecret}
          onConfirm={() => rotate.mutate(undefined)}
        >
          {webhookWords.newSecretMeans}
        </Confirm>
        <Confirm
          trigger={<Button look="danger">{webhookWords.remove}</Button>}
          title={webhookWords.removeQuestion}
          action={webhookWords.remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => router.push("/webhooks") })}
        >
          {webhookWords.removeMeans}
        </Confirm>
      </div>
      {rotate.data && <Secret secret={rotate.data.secret} note={webhookWords.secretBefore} />}
      <p aria-live="polite" className="text-muted text-sm empty:hidden">
        {test.isSuccess && webhookWords.testSent}
      </p>
      {failed && (
        <p role="alert" className="text-wrong">
          {failed.message}
        </p>
      )}
    </Card>
  );
}

/** A new secret, shown once. */
export function Secret({ secret, note }: { secret: string; note?: string }) {
  return (
    <Notice tone="good" action={<CopyButton text={secret} />}>
      <p className="font-medium">{webhookWords.secretIsNew}</p>
      <code className="mt-1 block break-all text-sm">{secret}</code>
      {note && <p className="mt-1 text-sm">{note}</p>}
    </Notice>
  );
}

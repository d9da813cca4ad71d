import { webhookWords } from "./words";

type Props = { type: string; timestamp: string; data: string };

/** An event with its data. */
export function EventRow({ type, timestamp, data }: Props) {
  return (
    <details className="rounded-2xl border border-line bg-surface px-5 py-3">
      <summary className="py-1">
        <code className="font-medium">{type}</code>
        <span className="block ps-4 text-muted text-sm sm:inline">
          {webhookWords.inUtc(timestamp.slice(0, 19).replace("T", " "))}
        </span>
      </summary>
      <pre className="my-2 max-h-96 overflow-y-auto whitespace-pre-wrap break-all rounded-lg bg-sunk p-3 text-sm">
        {data}
      </pre>
    </details>
  );
}

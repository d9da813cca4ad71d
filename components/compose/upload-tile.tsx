import { ArrowLeft, ArrowRight, RotateCcw, X } from "lucide-react";
import type { ReactNode } from "react";
import { MediaThumb } from "./media-thumb";
import type { Upload, Uploads } from "./use-uploads";

type Props = { upload: Upload; uploads: Uploads; isFirst: boolean; isLast: boolean };

/** One file: how far it is, and everything that can be done with it. */
export function UploadTile({ upload, uploads, isFirst, isLast }: Props) {
  const { id, name, share, path, error } = upload;
  const isSending = !path && !error;
  return (
    <li className="grid content-start gap-2 rounded-lg border border-line bg-surface p-2">
      <MediaThumb media={upload} alt="" className="aspect-square" />
      <p className="truncate text-sm" title={name}>
        {name}
      </p>
      {isSending && (
        <>
          <progress
            aria-label={`Uploading ${name}`}
            value={share}
            className="h-1.5 w-full overflow-hidden rounded-full accent-(--accent)"
          />
          <p className="text-muted text-xs">{share < 1 ? `${Math.round(share * 100)} %` : "Checking…"}</p>
        </>
      )}
      {error && (
        <p role="alert" className="text-wrong text-xs">
          {error}
        </p>
      )}
      <div className="mt-auto flex flex-wrap gap-1">
        {!(isFirst && isLast) && (
          <>
            <TileButton label={`Move ${name} forward`} off={isFirst} onClick={() => uploads.move(id, -1)}>
              <ArrowLeft aria-hidden className="size-4" />
            </TileButton>
            <TileButton label={`Move ${name} back`} off={isLast} onClick={() => uploads.move(id, 1)}>
              <ArrowRight aria-hidden className="size-4" />
            </TileButton>
          </>
        )}
        {error && (
          <TileButton label={`Try ${name} again`} onClick={() => uploads.retry(id)}>
            <RotateCcw aria-hidden className="size-4" />
          </TileButton>
        )}
        <TileButton label={isSending ? `Cancel ${name}` : `Remove ${name}`} onClick={() => uploads.remove(id)}>
          <X aria-hidden className="size-4" />
        </TileButton>
      </div>
    </li>
  );
}

type ButtonProps = { label: string; off?: boolean; onClick: () => void; children: ReactNode };

function TileButton({ label, off = false, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={off}
      onClick={onClick}
      className="inline-flex size-9 items-center justify-center rounded-md border border-line hover:bg-sunk disabled:text-edge disabled:opacity-50"
    >
      {children}
    </button>
  );
}

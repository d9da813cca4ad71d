"use client";
import { FileSpreadsheet } from "lucide-react";
import { useState } from "react";
import { useDropzone } from "react-dropzone";
import { Button } from "../ui/button";
import { Sentence } from "../ui/sentence";
import { bulkWords } from "./words";

type Props = { choose: (file: File) => void; fileName?: string; isBusy: boolean };

/** A field for a file that is dropped or chosen; the chosen name stays visible. */
export function FileField({ choose, fileName, isBusy }: Props) {
  const [refused, setRefused] = useState<string>();
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    noClick: true,
    noKeyboard: true,
    multiple: false,
    onDrop: ([file], rejections) => {
      setRefused(rejections.length > 0 ? bulkWords.oneAtATime : undefined);
      if (file) choose(file);
    },
  });
  return (
    <div
      {...getRootProps({ role: undefined })}
      className={`grid justify-items-start gap-3 rounded-xl border border-dashed p-5 ${isDragActive ? "border-accent bg-accent-soft" : "border-edge"}`}
    >
      <input {...getInputProps({ "aria-label": bulkWords.csvFile })} />
      <p className="text-muted">
        {fileName ? (
          <Sentence
            text={bulkWords.chosen}
            parts={{ file: <span className="break-all font-medium text-ink">{fileName}</span> }}
          />
        ) : (
          bulkWords.drop
        )}
      </p>
      <Button look={fileName ? "quiet" : "primary"} aria-disabled={isBusy} onClick={() => isBusy || open()}>
        <FileSpreadsheet aria-hidden className="size-4" /> {fileName ? bulkWords.chooseAnother : bulkWords.choose}
      </Button>
      {refused && (
        <p role="alert" className="text-sm text-wrong">
          {refused}
        </p>
      )}
    </div>
  );
}

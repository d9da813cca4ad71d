"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { readAnew } from "../../api/client";
import type { ApiAccount, ApiNewSchedule } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Sentence } from "../../ui/sentence";
import { TitledModal } from "../../ui/titled-modal";
import { say } from "../../ui/toast";
import { partFieldId } from "../check/fixes";
import { filesOf, type OriginalSchedule, postSchedule, type StoredSchedule } from "../draft/queries";
import { randomKey } from "../draft/submission";
import type { Upload } from "../uploads/use-uploads";
import { differencesOf, type VersionDifference } from "./differences";
import { clashWords } from "./words";

type Props = {
  /** Returns the request that would be saved now. */
  mine: () => ApiNewSchedule;
  theirs: StoredSchedule;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  files: Upload[];
  /** Whether keeping mine sends it at once. */
  isSent: boolean;
  keepMine: () => void;
  onTaken: (theirs: OriginalSchedule) => void;
  close: () => void;
};

/** Shows an edit conflict: the version on this page and the version that someone else saved. */
export function Clash({ mine, theirs, accounts, networks, files, onTaken, ...choice }: Props) {
  const cache = useQueryClient();
  const [asked] = useState(mine);
  const { schedule, tag } = theirs;
  const known = useQuery({
    queryKey: ["files of", schedule.id, tag],
    queryFn: () => filesOf(schedule),
    retry: 1,
  });
  const theirFiles = known.data ?? (known.error ? [] : undefined);
  const differences = useMemo(() => {
    const nameOf = (path: string) =>
      files.find((file) => file.path === path)?.name ??
      theirFiles?.find((file) => file.path === path)?.filename ??
      clashWords.goneFile;
    return theirFiles && differencesOf(asked, schedule, { accounts, networks, nameOf });
  }, [asked, schedule, accounts, networks, files, theirFiles]);

  async function takeTheirs() {
    await postSchedule({ ...asked, isDraft: true }, randomKey());
    await readAnew(cache, { queryKey: ["schedules"] });
    say((toast) => toast.success(clashWords.taken));
    onTaken({ ...theirs, files: theirFiles ?? [] });
  }
  return differences && <ClashWindow {...choice} differences={differences} takeTheirs={takeTheirs} />;
}

type WindowProps = {
  differences: VersionDifference[];
  /** "Keep mine" publishes or plans it at once, because it is not saved automatically. */
  isSent: boolean;
  keepMine: () => void;
  /** @throws Error if mine could not be saved as a draft; then theirs is not loaded */
  takeTheirs: () => Promise<void>;
  close: () => void;
};

/** Compares two versions of a post word by word and asks which to keep. Closing it keeps saving paused. */
function ClashWindow({ differences, isSent, keepMine, takeTheirs, close }: WindowProps) {
  const [failure, setFailure] = useState<string>();
  const [isTaking, setTaking] = useState(false);
  async function take() {
    if (isTaking) return;
    setTaking(true);
    setFailure(undefined);
    await takeTheirs().catch(({ message }: Error) => setFailure(message));
    setTaking(false);
  }
  return (
    <TitledModal
      title={clashWords.title}
      close={close}
      otherwise={`[id^="${partFieldId(undefined, "")}"]`}
      className="w-[min(44rem,calc(100vw-2rem))]"
    >
      <p className="text-sm">
        <Sentence
          text={clashWords.legend}
          parts={{
            crossedOut: <del className={MINE}>{clashWords.crossedOut}</del>,
            underlined: <ins className={THEIRS}>{clashWords.underlined}</ins>,
          }}
        />
      </p>
      <section
        aria-label={clashWords.whatDiffers}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        className="grid max-h-[50dvh] content-start gap-4 overflow-y-auto"
      >
        {differences.map((difference) => (
          <Compared key={difference.about} difference={difference} />
        ))}
        {differences.length === 0 && <p>{clashWords.nothingDiffers}</p>}
      </section>
      {failure && <Notice tone="wrong">{clashWords.notPutAside(failure)}</Notice>}
      <div className="grid gap-3 border-line border-t pt-4 sm:grid-cols-2">
        <Choice says={clashWords.writtenOver}>
          <Button onClick={keepMine}>{isSent ? clashWords.keepMineAndSave : clashWords.keepMine}</Button>
        </Choice>
        <Choice says={clashWords.staysAsDraft}>
          <Button look="quiet" aria-disabled={isTaking} onClick={() => void take()}>
            {isTaking ? clashWords.puttingAside : clashWords.takeTheirs}
          </Button>
        </Choice>
      </div>
      <button type="button" onClick={close} className="min-h-8 justify-self-start text-accent text-sm underline">
        {clashWords.decideLater}
      </button>
    </TitledModal>
  );
}

const MINE = "rounded-sm bg-wrong-soft text-wrong line-through";
const THEIRS = "rounded-sm bg-accent-soft text-accent underline";

function Compared({ difference }: { difference: VersionDifference }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold text-sm">{difference.about}</h3>
      {"pieces" in difference ? (
        <p className="wrap-anywhere whitespace-pre-wrap rounded-lg border border-line p-3">
          {difference.pieces.map((piece, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity than their position
            "same" in piece ? <span key={index}>{piece.same}</span> : <Change key={index} {...piece} />,
          )}
        </p>
      ) : (
        <p className="wrap-anywhere rounded-lg border border-line p-3">
          <Change mine={difference.mine} theirs={difference.theirs} isApart />
        </p>
      )}
    </div>
  );
}

/** A difference between the versions. It is also described in words, because screen readers ignore the marks. */
function Change({ mine, theirs, isApart = false }: { mine: string; theirs: string; isApart?: boolean }) {
  return (
    <>
      {mine && (
        <del className={MINE}>
          <span className="sr-only">{clashWords.onlyInYours}</span>
          {mine}
        </del>
      )}
      {isApart && " "}
      {theirs && (
        <ins className={THEIRS}>
          <span className="sr-only">{clashWords.onlyInTheirs}</span>
          {theirs}
        </ins>
      )}
      <span className="sr-only">{clashWords.endOfChange}</span>
    </>
  );
}

function Choice({ says, children }: { says: string; children: React.ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      {children}
      <p className="text-center text-muted text-xs">{says}</p>
    </div>
  );
}

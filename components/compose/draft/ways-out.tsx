"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { readAnew } from "../../api/client";
import { Button } from "../../ui/button";
import { TitledModal } from "../../ui/titled-modal";
import { say } from "../../ui/toast";
import { composeWords } from "../words";
import { sayOnlyHere, type Version } from "./local-storage";
import { deleteDraft } from "./queries";
import { type DraftSource, forgetSentDraft } from "./source";
import type { WaysOutWords } from "./words";

type QuestionProps = { title: string; text: string; close: () => void; children: ReactNode };

/** A window that asks something, with the answers as buttons. */
function Question({ title, text, close, children }: QuestionProps) {
  return (
    <TitledModal title={title} close={close} className="w-[min(28rem,calc(100vw-2rem))]">
      <p className="text-muted">{text}</p>
      <div className="flex flex-wrap justify-end gap-3">{children}</div>
    </TitledModal>
  );
}

type MoreProps = {
  words: WaysOutWords;
  close: () => void;
  purpose: DraftSource;
  /** Saves what is not saved yet and returns the stored version. */
  keep: () => Promise<Version | undefined>;
  /** Stops saving and returns the stored draft, if any; absent for a planned post, which is not deleted here. */
  stop?: () => Promise<Version | undefined>;
  onDeleted: () => void;
};

/** The other actions for a post, below the button that opens them. Deleting asks for confirmation. */
export function MoreWindow({ words, close, purpose, keep, stop, onDeleted }: MoreProps) {
  const cache = useQueryClient();
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  async function open(address: (id: number) => string) {
    close();
    const version = await keep();
    if (version) router.push(address(version.id));
    else sayOnlyHere();
  }
  async function discard(stop: () => Promise<Version | undefined>) {
    close();
    const version = await stop();
    forgetSentDraft(purpose, version?.id);
    onDeleted();
    if (!version) return;
    await deleteDraft(version.id).catch(({ message }: Error) =>
      say((toast) => toast.error(`${words.stillThere} ${message}`)),
    );
    await readAnew(cache, { queryKey: ["schedules"] });
  }
  if (isAsking && stop)
    return (
      <Question title={words.deleteTitle} text={words.cannotUndo} close={close}>
        <Button look="quiet" onClick={close}>
          {words.keepIt}
        </Button>
        <Button look="danger" onClick={() => void discard(stop)}>
          {words.deleteIt}
        </Button>
      </Question>
    );
  return (
    <TitledModal title={composeWords.more} close={close} className="w-64 md:mt-16 md:mr-6">
      <Button look="quiet" onClick={() => void open((id) => `/compose?copy=${id}`)}>
        {words.duplicate}
      </Button>
      <Button look="quiet" onClick={() => void open((id) => `/posts/${id}/repeat`)}>
        {words.repeat}
      </Button>
      {stop && (
        <Button look="quiet" onClick={() => setAsking(true)}>
          {words.deleteDraft}
        </Button>
      )}
    </TitledModal>
  );
}

type LeavingProps = {
  words: WaysOutWords;
  save: () => void;
  /** Forgets the changes. */
  forget: () => void;
};

/** Asks before a link leaves a planned post whose changes are not saved. */
export function Leaving({ words, save, forget }: LeavingProps) {
  const router = useRouter();
  const [goal, setGoal] = useState<string>();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    function ask(event: MouseEvent) {
      const { target, ctrlKey, metaKey, shiftKey } = event;
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
      const isHere = link?.pathname === location.pathname && link.search === location.search;
      if (!link || isHere || link.target || link.origin !== location.origin || ctrlKey || metaKey || shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      setGoal(link.pathname + link.search + link.hash);
    }
    addEventListener("beforeunload", warn);
    addEventListener("click", ask, true);
    return () => {
      removeEventListener("beforeunload", warn);
      removeEventListener("click", ask, true);
    };
  }, []);
  if (goal === undefined) return null;
  const stay = () => setGoal(undefined);
  return (
    <Question title={words.leaveTitle} text={words.goesOutWithout} close={stay}>
      <Button look="bare" onClick={stay}>
        {words.keepEditing}
      </Button>
      <Button
        look="danger"
        onClick={() => {
          forget();
          router.push(goal);
        }}
      >
        {words.leaveWithout}
      </Button>
      <Button
        onClick={() => {
          stay();
          save();
        }}
      >
        {composeWords.saveChanges}
      </Button>
    </Question>
  );
}

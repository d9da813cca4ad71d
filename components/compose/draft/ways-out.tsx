"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Copy, Repeat, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { readAnew } from "../../api/client";
import { MenuItem, PopupMenu } from "../../posts/row-menu";
import { Button } from "../../ui/button";
import { TitledModal } from "../../ui/titled-modal";
import { say } from "../../ui/toast";
import { composePageWords } from "../page-words";
import { composeWords } from "../words";
import type { Version } from "./local-storage";
import { deleteDraft } from "./queries";
import { type DraftSource, forgetSentDraft } from "./source";
import { waysOutWords } from "./words";

const SMALL = "w-[min(28rem,calc(100vw-2rem))]";

type MoreMenuProps = {
  anchor: HTMLElement;
  close: () => void;
  purpose: DraftSource;
  /** Saves what is not saved yet and returns the stored version. */
  keep: () => Promise<Version | undefined>;
  /** Stops saving and returns the stored draft, if any; absent for a planned post, which is not deleted here. */
  stop?: () => Promise<Version | undefined>;
  onDeleted: () => void;
};

/** What else can be done with a post than sending it. Deleting it is asked for again. */
export function MoreMenu({ anchor, close, purpose, keep, stop, onDeleted }: MoreMenuProps) {
  const cache = useQueryClient();
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  async function open(address: (id: number) => string) {
    const version = await keep();
    if (version) router.push(address(version.id));
    else say((toast) => toast(composePageWords.staysHere));
  }
  async function discard(stop: () => Promise<Version | undefined>) {
    close();
    const version = await stop();
    forgetSentDraft(purpose, version?.id);
    onDeleted();
    if (!version) return;
    await deleteDraft(version.id).catch(({ message }: Error) =>
      say((toast) => toast.error(waysOutWords.stillThere(message))),
    );
    await readAnew(cache, { queryKey: ["schedules"] });
  }
  if (isAsking && stop)
    return (
      <TitledModal title={waysOutWords.deleteTitle} close={close} className={SMALL}>
        <p className="text-muted">{waysOutWords.cannotUndo}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="quiet" onClick={close}>
            {waysOutWords.keepIt}
          </Button>
          <Button look="danger" onClick={() => void discard(stop)}>
            {waysOutWords.deleteIt}
          </Button>
        </div>
      </TitledModal>
    );
  return (
    <PopupMenu label={composeWords.more} anchor={anchor} close={close}>
      <MenuItem icon={Copy} onPress={() => void open((id) => `/compose?copy=${id}`)}>
        {waysOutWords.duplicate}
      </MenuItem>
      <MenuItem icon={Repeat} onPress={() => void open((id) => `/posts/${id}/repeat`)}>
        {waysOutWords.repeat}
      </MenuItem>
      {stop && (
        <MenuItem icon={Trash2} onPress={() => setAsking(true)} isDanger>
          {waysOutWords.deleteDraft}
        </MenuItem>
      )}
    </PopupMenu>
  );
}

type LeavingProps = {
  save: () => void;
  /** Forgets the changes. */
  forget: () => void;
};

/** Asks before a link leaves a planned post whose changes are not saved. */
export function Leaving({ save, forget }: LeavingProps) {
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
    <TitledModal title={waysOutWords.leaveTitle} close={stay} className={SMALL}>
      <p className="text-muted">{waysOutWords.goesOutWithout}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="bare" onClick={stay}>
          {waysOutWords.keepEditing}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            forget();
            router.push(goal);
          }}
        >
          {waysOutWords.leaveWithout}
        </Button>
        <Button
          onClick={() => {
            stay();
            save();
          }}
        >
          {composeWords.saveChanges}
        </Button>
      </div>
    </TitledModal>
  );
}

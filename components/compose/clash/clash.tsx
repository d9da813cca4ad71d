"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { readAnew } from "../../api/client";
import type { ApiAccount, ApiNewSchedule } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import { say } from "../../ui/toast";
import { filesOf, type OriginalSchedule, postSchedule, type StoredSchedule } from "../draft/queries";
import { randomKey } from "../draft/submission";
import type { Upload } from "../uploads/use-uploads";
import { ClashWindow } from "./clash-window";
import { differencesOf } from "./differences";
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

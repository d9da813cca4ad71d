"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { ProblemFix } from "../check/fixes";
import type { Draft } from "./draft";

/** The form of the draft, its current values, and whether the user has changed them. */
export function useDraft(initial: () => Draft) {
  const [begun] = useState(initial);
  const form = useForm<Draft>({ defaultValues: begun });
  const [draft, setDraft] = useState(begun);
  const isTouched = useRef(false);

  useEffect(() => {
    const { unsubscribe } = form.watch(() => {
      isTouched.current = true;
      setDraft({ ...form.getValues() });
    });
    return unsubscribe;
  }, [form]);

  const applyFix = useCallback(
    (fix: ProblemFix) => {
      if ("change" in fix) replaceBy(form, fix.change({ ...form.getValues() }));
    },
    [form],
  );
  return { form, draft, isTouched, applyFix };
}

/** Sets each field, so that all watchers are notified. */
function replaceBy(form: UseFormReturn<Draft>, draft: Draft): void {
  form.setValue("parts", draft.parts);
  form.setValue("accountIds", draft.accountIds);
  form.setValue("own", draft.own);
  form.setValue("without", draft.without);
  form.setValue("settings", draft.settings);
  form.setValue("chats", draft.chats);
  form.setValue("when", draft.when);
  form.setValue("slot", draft.slot);
  form.setValue("at", draft.at);
}

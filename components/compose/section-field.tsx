"use client";
import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { api } from "../api/client";
import type { Section } from "../api/types";
import type { Draft } from "./draft";
import { labelOf } from "./labels";
import { fieldId } from "./remedies";
import type { Target } from "./targets";
import { composeWords } from "./words";

/** The sections of a chosen board, read now; a board without any shows nothing. */
export function SectionField({ target, form }: { target: Target; form: UseFormReturn<Draft> }) {
  const { account, network, chatId, key, settings } = target;
  const part = network.destinations?.part;
  const sections = useQuery({
    queryKey: ["sections", account.id, chatId],
    queryFn: ({ signal }) =>
      api<Section[]>(`/v1/accounts/${account.id}/chats/${encodeURIComponent(chatId ?? "")}/sections`, { signal }),
    enabled: part !== undefined && chatId !== undefined,
  });
  if (!part || !chatId) return null;
  if (sections.error) {
    return <p className="text-sm text-warn">{composeWords.sectionsNotRead(sections.error.message)}</p>;
  }
  if (!sections.data?.length) return null;
  const id = fieldId(key, part);
  return (
    <div className="grid gap-1 text-sm">
      <label htmlFor={id} className="font-medium">
        {labelOf(network.platform, part)}
      </label>
      <select
        id={id}
        {...form.register(`settings.${key}.${part}`)}
        value={String(settings[part] ?? "")}
        className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2"
      >
        <option value="">{composeWords.noSection}</option>
        {sections.data.map((section) => (
          <option key={section.id} value={section.id}>
            {section.title}
          </option>
        ))}
      </select>
    </div>
  );
}

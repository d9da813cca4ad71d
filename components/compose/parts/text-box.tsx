"use client";
import { type RefObject, useRef, useState } from "react";
import type { Platform } from "@/lib/platforms";
import { AtSign, Hash, Link2, MessageSquarePlus, Smile } from "../../ui/icons";
import { Sentence } from "../../ui/sentence";
import { loadedLater } from "../../ui/toast";
import { fieldId, partFieldId } from "../check/fixes";
import { type Draft, type Part, withOwnText } from "../draft/draft";
import type { EditDraft } from "../draft/use-autosave";
import { IconButton } from "../icon-button";
import { loadWindows } from "../load-windows";
import type { Target } from "../targets/targets";
import { keysOf, type NetworkVersion } from "../targets/versions";
import { LibraryStrip } from "../uploads/library-strip";
import type { FileDrop } from "../uploads/use-drop";
import type { Uploads } from "../uploads/use-uploads";
import { composeWords } from "../words";
import { PartCounters } from "./counter";
import { PartFiles, type ReplaceByCrop, TextButton } from "./part-files";
import { joined } from "./parts";
import { PartsField } from "./parts-field";
import { type Tab, TabList, tabId } from "./tab-list";

// Loaded when it is opened.
const EmojiPanel = loadedLater(() => loadWindows().then(({ EmojiPanel }) => EmojiPanel));

type Props = {
  draft: Draft;
  latest: RefObject<Draft>;
  edit: EditDraft;
  targets: Target[];
  tabs: Tab[];
  /** The version that is being written; undefined for the text of all accounts. */
  version: NetworkVersion | undefined;
  look: (version: string | undefined) => void;
  /** Gives each account of a network a version of its own. */
  split: (platform: Platform) => void;
  uploads: Uploads;
  replace: ReplaceByCrop;
  drop: FileDrop;
  announce: (text: string) => void;
  goToField: (field: string, accountKey: string) => void;
};

/** What can begin at the cursor. */
const MARKS = [
  ["#", Hash, composeWords.hashtag],
  ["@", AtSign, composeWords.mention],
  ["https://", Link2, composeWords.link],
] as const;

const FIRST_COMMENT = "firstComment";

const PANEL = "text-panel";
const ALL = "all";

/** The shared text and its files, and what each network has instead of them. */
export function TextBox({
  draft,
  latest,
  edit,
  targets,
  tabs,
  version,
  look,
  split,
  uploads,
  replace,
  drop,
  announce,
  goToField,
}: Props) {
  const [isEmojiOpen, setEmojiOpen] = useState(false);
  const written = useRef<string>(undefined);
  const parts = partsFor(draft, version);
  const key = version?.targets[0]?.key;
  const firstId = partFieldId(key, parts[0]?.id ?? "");
  const commenter = (version?.targets ?? targets).find(({ network }) =>
    network.settings.some(({ name }) => name === FIRST_COMMENT),
  );
  const isThread = parts.length > 1;
  const library = <LibraryStrip uploads={uploads} place={drop.place} />;
  const all: Tab = { id: ALL, name: composeWords.allAccounts, isOwn: false, issues: 0 };

  function change(next: Part[], isTyped?: boolean) {
    edit((now) => (version ? withOwnText(now, keysOf(version), next) : { ...now, parts: next }), true, isTyped);
  }
  /** The text field that was edited last. */
  function field(): HTMLTextAreaElement | undefined {
    const last = partFieldId(key, written.current ?? "");
    const found = document.getElementById(last) ?? document.getElementById(firstId);
    return found instanceof HTMLTextAreaElement ? found : undefined;
  }
  /** Inserts at the cursor, as typing does. */
  function insert(text: string) {
    const area = field();
    area?.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area?.dispatchEvent(new Event("input", { bubbles: true }));
  }
  /** Begins a hashtag, a mention or a link at the cursor, or makes one of the selected text. */
  function begin(mark: string) {
    const area = field();
    if (!area) return;
    const { value, selectionStart: start, selectionEnd: end } = area;
    insert((/\S$/.test(value.slice(0, start)) ? " " : "") + mark + value.slice(start, end));
    area.focus();
  }
  function closeEmoji() {
    setEmojiOpen(false);
    field()?.focus();
  }
  return (
    <div className="min-w-0 rounded-xl border border-edge bg-surface has-[[id^=text-]:focus-visible]:border-accent has-[[id^=text-]:focus-visible]:ring-3 has-[[id^=text-]:focus-visible]:ring-accent/30">
      {tabs.length > 0 && (
        <TabList
          label={composeWords.versions}
          tabs={[all, ...tabs]}
          at={version?.id ?? ALL}
          look={(id) => look(id === ALL ? undefined : id)}
          panel={PANEL}
        />
      )}
      <div
        id={PANEL}
        {...(tabs.length > 0 && { role: "tabpanel", "aria-labelledby": tabId(PANEL, version?.id ?? ALL) })}
        className="grid min-w-0 gap-1 pt-1"
      >
        {version && <VersionLine version={version} draft={draft} edit={edit} split={split} textId={firstId} />}
        <PartsField
          parts={parts}
          accountKey={key}
          label={version ? composeWords.textFor(version.name) : composeWords.text}
          placeholder={composeWords.placeholder}
          rows={5}
          now={() => partsFor(latest.current, version)}
          change={change}
          onRemoved={version ? undefined : uploads.moveToPart}
          onEnter={(partId) => {
            written.current = partId;
            if (!version) drop.enter(partId);
          }}
          announce={announce}
          below={(part, index) => (
            <PartFiles
              {...{ draft, edit, targets, version, uploads, replace, drop, index }}
              part={draft.parts[index] ?? draft.parts.at(-1) ?? part}
              isThread={isThread}
              beside={!isThread && library}
            />
          )}
        />
        {isThread && <ThreadNotes targets={targets} />}
        <div className="flex flex-wrap items-center gap-1 border-line border-t px-2 py-1.5">
          <IconButton label={composeWords.emoji} isOpen={isEmojiOpen} onClick={() => setEmojiOpen(!isEmojiOpen)}>
            <Smile aria-hidden className="size-4" />
          </IconButton>
          {MARKS.map(([mark, Icon, label]) => (
            <IconButton key={mark} label={label} onClick={() => begin(mark)}>
              <Icon aria-hidden className="size-4" />
            </IconButton>
          ))}
          {commenter && (
            <IconButton
              label={composeWords.addComment}
              onClick={() => goToField(fieldId(commenter.key, FIRST_COMMENT), commenter.key)}
            >
              <MessageSquarePlus aria-hidden className="size-4" />
            </IconButton>
          )}
          {isThread ? library : <PartCounters {...{ targets, isThread }} written={version?.targets} index={0} />}
        </div>
        {isEmojiOpen && <EmojiPanel insert={insert} close={closeEmoji} />}
      </div>
    </div>
  );
}

/** The texts of a version; until it is customised, those of all accounts. */
function partsFor({ own, parts }: Draft, version: NetworkVersion | undefined): Part[] {
  const target = version?.targets[0];
  const texts = target && own[target.key];
  if (texts) return texts;
  if (!target || target.network.posts || parts.length === 1) return parts;
  return [{ id: parts[0]?.id ?? "", text: joined(parts.map(({ text }) => text)) }];
}

type VersionLineProps = Pick<Props, "draft" | "edit" | "split"> & { version: NetworkVersion; textId: string };

/** Says whose text it is, and takes the customisation back. */
function VersionLine({ version, draft, edit, split, textId }: VersionLineProps) {
  const { name, platform, targets } = version;
  const keys = keysOf(version);
  const isOwnText = keys.some((key) => draft.own[key]);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 px-3.5 text-muted text-sm">
      <span>
        {isOwnText && (
          <span aria-hidden className="mr-2 inline-block size-2 rounded-full bg-gold align-middle ring-1 ring-warn" />
        )}
        {isOwnText ? composeWords.isCustomised(name) : composeWords.isShared(name)}
      </span>
      <span className="ml-auto flex gap-3">
        {targets.length > 1 && (
          <TextButton onClick={() => split(platform)}>{composeWords.splitVersion(targets.length)}</TextButton>
        )}
        {isOwnText && (
          <TextButton
            onClick={() => {
              edit((now) => withOwnText(now, keys, undefined));
              document.getElementById(textId)?.focus();
            }}
          >
            {composeWords.commonAgain}
          </TextButton>
        )}
      </span>
    </div>
  );
}

function ThreadNotes({ targets }: { targets: Target[] }) {
  return (
    <div className="px-3.5 text-muted text-sm">
      {targets.length > 0 && !targets.some(({ network }) => network.posts) && <p>{composeWords.noThreads}</p>}
      <p>
        <Sentence
          text={composeWords.partKeys}
          parts={{
            alt: <kbd>{composeWords.alt}</kbd>,
            enter: <kbd>{composeWords.enter}</kbd>,
            up: <kbd>↑</kbd>,
            down: <kbd>↓</kbd>,
          }}
        />
      </p>
    </div>
  );
}

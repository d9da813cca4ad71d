import * as z from "zod";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type FixedWindows, fixedWindows } from "../core/rate-limits";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";

/** Behaviour that depends on the application or varies, set by `/_control/pinterest/switches`. */
const NewSwitches = z.strictObject({
  /** The application is not activated yet. */
  pending: z.boolean().default(false),
  /** Trial access: 300 writes and 1,000 calls a day for the application; Pins are visible only to their creator. */
  trial: z.boolean().default(false),
  /** The spam filter blocks every new Pin. */
  spam: z.boolean().default(false),
  /** The delay before a new Pin appears in its board's list. */
  listedAfterSeconds: z.number().min(0).default(0),
  /** Whether a board lists its newest Pins first. The order is not documented. */
  newestFirst: z.boolean().default(true),
  /** Whether carousel Pins are accepted. Reports disagree. */
  carousels: z.boolean().default(true),
  /** Images in Base64 above this size are refused, with this status. Production clients send addresses. */
  maxBase64Bytes: z.number().default(Number.MAX_SAFE_INTEGER),
  tooLongStatus: z.literal([400, 413]).default(413),
  /** What separates the scopes in a token answer. This is not documented. */
  scopeSeparator: z.enum([" ", ","]).default(" "),
  /** Whether `x-ratelimit-reset` is a Unix time instead of the seconds until the reset. Its unit is not documented. */
  resetIsUnixTime: z.boolean().default(false),
  /** Whether the callback of a declined consent has an `error`. Its parameters are not documented. */
  denialHasError: z.boolean().default(true),
  /** Whether `cover_image_key_frame_time` alone is a valid cover. This is not documented. */
  keyFrameIsCover: z.boolean().default(true),
  /** Whether a refresh token still works after it was used. */
  usedRefreshWorks: z.boolean().default(false),
  /** The status and code of an invalid refresh token. 283 was seen on an older endpoint; 2 is also that of a wrong client. */
  refusedRefresh: z.enum(["401/283", "400/283", "401/2", "400/1"]).default("401/283"),
  /** How long the policy of an upload lasts. One hour is usual for such policies. */
  policySeconds: z.number().default(3600),
  /** The unit in which texts are counted. JSON Schema counts code points. */
  textUnit: z.enum(["code points", "UTF-16 units"]).default("code points"),
  /** Whether images taller than 1:2.1 or smaller than 200 x 300 are refused. The pages only advise against them. */
  refusesOddImages: z.boolean().default(false),
  /** The highest frame rate of a video. None is documented. */
  maxFrameRate: z.number().default(Number.MAX_SAFE_INTEGER),
  /** For how long after its upload a video cannot be used although its status is `succeeded`, and the refusal until then. */
  usableAfterSeconds: z.number().default(0),
  notReadyMessage: z.string().default("The media has not been processed yet"),
});

type PinterestSwitches = z.output<typeof NewSwitches>;

export type Section = { id: string; name: string };
export type Board = {
  id: string;
  name: string;
  privacy: "PUBLIC" | "SECRET";
  isAdsOnly: boolean;
  sections: Section[];
  createdAt: number;
};

/** A video upload: registered, then sent to the media store, then processed over some polls. */
export type Upload = {
  id: string;
  account: string;
  grant: string;
  /** Form fields that must be sent with the file. */
  parameters: Record<string, string>;
  expiresAt: number;
  polls: number;
  file?: StoredMedia;
  storedAt?: number;
  problem?: true;
};

export type Pin = {
  id: string;
  account: string;
  board: string;
  section: string | null;
  title: string | null;
  description: string | null;
  link: string | null;
  altText: string | null;
  dominantColor: string | null;
  mediaType: "image" | "video" | "multiple_images";
  createdAt: number;
};

export type PinterestState = {
  world: World;
  codes: Codes;
  grants: Grants;
  uploads: Collection<Upload>;
  /** A user's boards. Every user starts with four. */
  boardsOf(account: string): Board[];
  addBoard(account: string, board: Board): Board;
  deleteBoard(account: string, id: string): void;
  addPin(pin: Pin): Pin;
  /** Oldest first. */
  pinsOn(board: string): Pin[];
  reset(): void;
  windows: FixedWindows;
  switches: Switches<PinterestSwitches>;
};

export function openState(world: World): PinterestState {
  const boards = world.collection<Board[]>("pinterest.boards");
  const pins = world.collection<Pin>("pinterest.pins");
  const byBoard = new Map<string, Pin[]>();
  function index(pin: Pin): void {
    const there = byBoard.get(pin.board);
    if (there) there.push(pin);
    else byBoard.set(pin.board, [pin]);
  }
  for (const pin of pins.values()) index(pin);
  const boardsOf = (account: string) => boards.get(account) ?? boards.put(account, firstBoards(account));

  return {
    world,
    codes: world.codes("pinterest"),
    grants: world.grants("pinterest"),
    uploads: world.collection("pinterest.uploads"),
    boardsOf,
    addBoard(account, board) {
      boards.put(account, [...boardsOf(account), board]);
      return board;
    },
    deleteBoard(account, id) {
      boards.put(
        account,
        boardsOf(account).filter((board) => board.id !== id),
      );
    },
    addPin(pin) {
      index(pin);
      return pins.put(pin.id, pin);
    },
    pinsOn: (board) => byBoard.get(board) ?? [],
    reset() {
      pins.clear();
      byBoard.clear();
    },
    windows: fixedWindows(world.clock.now),
    switches: createSwitches(NewSwitches),
  };
}

/** Every user's initial boards: a public one with sections, another public one, a secret one and one for ads only. */
function firstBoards(account: string): Board[] {
  const board = (name: string, facts: Partial<Board> = {}): Board => ({
    id: stableId(["pinterest", account, "board", name], 549_755_813_888_000_000n, 99_999_999_999_999_999n),
    name,
    privacy: "PUBLIC",
    isAdsOnly: false,
    sections: [],
    createdAt: Date.UTC(2024, 0, 1),
    ...facts,
  });
  const sections = ["Spring", "Autumn"].map((name) => ({
    id: stableId(["pinterest", account, "section", name], 5_000_000_000_000_000_000n, 999_999_999_999_999_999n),
    name,
  }));
  return [
    board("Garden", { sections }),
    board("Kitchen"),
    board("Gifts", { privacy: "SECRET" }),
    board("Ad-only Pins", { isAdsOnly: true }),
  ];
}

/** The user id: 19 digits, above 2^53, the same for a name in every sandbox. */
export function userId(name: string): string {
  return stableId(["pinterest", name], 2_000_000_000_000_000_000n, 999_999_999_999_999_999n);
}

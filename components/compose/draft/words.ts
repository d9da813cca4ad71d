/**
 * The texts of what else can be done with a post that is being written, and of the question before its changes are lost. They come
 * with the page, because the composer's script has a size limit.
 */
export const waysOutWords = {
  duplicate: "Duplicate",
  repeat: "Repeat…",
  deleteDraft: "Delete draft",
  deleteTitle: "Delete this draft?",
  cannotUndo: "This can’t be undone.",
  deleteIt: "Delete it",
  keepIt: "Keep it",
  stillThere: "The draft is still there.",

  leaveTitle: "Save your changes?",
  goesOutWithout: "Without them, the post goes out as it was scheduled.",
  keepEditing: "Keep editing",
  leaveWithout: "Leave without saving",
} as const;

export type WaysOutWords = typeof waysOutWords;

/** The texts of the menu of a post that is being written, and of the question before its changes are lost. */
export const waysOutWords = {
  duplicate: "Duplicate",
  repeat: "Repeat…",
  deleteDraft: "Delete draft",
  deleteTitle: "Delete this draft?",
  cannotUndo: "This can’t be undone.",
  deleteIt: "Delete it",
  keepIt: "Keep it",
  stillThere: (why: string) => `The draft is still there: ${why}`,

  leaveTitle: "Save your changes?",
  goesOutWithout: "Without them, the post goes out as it was scheduled.",
  keepEditing: "Keep editing",
  leaveWithout: "Leave without saving",
} as const;

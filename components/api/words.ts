/** The texts for calls of the API that failed without a message of their own, and for posts that could not be moved. */
export const apiWords = {
  silent: "Carillon did not answer. Check your connection.",
  wentWrong: (status: number) =>
    `Something went wrong on our side (status ${status}). Nothing was lost; try again in a moment.`,

  moves: {
    deleted: "It was deleted meanwhile.",
    begun: "It has begun to go out.",
    timeOver: "That time has passed.",
    unknown: "It may have been moved: look at it.",
    movedAlready: "It has another time by now.",
  },
} as const;

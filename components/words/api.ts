/** The texts of answers of our API that did not come, or say nothing themselves. */

export const silent = "Carillon did not answer. Check your connection.";
export const wentWrong = (status: number) =>
  `Something went wrong on our side (status ${status}). Nothing was lost; try again in a moment.`;

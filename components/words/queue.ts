/** The texts of an account's queue: its weekly times, the zone they are read in, and what goes along to another zone. */

export const loading = "Loading the queue";
export const couldNotLoad = (why: string) => `Could not load the queue: ${why}`;
export const noTimesYet = "No times yet. Begin with a ready set, or add your own below.";
export const useReadySet = "Use weekdays 9:00 and 17:00";
export const readySetAdded = "Weekdays 9:00 and 17:00 added.";
/** `days` are their names, with commas between. */
export const added = (time: string, days: string) => `${time} added on ${days}.`;
export const removed = (day: string, time: string) => `${day} ${time} removed.`;
export const nowReadIn = (zone: string) => `Now read in ${zone}.`;
export const notKept = (why: string) => `Not kept, and put back as it was: ${why}`;
export const keeping = "Keeping it…";

// The week.
export const weeklyTimes = "Weekly times";
export const noTimes = "No times";
export const remove = (day: string, time: string) => `Remove ${day} ${time}`;
export const nextFree = "Next free";
export const asYourClock = (zone: string) => `As your own clock shows them, ${zone}.`;

// A time is added.
export const addTime = "Add a time";
export const days = "Days";
export const time = "Time";
export const add = "Add";
export const tickDay = "Tick at least one day.";
export const giveTime = "Give the time.";
export const isThere = "That time is there already.";

// The zone; the three sentences stand in one line.
export const timeZone = "Time zone";
export const readInIt = "All times below are read in it.";
export const ownClock = (zone: string) => `Your own clock is in ${zone}.`;
export const plannedStays = "What is planned already stays where it is, unless you say so when you are asked.";

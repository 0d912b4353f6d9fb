/** How many checks in a row have to agree. What is counted ends at these numbers, as nothing is decided by more. */

/** A held name stops counting as verified after this many failed checks in a row, over at least an hour. */
export const failuresToLose = 3;

/** A contested name moves only after this many checks in a row proved it for the other account. */
export const proofsToMove = 2;

/** A clock may go back so far, and what was counted still counts. What is further ahead was written by one that was wrong. */
export const CLOCK_BACK_MS = 24 * 3_600_000

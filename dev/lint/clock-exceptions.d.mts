/** A file of tests below the root of the repository, and why it reads a clock or waits for time to pass. */
export declare const clockExceptions: readonly (readonly [file: string, why: string])[];

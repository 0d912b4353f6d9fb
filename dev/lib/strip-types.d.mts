/** A file of tests as a function, so that its hooks and tests can be defined inside of a block of its own. */
export function asFunction(source: string): string;

/** A pattern of identifiers, and what to write in their place. */
export declare const goneIdentifiers: readonly (readonly [pattern: string, instead: string])[];

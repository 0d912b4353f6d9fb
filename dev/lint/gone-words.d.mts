/** A pattern of identifiers, and what to write in their place. */
export declare const goneIdentifiers: readonly (readonly [pattern: string, instead: string])[];
/** A pattern of phrases in texts for people, and what to say instead. */
export declare const bannedPhrases: readonly (readonly [pattern: string, instead: string])[];

/** The four things people come with; anchors of docs/troubleshooting.md and of the dashboard's help. */
export const symptoms = [
  'verification-keeps-failing',
  'no-certificate',
  'connection-not-private',
  'redirects-misbehave',
] as const;

export type Symptom = (typeof symptoms)[number];

/** What a state or reason is called and what it asks of the customer. */
export interface HelpText {
  readonly title: string;
  readonly meaning: string;
  /** what to do now; begins with "Nothing to do" where nothing is */
  readonly todo: string;
  /** the chapter of the help that goes on from here */
  readonly symptom: Symptom | null;
}

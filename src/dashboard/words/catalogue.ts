import type { HelpText, IssueActor, Symptom } from '../../rules/codes/code-rows.ts';
import { problemCodes } from '../../rules/codes/problem-codes.ts';
import type { RecordStatus } from '../../rules/desired-records.ts';
import { helpTextOf } from '../../rules/help-text.ts';
import type { ActSubject, IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, issueActs } from '../../rules/issue-acts.ts';
import type { IssueCode } from '../../rules/issue-params.ts';
import { issueCodes, issueSentence } from '../../rules/issue-params.ts';
import type { Chapter } from './english/help-chapters.ts';
import { chapters } from './english/help-chapters.ts';
import { accountMessages } from './english/account-messages.ts';
import { domainMessages } from './english/domain-messages.ts';
import { frameMessages } from './english/frame-messages.ts';
import { handoverMessages } from './english/handover-messages.ts';
import { projectMessages } from './english/project-messages.ts';
import { actorWords, dnsHostMessages, recordMessages, recordStatusWords } from './english/record-messages.ts';
import type { Message, ParamsOf } from './message.ts';

/** What the sentences about an issue are made of. */
interface WordedIssue extends ActSubject {
  readonly code: string;
  /** null in a status written by an older version */
  readonly act: string | null;
  /** the operator's own sentences, for a code or an act of another version */
  readonly message: string;
  readonly fix: string;
}

interface IssueWords {
  /** what was found */
  readonly found: (issue: WordedIssue) => string;
  /** what has to be done */
  readonly act: (issue: WordedIssue) => string;
}

const isCode = (code: string): code is IssueCode => Object.hasOwn(issueCodes, code);
const isAct = (act: string | null): act is IssueAct => act !== null && Object.hasOwn(issueActs, act);

/** The sentences that the operator writes into a status too. */
const englishIssues: IssueWords = Object.freeze<IssueWords>({
  found: ({ code, act, params, message }) => (act !== null && isCode(code) ? issueSentence(code, params) : message),
  act: (issue) => (isAct(issue.act) ? actSentence(issue.act, issue) : issue.fix),
});

/** Every text of the pages in English. A key begins with its page. */
const englishMessages = {
  ...frameMessages,
  ...accountMessages,
  ...projectMessages,
  ...domainMessages,
  ...recordMessages,
  ...dnsHostMessages,
  ...handoverMessages,
} as const;

/** English defines the keys of all texts and their parameters. */
export type MessageKey = keyof typeof englishMessages;
export type MessageParams<Key extends MessageKey> = ParamsOf<(typeof englishMessages)[Key]>;

/** All that the pages say in one language. A text that is missing does not compile. */
export interface Catalogue {
  /** BCP 47; decides the attribute `lang`, dates, numbers and plural forms */
  readonly language: string;
  readonly messages: Readonly<Record<MessageKey, Message>>;
  /** title, meaning and what to do, for a state with its reason or the code of an issue */
  readonly help: (state: string, reason: string) => HelpText;
  /** a title and what to do, by the code of a problem */
  readonly problems: Readonly<Record<keyof typeof problemCodes, Pick<HelpText, 'title' | 'todo'>>>;
  readonly issues: IssueWords;
  readonly chapters: Readonly<Record<Symptom, Chapter>>;
  /** who has to act */
  readonly actors: Readonly<Record<IssueActor, string>>;
  readonly recordStatus: Readonly<Record<RecordStatus, string>>;
}

/** English as it is written in Britain, with dates such as 22 Nov 2026. */
export const english: Catalogue = Object.freeze({
  language: 'en-GB',
  messages: englishMessages,
  help: helpTextOf,
  problems: problemCodes,
  issues: englishIssues,
  chapters,
  actors: actorWords,
  recordStatus: recordStatusWords,
});

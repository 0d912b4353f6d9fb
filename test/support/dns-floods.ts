import { encodeName } from '../../src/dns/wire/wire-name.ts';
import type { Question } from '../../src/dns/wire/dns-message.ts';
import { numberOf, words } from '../../src/dns/wire/dns-message.ts';

/** Answers that are made to take long to read. Each repeats its question, so that it is read at all. */

const headerLength = 12;
const typeNumber = { A: 1, NS: 2, CNAME: 5, SOA: 6, NULL: 10, TXT: 16, OPT: 41, NSEC: 47, SVCB: 64, CAA: 257 } as const;
type Type = keyof typeof typeNumber;

/** A record as bytes: its owner's name, compressed or not, and its data. */
interface Raw {
  readonly owner: Buffer;
  readonly type: Type;
  readonly data: Buffer;
}

interface Sections {
  readonly answers?: readonly Raw[];
  readonly authorities?: readonly Raw[];
  readonly additionals?: readonly Raw[];
  /** how many questions the header announces */
  readonly questions?: number;
}

const bytesOf = ({ owner, type, data }: Raw): Buffer =>
  Buffer.concat([owner, words(typeNumber[type], 1, 0, 60, data.length), data]);

export const pointer = (offset: number): Buffer => Buffer.from([0xc0 | (offset >> 8), offset & 0xff]);
const echoed = pointer(headerLength);
const address = Buffer.from([192, 0, 2, 1]);

export function answerTo(question: Question, id: number, sections: Sections): Buffer {
  const { answers = [], authorities = [], additionals = [], questions = 1 } = sections;
  const asked = Buffer.concat([encodeName(question.name), words(numberOf(question.type), 1)]);
  const header = words(id, 0x8400, questions, answers.length, authorities.length, additionals.length);
  return Buffer.concat([header, asked, ...[...answers, ...authorities, ...additionals].map(bytesOf)]);
}

/** Where the data of the first record begin, whose owner is the question's name. */
const firstData = ({ name }: Question): number => headerLength + encodeName(name).length + 4 + echoed.length + 10;

const many = (count: number, make: (index: number) => Raw): readonly Raw[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** A chain in which each link is `link` and a pointer to the one before it; and where the last link stands. */
function chainAt(start: number, links: number, link: Buffer): { readonly data: Buffer; readonly last: number } {
  const size = link.length + 2;
  const all = Array.from({ length: links }, (_, at) => [
    link,
    pointer(at === 0 ? headerLength : start + (at - 1) * size),
  ]);
  return { data: Buffer.concat(all.flat()), last: start + (links - 1) * size };
}

const none = Buffer.alloc(0);
const label = (text: string): Buffer => Buffer.from([text.length, ...Buffer.from(text)]);

/** A record whose data nobody reads, with a chain in it, and owners that all lead into it. */
function throughChain(question: Question, { links, link, owners }: Chain): Sections {
  const { data, last } = chainAt(firstData(question), links, link);
  const size = link.length + 2;
  return {
    answers: [{ owner: echoed, type: 'NULL', data }],
    additionals: many(owners, (at) => ({ owner: pointer(last - (at % links) * size), type: 'SVCB', data: none })),
  };
}

interface Chain {
  readonly links: number;
  readonly link: Buffer;
  readonly owners: number;
}

/** A name as long as they come, with so many labels before the question's own. */
const longest = (label_: Buffer, count: number): Buffer =>
  Buffer.concat([...Array.from({ length: count }, () => label_), Buffer.from([0])]);

/** What a customer is told to enter as a text; its random part is as long as a real one. */
export const ownershipText = `projectdomain-verify=${'k3v5'.repeat(10)}`;

/** The text with a letter too many and another one wrong, which is as far as it is recognised: for each index below 1,140 another one. */
function mistyped(index: number): Buffer {
  const letters = [...ownershipText];
  letters[60 - (index % 20)] = 'z';
  letters.splice(21 + (Math.floor(index / 20) % 19), 0, 'wxy'[Math.floor(index / 380)] ?? 'w');
  return label(letters.join(''));
}

/** Each family by what it does; each of several servers may say something else. Pointers reach 16 KiB, records are 256 at most, a message has 64 KiB. */
export const floods: Readonly<Record<string, (question: Question, server: number) => Sections>> = {
  'chains of 8,000 pointers': (question) => throughChain(question, { links: 8_000, link: none, owners: 250 }),
  'chains as long as are followed': (question) => throughChain(question, { links: 15, link: none, owners: 250 }),
  'chains of labels of one byte': (question) => throughChain(question, { links: 15, link: label('a'), owners: 250 }),
  'chains of longer labels': (question) =>
    throughChain(question, { links: 15, link: label('abcdefghijklm'), owners: 250 }),
  'labels that overlap': (question) => {
    const block = Buffer.concat([Buffer.alloc(244, 60), Buffer.alloc(64)]);
    const start = firstData(question);
    const within = (at: number) => start + Math.floor(at / 61) * block.length + (at % 61);
    return {
      answers: [{ owner: echoed, type: 'NULL', data: Buffer.concat([block, block, block, block]) }],
      additionals: many(244, (at) => ({ owner: pointer(within(at)), type: 'SVCB', data: none })),
    };
  },
  'one longest name that every record refers to': (question) => {
    const data = longest(label('a'), 127);
    const refer = pointer(firstData(question));
    return {
      answers: [{ owner: echoed, type: 'NULL', data }],
      additionals: many(60, () => ({ owner: refer, type: 'NS', data: refer })),
      authorities: many(60, () => ({
        owner: refer,
        type: 'SOA',
        data: Buffer.concat([refer, refer, Buffer.alloc(20)]),
      })),
    };
  },
  'longest names, each written out': () => ({
    answers: many(120, (at) => {
      const name = Buffer.concat([label(`n${at}`), longest(label('\u001b'), 120)]);
      return { owner: name, type: 'NS', data: name };
    }),
  }),
  'longest names in every record that a signature covers': () => ({
    answers: many(120, (at) => {
      const name = Buffer.concat([label(`n${at}`), longest(label('\u001b'), 120)]);
      return { owner: echoed, type: at % 2 === 0 ? 'NSEC' : 'SVCB', data: name };
    }),
  }),
  'options without end': () => ({
    additionals: [
      {
        owner: Buffer.from([0]),
        type: 'OPT',
        data: Buffer.concat(Array.from({ length: 10_000 }, () => words(15, 2, 6))),
      },
    ],
  }),
  'many records of options': () => ({
    additionals: many(250, () => ({
      owner: Buffer.from([0]),
      type: 'OPT',
      data: Buffer.concat(Array.from({ length: 40 }, () => words(15, 2, 6))),
    })),
  }),
  'more questions than there are bytes': () => ({
    questions: 65_535,
    answers: many(60, () => ({ owner: echoed, type: 'A', data: address })),
  }),
  'texts of empty strings': () => ({
    answers: many(8, () => ({ owner: echoed, type: 'TXT', data: Buffer.alloc(8_000) })),
  }),
  'texts of strings of one byte': () => ({
    answers: many(8, () => ({ owner: echoed, type: 'TXT', data: Buffer.alloc(8_000, 1) })),
  }),
  'texts that are nearly the one that was shown': (_, server) => ({
    answers: many(60, (at) => ({ owner: echoed, type: 'TXT', data: mistyped(server * 60 + at) })),
  }),
  'values without end': () => ({
    answers: many(8, () => ({
      owner: echoed,
      type: 'CAA',
      data: Buffer.concat([Buffer.from([0]), label('issue'), Buffer.alloc(7_900, 0xff)]),
    })),
  }),
  'tags that nobody knows': () => ({
    answers: many(60, () => ({
      owner: echoed,
      type: 'CAA',
      data: Buffer.concat([Buffer.from([0, 255]), Buffer.alloc(255, 1), Buffer.alloc(600, 1)]),
    })),
  }),
};

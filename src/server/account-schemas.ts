import { z } from 'zod';
import { limitFields } from '../rules/plan-limits.ts';
import type { AccountView, UsageView } from '../use-cases/account-and-usage.ts';
import { describing, saying, time } from './schemas.ts';

/** Bodies of the calls about the account: its plan, its limits, and what it has used. */

/** What each limit is, by its field; limits of one name are one limit. */
const limitMeanings: Readonly<Record<string, string>> = {
  requestsPerMinute: 'Requests in any minute.',
  requestsPerDay: 'Requests of a day, UTC.',
  enabled: 'Whether there are custom domains at all.',
  maxPerProject: 'Custom domains of one project.',
  projects: 'Projects.',
  apiKeys: 'API keys.',
};

type LimitSchemas<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends 'switch' ? z.ZodBoolean : z.ZodInt;
};

const limitSchemas = <Fields extends Readonly<Record<string, 'count' | 'switch'>>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [
      name,
      saying<z.ZodType>(kind === 'switch' ? z.boolean() : z.int(), limitMeanings[name] ?? ''),
    ]),
  ) as LimitSchemas<Fields>;

const limits = z
  .strictObject({
    rateLimit: saying(z.strictObject(limitSchemas(limitFields.rateLimit)), 'How many requests all keys may send.'),
    customDomains: saying(z.strictObject(limitSchemas(limitFields.customDomains)), 'Whether, and how many.'),
    maximum: saying(
      z.strictObject({
        ...limitSchemas(limitFields.maximum),
        domains: saying(z.int(), 'Custom domains over all projects of the account.'),
        sessionsPerKey: saying(z.int(), 'Sessions of the dashboard that one key opens.'),
        eventStreams: saying(z.int(), 'Streams of events at a time, at each API server.'),
        bulkItems: saying(z.int(), 'Items of one call that takes many; each counts as a request.'),
      }),
      'How many the account can have of each.',
    ),
  })
  .meta({ id: 'Limits', description: "What the plan allows, with this account's overrides applied." });

export const account = describing<AccountView>()(
  z
    .strictObject({
      name: saying(z.string(), 'What the platform calls the account.'),
      plan: saying(z.string(), 'Such as `free` or `pro`.'),
      limits,
    })
    .meta({ id: 'Account', description: "The account that the caller's key belongs to." }),
);

const usageWindow = z
  .strictObject({
    limit: saying(z.int(), 'Requests that the window admits.'),
    used: saying(z.int(), 'Requests in it.'),
    remaining: saying(z.int(), 'Requests that it would admit now.'),
    resetAt: saying(time, 'When more become available.'),
  })
  .meta({ id: 'UsageWindow', description: 'One window of the quota: the sliding minute, or the day.' });

const banStep = z.int().meta({
  description: 'How many bans of the account counted, this one included: 1 to 5, each longer than the one before.',
});

export const usage = describing<UsageView>()(
  z
    .strictObject({
      minute: usageWindow,
      day: usageWindow,
      nextRequestAt: time.nullable().meta({
        description: "When a request of the caller's key passes again; null if the next one does.",
      }),
      ban: z
        .strictObject({
          until: saying(time, 'When it ends.'),
          step: banStep,
          reason: saying(z.string(), 'Why, as a sentence.'),
        })
        .nullable()
        .meta({ description: "Of the caller's key; null without one." }),
      bans: z
        .array(
          z.strictObject({
            key: saying(z.string(), 'The public part of the key.'),
            from: saying(time, 'When it began.'),
            until: saying(time, 'When it ends, or ended.'),
            step: banStep,
          }),
        )
        .meta({ description: "The last bans of the account's keys, the newest first, ten at most." }),
    })
    .meta({
      id: 'Usage',
      description:
        "Usage in both quota windows, the ban of the caller's key, and the account's last bans. Reading it spends no quota.",
    }),
);

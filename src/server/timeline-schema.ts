import { z } from 'zod';
import { timelineKinds } from '../rules/timeline.ts';
import type { DomainWithTimeline } from '../use-cases/read-domains.ts';
import { describing, domain } from './schemas.ts';

const entry = z
  .strictObject({
    at: z.iso.datetime({ offset: true }),
    kind: z.enum(timelineKinds).meta({
      description: 'State: the domain entered it. Finding: an issue appeared or is gone. Order, Certificate: of it.',
    }),
    state: z.string().meta({ description: 'The state that was entered, or that the domain was in.' }),
    reason: z.string().meta({
      description:
        'For a State why; for a Finding Appeared or Gone, for an Order Ordered, Failed or Abandoned, for a Certificate Issued, Renewed or Revoked, or of one’s own Own, OwnEnding or OwnEnded.',
    }),
    code: z.string().nullable().meta({ description: 'Of the issue; null unless it is a Finding.' }),
    severity: z.enum(['Error', 'Warning']).nullable().meta({ description: 'Null unless it is a Finding.' }),
    params: z.record(z.string(), z.string()).meta({
      description: 'What sentences about it mention: render pages from these, not from the message.',
    }),
    message: z.string(),
  })
  .meta({ id: 'TimelineEntry', description: 'One thing that happened to a domain.' });

/** What the call for one domain answers; lists have no timelines. */
export const domainWithTimeline = describing<DomainWithTimeline>()(
  domain
    .extend({ timeline: z.array(entry).meta({ description: 'Oldest first, fifty entries at most.' }) })
    .meta({ id: 'DomainWithTimeline', description: 'One hostname of a project, with its history.' }),
);

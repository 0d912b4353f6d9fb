import { z } from 'zod';
import type { CreatedHandoverLinkView, HandoverLinkView } from '../use-cases/handover-links.ts';
import { senderMaximum } from '../use-cases/handover-links-port.ts';
import { describing } from './schemas.ts';

/** Bodies of the calls about hand-over links. */

export const handoverLinkNew = z
  .strictObject({
    days: z
      .union([z.literal(1), z.literal(7), z.literal(30)])
      .default(7)
      .meta({ description: 'How long it lasts.' }),
    from: z
      .string()
      .trim()
      .max(senderMaximum)
      .regex(/^\P{C}*$/u, 'has characters that cannot be seen')
      .default('')
      .meta({
        description:
          'Who sends it, as the page that it opens says: whoever gets the link knows by that whom it is from.',
      }),
  })
  .meta({ id: 'NewHandoverLink', description: 'A link to make.' });

const time = z.iso.datetime({ offset: true });

const linkFields = {
  id: z.string(),
  createdBy: z.string().meta({ description: 'The public part of the key that made it; the link ends with the key.' }),
  from: z.string().nullable().meta({ description: 'Who sends it; null where nobody is named.' }),
  createdAt: time,
  expiresAt: time,
};

const handoverLink = describing<HandoverLinkView>()(
  z.strictObject(linkFields).meta({ id: 'HandoverLink', description: 'A link, without what opens it.' }),
);

export const handoverLinks = z
  .strictObject({ items: z.array(handoverLink) })
  .meta({ id: 'HandoverLinks', description: 'All links of a domain that still open.' });

export const handoverLinkCreated = describing<CreatedHandoverLinkView>()(
  z
    .strictObject({
      ...linkFields,
      path: z.string().meta({
        description: 'Path of the page, on the host of the dashboard. This is the only time it is shown.',
      }),
    })
    .meta({ id: 'CreatedHandoverLink', description: 'A newly made link. Whoever has it sees the records.' }),
);

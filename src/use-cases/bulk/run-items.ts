import type { RequestContext } from '../api-dependencies.ts';
import { problemOfError } from '../error-to-problem.ts';
import { createTimeSlices } from '../../lib/time-slices.ts';
import { Problem } from '../problem.ts';

/** Many items, each of which is answered for itself. */
export interface ManyItems<Item> {
  /** as they were sent */
  readonly sent: readonly unknown[];
  /** throws the problem of what cannot be read */
  readonly read: (sent: unknown) => Item;
  /** says what would be answered, and does nothing */
  readonly dryRun: boolean;
}

/** What an item comes to: what is there already, or a write, of which `outcome` is known before. */
interface PlannedItem<Done> {
  readonly outcome: Done;
  /** absent where nothing has to be written; never called in a dry run */
  readonly write?: () => Promise<Done>;
}

/** The writes of earlier items that have not ended yet. */
interface EarlierItems {
  readonly areUnderWay: () => boolean;
  readonly end: () => Promise<unknown>;
}

/** Says what an item comes to after all items before it. Throws the problem that refuses it. */
export type PlanItem<Item, Done> = (
  item: Item,
  earlier: EarlierItems,
) => PlannedItem<Done> | Promise<PlannedItem<Done>>;

/** `item` is null where it could not be read. */
export type ItemOutcome<Item, Done> =
  | { readonly kind: 'done'; readonly item: Item; readonly done: Done }
  | { readonly kind: 'failed'; readonly item: Item | null; readonly error: unknown };

/** How many are written at a time: half of what one account may, so that its other requests keep their turns. */
const atATime = 4;

const retryAfter = 5;

/** For an item that was not begun in time. To send it again is safe, whatever became of it meanwhile. */
const notBegun = (): Problem =>
  new Problem('not-begun', 'there was no time left for this item, and nothing of it was done; send it again', {
    members: { retryAfter },
  });

/**
 * Plans items in their order and carries them out, a few at a time; none stops another. Once the signal aborts, and after an error that nobody
 * expected, no further item is begun: what waits for its turn to write is not written, and what is being written is awaited.
 */
export async function runItems<Item, Done>(
  { signal }: Pick<RequestContext, 'signal'>,
  { sent, read, dryRun }: ManyItems<Item>,
  plan: PlanItem<Item, Done>,
): Promise<readonly ItemOutcome<Item, Done>[]> {
  const outcomes: ItemOutcome<Item, Done>[] = [];
  const underWay = new Set<Promise<void>>();
  const slices = createTimeSlices(() => performance.now());
  let isBroken = false;

  const earlier: EarlierItems = { areUnderWay: () => underWay.size > 0, end: () => Promise.all(underWay) };
  const failed = (item: Item | null, error: unknown): ItemOutcome<Item, Done> => {
    const problem = problemOfError(error);
    isBroken ||= problem === null;
    const isCut = problem?.code === 'starting' && signal.aborted;
    return { kind: 'failed', item, error: isCut ? notBegun() : error };
  };
  const begin = (index: number, item: Item, write: () => Promise<Done>) => {
    const work: Promise<void> = write()
      .then(
        (done) => void (outcomes[index] = { kind: 'done', item, done }),
        (error: unknown) => void (outcomes[index] = failed(item, error)),
      )
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  const next = async (index: number, one: unknown) => {
    let item: Item | null = null;
    try {
      item = read(one);
      if (signal.aborted || isBroken) throw notBegun();
      const { outcome, write } = await plan(item, earlier);
      if (write && !dryRun) begin(index, item, write);
      else outcomes[index] = { kind: 'done', item, done: outcome };
    } catch (error) {
      outcomes[index] = failed(item, error);
    }
  };

  for (const [index, one] of sent.entries()) {
    await slices.next();
    if (underWay.size >= atATime) await Promise.race(underWay);
    await next(index, one);
  }
  await earlier.end();
  return outcomes;
}

import type { KeyState } from './conduct.ts';
import { innocent } from './conduct.ts';
import type { BudgetState } from './windows.ts';
import { emptyBudget } from './windows.ts';

/** The two states as decide.lua packs them: whole numbers, the highest byte first. */

const budgetLength = 40;
const keyLength = 32;
const strikeLength = 4;

/** The budget of a packed text; an empty one for anything else. */
export function readBudget(text: Buffer): BudgetState {
  if (text.length !== budgetLength) return emptyBudget;
  const counts = [4, 8, 12, 16, 20, 24, 28].map((at) => text.readUInt32BE(at));
  return { bucket: text.readUInt32BE(0), counts, day: text.readUInt32BE(32), dayCount: text.readUInt32BE(36) };
}

/** The key's state of a packed text; innocence for anything else. */
export function readKey(text: Buffer): KeyState {
  if (text.length < keyLength) return innocent;
  const count = text.readUInt8(31);
  const strikes = Array.from({ length: count }, (_, index) => text.readUInt32BE(keyLength + index * strikeLength));
  return {
    refusedAtMs: Number(text.readBigUInt64BE(0)),
    refusedUntil: text.readUInt32BE(8),
    forgiven: text.readUInt16BE(12),
    bannedAtMs: Number(text.readBigUInt64BE(14)),
    bannedUntil: text.readUInt32BE(22),
    step: text.readUInt8(26),
    cleanSince: text.readUInt32BE(27),
    strikes,
  };
}

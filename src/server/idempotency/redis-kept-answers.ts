import type { Cluster, Redis } from 'ioredis';
import { createRedisRetry } from '../../lib/redis/redis-retry.ts';
import { markBytes } from './caller-seal.ts';
import type { Begun, KeptAnswers, RecordPlace } from './kept-answers-port.ts';
import { keptSeconds, KeptAnswersUnavailable, leaseSeconds, shares } from './kept-answers-port.ts';

/**
 * Of an account and of each way to know a repeat two keys, on the same node of a Redis Cluster: a hash with a record for each place, and how many
 * bytes they are; and a sorted set of the places by when they end.
 */
const keysOf = ({ account, idempotency }: RecordPlace): readonly [string, string] => {
  const records = `pd:answers:{${account}}:${idempotency}`;
  return [records, `${records}:ends`];
};

/** A record: holder, until when it holds (0: nobody does), since when, mark; then the answer, sealed, once there is one. */
const form = `<c16ddc${markBytes}`;
const headBytes = 16 + 8 + 8 + markBytes;

/** KEYS 1 records 2 their ends. By Redis' clock. */
const common = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function drop(place)
  local size = redis.call('HSTRLEN', KEYS[1], place)
  if size > 0 then redis.call('HINCRBY', KEYS[1], 'bytes', -size) end
  redis.call('HDEL', KEYS[1], place)
  redis.call('ZREM', KEYS[2], place)
end
local function write(place, before, value)
  redis.call('HSET', KEYS[1], place, value)
  return redis.call('HINCRBY', KEYS[1], 'bytes', #value - before)
end
local function held()
  local record = redis.call('HGET', KEYS[1], ARGV[1])
  if record and #record >= ${headBytes} and string.sub(record, 1, 16) == ARGV[2] then return record end
end
`;

/**
 * Begins a request, unless there is something of it already; may be repeated by the same holder. A lease that ends later than any that is given out
 * is by another clock, and counts for nothing. Where half of Redis' memory is used, the rest is left to what limits requests.
 * ARGV 1 place 2 holder 3 mark 4 lease, milliseconds 5 how long it is kept, milliseconds 6 maximum number of records 7 whether the oldest may go
 */
const begin = `${common}
for _, place in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do drop(place) end
local record = redis.call('HGET', KEYS[1], ARGV[1])
if record then
  if #record < ${headBytes} then return {'forged'} end
  local holder, ends, since, mark = struct.unpack('${form}', record)
  if string.sub(mark, 1, 16) ~= string.sub(ARGV[3], 1, 16) then return {'reused', mark} end
  if #record > ${headBytes} then return {'kept', mark, string.sub(record, ${headBytes + 1})} end
  if ends > now and ends <= now + ARGV[4] and holder ~= ARGV[2] then return {'running', mark, now - since, ends - now} end
  write(ARGV[1], #record, struct.pack('${form}', ARGV[2], now + ARGV[4], now, mark))
  return {'begun', mark}
end
local surplus = redis.call('ZCARD', KEYS[2]) - ARGV[6]
if ARGV[7] == '0' then
  if surplus >= 0 then return {'full', redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] - now} end
else
  local memory = redis.pcall('INFO', 'memory')
  if type(memory) == 'string' then
    local used, most = string.match(memory, '\\nused_memory:(%d+)'), string.match(memory, '\\nmaxmemory:(%d+)')
    if used and most and tonumber(most) > 0 and 2 * used > tonumber(most) then return {'no-room'} end
  end
  if surplus >= 0 then
    for _, place in ipairs(redis.call('ZRANGE', KEYS[2], 0, surplus)) do drop(place) end
  end
end
write(ARGV[1], 0, struct.pack('${form}', ARGV[2], now + ARGV[4], now, ARGV[3]))
redis.call('ZADD', KEYS[2], now + ARGV[5], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return {'begun', ARGV[3]}`;

/** Keeps an answer; the oldest others go where all are too many bytes. ARGV 1 place 2 holder 3 answer 4 bytes of all, or nothing */
const finish = `${common}
local record = held()
if not record then return 0 end
local holder, ends, since, mark = struct.unpack('${form}', record)
local bytes = write(ARGV[1], #record, struct.pack('${form}', holder, 0, since, mark) .. ARGV[3])
if ARGV[4] == '' or bytes <= tonumber(ARGV[4]) then return 1 end
for _, place in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  if place ~= ARGV[1] then drop(place) end
  if tonumber(redis.call('HGET', KEYS[1], 'bytes')) <= tonumber(ARGV[4]) then break end
end
return 1`;

/** Ends an attempt without an answer. ARGV 1 place 2 holder 3 whether the record goes too */
const leave = `${common}
local record = held()
if not record or #record > ${headBytes} then return 0 end
if ARGV[3] == '1' then drop(ARGV[1]) return 1 end
local holder, ends, since, mark = struct.unpack('${form}', record)
write(ARGV[1], #record, struct.pack('${form}', holder, 0, since, mark))
return 1`;

type Arguments = (string | number | Uint8Array)[];

interface Commands {
  beginAnswerBuffer(...args: Arguments): Promise<readonly (Buffer | number)[]>;
  finishAnswerBuffer(...args: Arguments): Promise<unknown>;
  leaveAnswerBuffer(...args: Arguments): Promise<unknown>;
}

/** Records of requests in Redis (docs/adr/0102). A request is one command at its beginning and one at its end. */
export function createKeptAnswers(redis: Redis | Cluster): KeptAnswers {
  redis.defineCommand('beginAnswer', { numberOfKeys: 2, lua: begin });
  redis.defineCommand('finishAnswer', { numberOfKeys: 2, lua: finish });
  redis.defineCommand('leaveAnswer', { numberOfKeys: 2, lua: leave });
  const commands = redis as unknown as Commands;
  const retried = createRedisRetry(redis, KeptAnswersUnavailable);
  const leaveBy = async (at: RecordPlace, isForgotten: '0' | '1'): Promise<void> => {
    await retried(() => commands.leaveAnswerBuffer(...keysOf(at), at.place, at.holder, isForgotten));
  };
  return {
    async begin(at, mark) {
      const { records, bytes } = shares[at.idempotency];
      const bounds = [leaseSeconds * 1_000, keptSeconds * 1_000, records, bytes === null ? '0' : '1'];
      const asked = [...keysOf(at), at.place, at.holder, mark, ...bounds];
      return begunOf(await retried(() => commands.beginAnswerBuffer(...asked)));
    },
    async finish(at, answer) {
      const most = shares[at.idempotency].bytes ?? '';
      await retried(() => commands.finishAnswerBuffer(...keysOf(at), at.place, at.holder, answer, most));
    },
    release: (at) => leaveBy(at, '0'),
    forget: (at) => leaveBy(at, '1'),
  };
}

function begunOf([kind, first, second, third]: readonly (Buffer | number)[]): Begun {
  const mark = first as Buffer;
  switch (String(kind)) {
    case 'begun':
      return { kind: 'begun', mark };
    case 'kept':
      return { kind: 'kept', mark, answer: second as Buffer };
    case 'running':
      return { kind: 'running', mark, sinceMs: Number(second), leftMs: Number(third) };
    case 'reused':
      return { kind: 'reused', mark };
    case 'full':
      return { kind: 'full', waitMs: Number(first) };
    case 'no-room':
      return { kind: 'no-room' };
    default:
      return { kind: 'forged' };
  }
}

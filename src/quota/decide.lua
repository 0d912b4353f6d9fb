-- One decision over ban, minute and day together (windows.ts, conduct.ts and decision.ts say the same in TypeScript).
--
-- KEYS  1 the budget's state   2 the key's state, or the same again where there is no key   3 the debt that is paid
-- ARGV  1 limit per minute   2 limit per day, 0 for none   3 1 with a key   4 lifted at (unix ms, 0 never)
--       5 spend   6 seed of the budget   7 seed of the key: what the caller saw last, for a Redis that lost it
--       8 the debt's id, '' for none   9 its day   10 its count of that day   11… bucket and count, in pairs
-- Gives now (ms), kind, minute's remaining and reset, day's remaining and reset, binding, retry after, ban's end,
--       seconds and step, whether it begins, and both states as they are afterwards.

local BUCKET_MS, KEPT, DAY = 10000, 7, 86400
local GRACE_MS, FORGIVEN, STRIKES, STRIKES_KEPT = 2000, 50, 20, 600
local BANS = {60, 300, 1800, 7200, 86400}
local BUDGET, KEY = '>I4I4I4I4I4I4I4I4I4I4', '>I8I4I2I8I4I1I4I1'

local time = redis.call('TIME')
local nowMs = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local now = math.floor(nowMs / 1000)
local perMinute, perDay = tonumber(ARGV[1]), tonumber(ARGV[2])
local hasKey, liftedAt, spend = ARGV[3] == '1', tonumber(ARGV[4]), ARGV[5] == '1'

-- budget ------------------------------------------------------------------------------------------------------------

local b = {bucket = 0, counts = {0, 0, 0, 0, 0, 0, 0}, day = 0, dayCount = 0}

local function readBudget(text)
  if #text ~= 40 then return end
  local f = {struct.unpack(BUDGET, text)}
  b = {bucket = f[1], counts = {f[2], f[3], f[4], f[5], f[6], f[7], f[8]}, day = f[9], dayCount = f[10]}
end

local function shifted(atMs)
  local newest = math.max(b.bucket, math.floor(atMs / BUCKET_MS))
  local moved = math.min(newest - b.bucket, KEPT)
  local counts = {}
  for i = 1, KEPT do counts[i] = i <= moved and 0 or b.counts[i - moved] end
  return newest, counts
end

local function minuteLeft(atMs)
  local _, counts = shifted(atMs)
  local full = 0
  for i = 1, KEPT - 1 do full = full + counts[i] end
  local share = BUCKET_MS - atMs % BUCKET_MS
  return math.floor(((perMinute - full) * BUCKET_MS - counts[KEPT] * share) / BUCKET_MS)
end

local function minuteWindow()
  local remaining = math.max(0, minuteLeft(nowMs))
  if remaining >= perMinute then return remaining, now end
  local last = now + KEPT * BUCKET_MS / 1000
  for second = now + 1, last - 1 do
    if minuteLeft(second * 1000) > remaining then return remaining, second end
  end
  return remaining, last
end

local function dayWindow()
  return math.max(0, perDay - b.dayCount), (b.day + 1) * DAY
end

readBudget(redis.call('GET', KEYS[1]) or ARGV[6])
do
  local newest, counts = shifted(nowMs)
  local today = math.max(b.day, math.floor(now / DAY))
  b = {bucket = newest, counts = counts, day = today, dayCount = today == b.day and b.dayCount or 0}
end
local paid = ARGV[8] ~= '' and redis.call('SET', KEYS[3], '1', 'NX', 'EX', 300)
if paid then
  if tonumber(ARGV[9]) == b.day then b.dayCount = b.dayCount + tonumber(ARGV[10]) end
  for i = 11, #ARGV, 2 do
    local index = b.bucket - tonumber(ARGV[i]) + 1
    if index >= 1 and index <= KEPT then b.counts[index] = b.counts[index] + tonumber(ARGV[i + 1]) end
  end
end

-- key ---------------------------------------------------------------------------------------------------------------

local k = {refusedAtMs = 0, refusedUntil = 0, forgiven = 0, bannedAtMs = 0, bannedUntil = 0, step = 0, cleanSince = 0, strikes = {}}

local function readKey(text)
  if #text < 32 then return end
  local f = {struct.unpack(KEY, text)}
  local strikes = {}
  if f[8] > 0 then
    local g = {struct.unpack('>' .. string.rep('I4', f[8]), text, 33)}
    for i = 1, f[8] do strikes[i] = g[i] end
  end
  k = {refusedAtMs = f[1], refusedUntil = f[2], forgiven = f[3], bannedAtMs = f[4], bannedUntil = f[5], step = f[6], cleanSince = f[7], strikes = strikes}
end

local function pardon(step, cleanSince)
  k = {refusedAtMs = 0, refusedUntil = 0, forgiven = 0, bannedAtMs = 0, bannedUntil = 0, step = step, cleanSince = cleanSince, strikes = {}}
end

local known = false
if hasKey then
  local text = redis.call('GET', KEYS[2])
  known = text and true
  readKey(text or ARGV[7])
  if liftedAt > 0 and k.bannedAtMs > 0 and liftedAt >= k.bannedAtMs then pardon(math.max(0, k.step - 1), k.cleanSince) end
  local days = math.max(0, math.min(k.step, math.floor((now - k.cleanSince) / DAY)))
  k.step = k.step - days
  k.cleanSince = k.cleanSince + days * DAY
  local kept = {}
  for _, at in ipairs(k.strikes) do
    if at > now - STRIKES_KEPT then kept[#kept + 1] = at end
  end
  k.strikes = kept
end

local function refused(untilSecond)
  if nowMs >= k.refusedUntil * 1000 then
    k.refusedAtMs, k.refusedUntil, k.forgiven = nowMs, untilSecond, 0
  elseif nowMs - k.refusedAtMs <= GRACE_MS and k.forgiven < FORGIVEN then
    k.forgiven = k.forgiven + 1
  else
    k.strikes[#k.strikes + 1] = now
    k.cleanSince = now
    if #k.strikes >= STRIKES then
      local step = math.min(k.step + 1, #BANS)
      local bannedUntil = math.ceil(nowMs / 1000) + BANS[step]
      pardon(step, bannedUntil)
      k.bannedAtMs, k.bannedUntil = nowMs, bannedUntil
    end
  end
end

-- decision ----------------------------------------------------------------------------------------------------------

local function isBanned() return k.bannedUntil * 1000 > nowMs end

local kind, binding, retryAfter, begins = 'allowed', 'minute', 0, 0
local minuteRemaining, minuteReset = minuteWindow()
local dayRemaining, dayReset = dayWindow()

if isBanned() then
  kind = 'banned'
elseif minuteRemaining > 0 and (perDay == 0 or dayRemaining > 0) then
  if spend then
    b.counts[1] = b.counts[1] + 1
    b.dayCount = b.dayCount + 1
    k.refusedAtMs, k.refusedUntil, k.forgiven = 0, 0, 0
    minuteRemaining, minuteReset = minuteWindow()
    dayRemaining, dayReset = dayWindow()
  end
  if perDay > 0 and (dayRemaining < minuteRemaining or (dayRemaining == minuteRemaining and dayReset > minuteReset)) then
    binding = 'day'
  end
else
  local minuteUntil = minuteRemaining > 0 and 0 or minuteReset
  local dayUntil = (perDay == 0 or dayRemaining > 0) and 0 or dayReset
  local untilSecond = math.max(minuteUntil, dayUntil)
  if dayUntil > minuteUntil then binding = 'day' end
  if hasKey and spend then refused(untilSecond) end
  if isBanned() then
    kind, begins, binding = 'banned', 1, 'minute'
  else
    kind, retryAfter = 'limited', untilSecond - now
  end
end
if kind == 'banned' then
  minuteRemaining, minuteReset, retryAfter = 0, k.bannedUntil, k.bannedUntil - now
end

-- what is kept ------------------------------------------------------------------------------------------------------

local c = b.counts
local budgetText = struct.pack(BUDGET, b.bucket, c[1], c[2], c[3], c[4], c[5], c[6], c[7], b.day, b.dayCount)
local keyText = ''
if spend or paid then
  local ttl = perDay == 0 and KEPT * BUCKET_MS / 1000 or DAY - now % DAY + KEPT * BUCKET_MS / 1000
  redis.call('SET', KEYS[1], budgetText, 'EX', ttl)
end
if hasKey then
  local last = k.strikes[#k.strikes]
  local keepUntil = math.max(k.refusedUntil, k.bannedUntil, last and last + STRIKES_KEPT or 0, k.step > 0 and k.cleanSince + k.step * DAY or 0)
  if keepUntil > now then
    keyText = struct.pack(KEY, k.refusedAtMs, k.refusedUntil, k.forgiven, k.bannedAtMs, k.bannedUntil, k.step, k.cleanSince, #k.strikes)
    for _, at in ipairs(k.strikes) do keyText = keyText .. struct.pack('>I4', at) end
    if spend then redis.call('SET', KEYS[2], keyText, 'EX', keepUntil - now) end
  elseif spend and known then
    redis.call('DEL', KEYS[2])
  end
end

return {nowMs, kind, minuteRemaining, minuteReset, dayRemaining, dayReset, binding, retryAfter,
  k.bannedUntil, BANS[k.step] or 0, k.step, begins, budgetText, keyText}

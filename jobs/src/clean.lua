-- KEYS[1]: a queue name; ARGV[1]: the most tasks to take out
-- An id that waits or runs again somewhere keeps its data: fetching an id without data kills the worker.
local queue = KEYS[1]
local workers = redis.call('zrange', queue .. ':workers', 0, -1)

local function waits(id)
    if redis.call('lpos', queue .. ':active', id) or redis.call('zscore', queue .. ':scheduled', id) then
        return true
    end
    for _, worker in ipairs(workers) do
        if redis.call('sismember', queue .. ':inflight:' .. worker, id) == 1 then
            return true
        end
    end
    return false
end

local taken = 0
for _, set in ipairs({'done', 'dead'}) do
    for _, id in ipairs(redis.call('srandmember', queue .. ':' .. set, ARGV[1])) do
        if not waits(id) then
            redis.call('hdel', queue .. ':data', id)
            redis.call('del', queue .. ':meta:' .. id)
            redis.call('srem', queue .. ':' .. set, id)
            taken = taken + 1
        end
    end
end

-- What is kept of workers that are gone, whoever saw them alive; looked for every ten seconds. A worker is listed in the same
-- step that writes its metadata, so none that lives is missed.
if tonumber(redis.call('time')[1]) % 10 == 0 then
    local before = queue .. ':workers:metadata:'
    local cursor = '0'
    repeat
        local found = redis.call('scan', cursor, 'match', before .. '*', 'count', 1000)
        cursor = found[1]
        for _, key in ipairs(found[2]) do
            if not redis.call('zscore', queue .. ':workers', string.sub(key, #before + 1)) then
                redis.call('del', key)
            end
        end
    until cursor == '0'
end
return taken

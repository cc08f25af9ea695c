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

-- Metadata of workers that are gone.
local alive = {}
for _, worker in ipairs(workers) do
    alive[queue .. ':workers:metadata:' .. worker] = true
end
local known = queue .. ':workers:metadata:seen'
for worker in pairs(alive) do
    redis.call('sadd', known, worker)
end
for _, key in ipairs(redis.call('smembers', known)) do
    if not alive[key] then
        redis.call('del', key)
        redis.call('srem', known, key)
    end
end
return taken

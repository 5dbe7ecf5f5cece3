-- Waits, compares and reports for the scenarios.
local M = {}

local results = {}
local notes = {} ---@type string[]

-- What people would be told.
vim.notify = function(text)
  notes[#notes + 1] = text
end
vim.notify_once = vim.notify

--- What was told since the last call.
function M.notes()
  local text = table.concat(notes, '\n')
  notes = {}
  return text
end

--- Waits until something is so; fails when it does not come about in time.
---@param what fun(): any
---@param sentence string|fun(): string
---@param milliseconds integer?
function M.wait(what, sentence, milliseconds)
  if not vim.wait(milliseconds or 10000, what, 2) then
    sentence = type(sentence) == 'function' and sentence() or sentence
    error('waited in vain for ' .. sentence, 2)
  end
end

--- Fails unless two values are equal.
function M.same(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s is %s, not %s'):format(what, vim.inspect(actual), vim.inspect(expected)), 2)
  end
end

--- Fails unless something is true.
function M.yes(condition, sentence)
  if not condition then
    error('not so: ' .. sentence, 2)
  end
end

--- Runs one scenario and notes how it went; an error that Neovim reports fails it too.
---@param row string
---@param name string
---@param body fun()
function M.run(row, name, body)
  vim.v.errmsg = ''
  notes = {}
  local started = vim.uv.hrtime()
  local fine, reason = xpcall(body, function(error)
    return error .. ' ' .. debug.traceback('', 2):gsub('%s+', ' '):sub(1, 300)
  end)
  if fine and vim.v.errmsg ~= '' then
    fine, reason = false, vim.v.errmsg
  end
  local told = fine and ('in %.3f s'):format((vim.uv.hrtime() - started) / 1e9) or reason
  local line = ('%s %s %s %s'):format(fine and 'ok' or 'not ok', row, name, told)
  results[#results + 1] = line:gsub('\n', ' ')
  vim.fn.writefile(results, vim.env.POSTKIT_RESULTS)
end

return M

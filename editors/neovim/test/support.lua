-- Waits, compares and reports for the scenarios.
local M = {}

local results = {}
local notes = {} ---@type string[]

-- What people would be told.
vim.notify = function(text)
  notes[#notes + 1] = text
end
vim.notify_once = vim.notify

-- What is used that Neovim means to drop: people would be told, each a single time.
local deprecated = {} ---@type string[]
local deprecate = vim.deprecate
vim.deprecate = function(name, ...)
  deprecated[#deprecated + 1] = name
  return deprecate(name, ...)
end

-- Fails where something deprecated was used since the last call, or Neovim's own messages name any.
local function nothing_is_deprecated()
  local used, messages = table.concat(deprecated, ', '), vim.fn.execute('messages')
  deprecated = {}
  if used ~= '' or messages:find('deprecated', 1, true) then
    return 'deprecated is ' .. used .. '; the messages are ' .. messages
  end
end

--- Waits until something is told; answers all that is told until then.
---@param pattern string
function M.told(pattern)
  local all = ''
  M.wait(function()
    all = all .. M.notes()
    return all:find(pattern)
  end, function() return pattern .. ' in ' .. all end)
  return all
end

--- What was told since the last call.
function M.notes()
  local text = table.concat(notes, '\n')
  notes = {}
  return text
end

--- Lets Neovim go on, in a scenario of `M.live`.
---@param milliseconds integer
function M.pause(milliseconds)
  local routine = coroutine.running()
  vim.defer_fn(function()
    assert(coroutine.resume(routine))
  end, milliseconds)
  coroutine.yield()
end

--- Types keys as a person does: Neovim reads them while a scenario of `M.live` waits.
---@param keys string
function M.type(keys)
  vim.api.nvim_input(keys)
  M.pause(1)
end

-- How long anything is waited for that has to come, in milliseconds: only a test that fails takes so
-- long, on however slow a machine.
M.patience = 60000

--- Waits until something is so; fails when it does not come about in time.
---@param what fun(): any
---@param sentence string|fun(): string
---@param milliseconds integer?
function M.wait(what, sentence, milliseconds)
  local came
  if coroutine.isyieldable() then
    local started = vim.uv.now()
    repeat
      came = what()
      if not came then
        M.pause(2)
      end
    until came or vim.uv.now() - started > (milliseconds or M.patience)
  else
    came = vim.wait(milliseconds or M.patience, what, 2)
  end
  if not came then
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
  local asked = vim.split(vim.env.POSTKIT_ROWS or '', ' ', { trimempty = true })
  if #asked > 0 and not vim.tbl_contains(asked, row) then
    return
  end
  vim.v.errmsg = ''
  notes = {}
  local started = vim.uv.hrtime()
  local fine, reason = xpcall(body, function(error)
    return error .. ' ' .. debug.traceback('', 2):gsub('%s+', ' '):sub(1, 300)
  end)
  local left = vim.v.errmsg ~= '' and vim.v.errmsg or nothing_is_deprecated()
  if fine and left then
    fine, reason = false, left
  end
  if not fine and coroutine.isyieldable() then
    -- What one scenario leaves open is no trouble of the next.
    vim.cmd.stopinsert()
    vim.cmd('silent! fclose!')
    M.pause(20)
  end
  local told = fine and ('in %.3f s'):format((vim.uv.hrtime() - started) / 1e9) or reason
  local line = ('%s %s %s %s'):format(fine and 'ok' or 'not ok', row, name, told)
  results[#results + 1] = line:gsub('\n', ' ')
  vim.fn.writefile(results, vim.env.POSTKIT_RESULTS)
end

--- Installs the help as a package manager does; answers the file of its tags.
function M.help()
  local file = vim.api.nvim_get_runtime_file('doc/postkit.txt', true)
  local copy = vim.env.POSTKIT_WORK .. '/help'
  vim.fn.mkdir(copy .. '/doc', 'p')
  vim.fn.writefile(vim.fn.readfile(file[#file]), copy .. '/doc/postkit.txt')
  vim.cmd('helptags ' .. copy .. '/doc')
  vim.opt.runtimepath:prepend(copy)
  return copy .. '/doc/tags'
end

--- The help tags of the server's settings that an editor may have.
---@return string[]
function M.settings()
  local pages = vim.api.nvim_get_runtime_file('doc/postkit.txt', true)
  local file = vim.fn.fnamemodify(pages[#pages], ':h:h:h:h') .. '/protocol/settings.json'
  local groups = vim.json.decode(table.concat(vim.fn.readfile(file), '\n')).groups
  local found = {}
  for _, group in ipairs(groups) do
    for _, setting in ipairs(group.settings) do
      if setting['in'] ~= 'vscode' and setting['in'] ~= 'project' then
        found[#found + 1] = 'postkit-setting-' .. setting.key
      end
    end
  end
  M.yes(#found > 10, 'there are settings: ' .. #found)
  return found
end

--- Runs scenarios while Neovim's own loop goes on, so that keys are read as from a person.
---@param scenarios {[1]: string, [2]: string, [3]: fun()}[]
---@param done fun()
function M.live(scenarios, done)
  vim.defer_fn(function()
    local routine = coroutine.create(function()
      for _, scenario in ipairs(scenarios) do
        M.run(unpack(scenario))
      end
      done()
    end)
    assert(coroutine.resume(routine))
  end, 50)
end

return M

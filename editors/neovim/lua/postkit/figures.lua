-- Counts the history, and keeps searches of it under names.
local client = require('postkit.client')
local config = require('postkit.config')
local lists = require('postkit.lists')

local M = {}

-- What requests are counted by.
local keys = { 'request', 'host', 'path', 'status', 'method', 'environment', 'day' }

-- What can be done with saved searches.
local verbs = { 'delete', 'open', 'save' }

-- The longest time that completion waits for names, in milliseconds.
local patience = 500

--- What may follow `:PostKit stats`.
---@return string[]
function M.keys()
  local found = vim.list_slice(keys)
  for _, name in ipairs(lists.filters.history) do
    found[#found + 1] = name .. ':'
  end
  return found
end

--- Shows figures of the history, or of what some words find: `:PostKit stats host since:2d`.
---@param words string[]
function M.count(words)
  local by = vim.list_contains(keys, words[1]) and words[1] or nil
  local query = lists.query('history', by and vim.list_slice(words, 2) or words)
  lists.show('postkit.statistics', { by = by, query = query ~= '' and query or nil })
end

---@param operation table
---@param done string
local function edit(operation, done)
  local server = client.any()
  if not server then
    return config.say(client.stopped)
  end
  client.execute(server, 'postkit.historyEdit', operation, function(error)
    if error then
      return config.complain(error.message)
    end
    config.say(done)
  end, vim.api.nvim_get_current_buf())
end

---@param name string
local function save(name)
  local server = client.any()
  if not server then
    return config.say(client.stopped)
  elseif not vim.startswith(vim.api.nvim_buf_get_name(0), 'postkit:/history') then
    return config.complain('Filter the history first, such as `:PostKit history status:4xx`. '
      .. 'There, `:PostKit search save NAME` saves the search.')
  end
  lists.offer(server, 'postkit.list.save', function(action)
    if not action then
      return config.complain('This list has no filter to save. Press `f` and type one.')
    end
    local query = action.command.arguments[1].query
    edit({ op = 'search.save', name = name, query = query },
      ('Saved the search `%s`. `:PostKit search %s` opens it.'):format(name, name))
  end)
end

---@param name string
local function open(name)
  local server = client.any()
  if not server then
    return config.say(client.stopped)
  end
  server:request('postkit/savedSearches', vim.empty_dict(), function(error, found)
    if error then
      return config.complain(error.message)
    end
    for _, search in ipairs(found.searches) do
      if search.name == name then
        local query = lists.query('history', { search.query })
        return lists.show('postkit.history', { query = query })
      end
    end
    config.complain(
      ('There is no saved search `%s`. `:PostKit search` lists them.'):format(name))
  end)
end

--- Lists the saved searches, or opens, saves or deletes one: `:PostKit search save broken`.
---@param words string[]
function M.search(words)
  local verb = words[1]
  if not verb then
    return lists.show('postkit.savedSearches', {})
  end
  local is_verb = vim.list_contains(verbs, verb)
  local name = table.concat(words, ' ', is_verb and 2 or 1)
  if name == '' then
    config.complain(('Name the search: `:PostKit search %s NAME`.'):format(verb))
  elseif verb == 'save' then
    save(name)
  elseif verb == 'delete' then
    edit({ op = 'search.delete', name = name }, ('Deleted the search `%s`.'):format(name))
  else
    open(name)
  end
end

--- What may follow `:PostKit search`: its verbs, and the names of the searches.
---@return string[]
function M.names()
  local server = client.any()
  local answer = server
    and server:request_sync('postkit/savedSearches', vim.empty_dict(), patience)
  local found = vim.list_slice(verbs)
  for _, search in ipairs(answer and answer.result and answer.result.searches or {}) do
    found[#found + 1] = search.name
  end
  return found
end

return M

-- Shows the server's lists: the history, the collections, cookies and session values. They are
-- documents, and what can be done with a line is what the server offers as actions there.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

-- The filters of the lists that the server searches, as they are completed.
---@type table<string, string[]>
M.filters = {
  history = {
    'environment', 'failedTests', 'file', 'host', 'label', 'limit', 'maxMs', 'maxSize', 'method',
    'minMs', 'minSize', 'name', 'origin', 'path', 'pinned', 'purpose', 'run', 'since', 'sort',
    'state', 'status', 'stored', 'until',
  },
  collections = { 'favourite', 'header', 'in', 'limit', 'method', 'param', 'sort', 'tag' },
}

local filter_first = 'Press `f` and filter the history first: this is about all that matches.'

-- What a key does, by the kinds of the server's actions; `needs` says what a list lacks where there
-- is no such action.
---@type table<string, {kinds: string[], asks: boolean?, needs: string?}>
local keys = {
  ['<CR>'] = { kinds = { 'postkit.open', 'postkit.show' } },
  s = { kinds = { 'postkit.send' } },
  c = { kinds = { 'postkit.compare' } },
  m = { kinds = { 'postkit.mark' }, asks = true },
  x = { kinds = { 'postkit.delete' }, asks = true },
  a = { kinds = { 'postkit' }, asks = true },
  S = { kinds = { 'postkit.list.sort' }, asks = true },
  i = { kinds = { 'postkit.list.statistics' } },
  O = { kinds = { 'postkit.list.searches' } },
  A = { kinds = { 'postkit.list.save' }, needs = filter_first },
  M = { kinds = { 'postkit.list.mark' }, asks = true, needs = filter_first },
  X = { kinds = { 'postkit.list.delete' }, needs = filter_first },
  u = { kinds = { 'postkit.list.undo' }, needs = 'Nothing was deleted in the last 30 days.' },
  ['*'] = { kinds = { 'postkit.favourite' } },
  D = { kinds = { 'postkit.defaults' } },
}

---@param uri string
function M.is_list(uri)
  for _, name in ipairs({
    'collections', 'cookies', 'environments', 'history', 'searches', 'session', 'statistics',
  }) do
    if uri == 'postkit:/' .. name or vim.startswith(uri, 'postkit:/' .. name .. '?') then
      return true
    end
  end
  return vim.startswith(uri, 'postkit:/timeline/')
end

--- The first line of a list that something can be done with, but for folders that hold it; else 1.
---@param lines string[]
---@return integer
function M.first(lines)
  for row, line in ipairs(lines) do
    local is_folder = line:find('/%s+%x+%-[%x-]+$')
    if not is_folder and line:find('^#%s.*%s[%w:/.-]*%x%x%x%x%x%x%x%x[%w:/.-]*$')
      or line:find('^#%s.*%spostkit:/history%?%S*$') then
      return row
    end
  end
  return 1
end

---@param server vim.lsp.Client
---@param bufnr integer
---@param action lsp.CodeAction
local function run(server, bufnr, action)
  local command = vim.deepcopy(action.command) --[[@as lsp.Command]]
  if vim.endswith(command.command, 'postkit.showResponse') then
    -- The cursor stays in the list, to go on to the next.
    command.arguments[1].takeFocus = false
  end
  local own = client.commands[command.command]
  if own then
    return own(command, { bufnr = bufnr, client_id = server.id })
  end
  local argument = command.arguments and command.arguments[1] or {}
  client.execute(server, command.command, argument, function(error)
    config.refused(error)
    if not error and argument.op == 'collection.delete' then
      config.say('Deleted. `u` takes it back.')
    end
  end, bufnr)
end

--- Does what a key does with the line of the cursor.
---@param bufnr integer
---@param key string
function M.press(bufnr, key)
  local server = client.of(bufnr)
  if not server then
    return config.complain('The server of this list has stopped. Open the list again.')
  end
  local here = { line = vim.api.nvim_win_get_cursor(0)[1] - 1, character = 0 }
  server:request('textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    range = { start = here, ['end'] = here },
    context = { diagnostics = {}, only = keys[key].kinds },
  }, function(error, actions)
    if error then
      return config.complain(error.message)
    elseif #(actions or {}) == 0 then
      return config.say(keys[key].needs
        or ('`%s` does nothing on this line. `g?` shows the keys.'):format(key))
    elseif not keys[key].asks then
      return run(server, bufnr, actions[1])
    end
    vim.ui.select(actions, {
      prompt = 'What do you want to do?',
      kind = 'postkit.action',
      format_item = function(action)
        return action.title
      end,
    }, function(action)
      if action then
        run(server, bufnr, action)
      end
    end)
  end, bufnr)
end

-- Copies a line as it is seen: without its mark and the id at its end.
local function copy()
  local line = vim.api.nvim_get_current_line():gsub('^#%s*', '')
  line = line:gsub('%s+postkit:/history%?%S*$', '')
  line = line:gsub('%s+%S*%x%x%x%x%x%x%x%x%-[%x-]+%S*$', ''):gsub('%s+%S*%s%x+%S*$', function(word)
    return #word > 16 and '' or word
  end)
  require('postkit.register').take(line, 'the line')
end

--- Maps the keys of a list.
---@param bufnr integer
function M.map(bufnr)
  local function map(key, what)
    vim.keymap.set('n', key, what, { buffer = bufnr, nowait = true })
  end
  map('q', '<Cmd>close<CR>')
  map('g?', '<Cmd>help postkit-lists<CR>')
  for _, key in ipairs({ 'f', 'o' }) do
    map(key, function() require('postkit.filter').list() end)
  end
  for _, key in ipairs({ 'y', 'Y' }) do
    map(key, copy)
  end
  for key in pairs(keys) do
    map(key, function()
      M.press(bufnr, key)
    end)
  end
end

---@param text string
local function escaped(text)
  return (text:gsub('[^%w%-._~*]', function(character)
    return ('%%%02X'):format(character:byte())
  end))
end

--- The query of a list that some words are. Those of the history the server reads itself; of the
--- collections `tag=x` and `tag:x` filter, others are searched for.
---@param list string
---@param words string[]
function M.query(list, words)
  local parts, searched = {}, {}
  if list == 'history' then
    for _, word in ipairs(words) do
      local limit = word:match('^limit[=:](.*)$')
      if not limit then
        searched[#searched + 1] = word
      elseif limit ~= '' then
        parts[#parts + 1] = 'limit=' .. escaped(limit)
      end
    end
    if #searched > 0 then
      table.insert(parts, 1, 'line=' .. escaped(table.concat(searched, ' ')))
    end
    return table.concat(parts, '&')
  end
  for _, word in ipairs(words) do
    local name, value = word:match('^(%a+)[=:](.*)$')
    if not name or not vim.list_contains(M.filters[list], name) then
      searched[#searched + 1] = word
    elseif value ~= '' then
      -- What has no value yet is still being typed.
      parts[#parts + 1] = name .. '=' .. escaped(value)
    end
  end
  if #searched > 0 then
    parts[#parts + 1] = 'search=' .. escaped(table.concat(searched, ' '))
  end
  return table.concat(parts, '&')
end

--- The list that the server searches by which a document is named.
---@param uri string
---@return string?
function M.searched(uri)
  local list = uri:match('^postkit:/(%a+)')
  return M.filters[list] and list
end

--- Opens the history or the collections, or what of them some words find.
---@param list string
---@param words string|string[]|nil
function M.find(list, words)
  if type(words) == 'string' then
    words = vim.split(words, '%s+', { trimempty = true })
  end
  local query = M.query(list, words or {})
  M.show('postkit.' .. list, { query = query ~= '' and query or nil })
end

--- The words that a document was searched for and filtered by.
---@param uri string
function M.words(uri)
  local words = {}
  for name, value in uri:gmatch('[?&](%a+)=([^&]*)') do
    local text = vim.uri_decode(value)
    local is_all = name == 'search' or name == 'line'
    words[#words + 1] = is_all and text or name .. ':' .. text
  end
  return table.concat(words, ' ')
end

-- What the first lines of a list say of its keys, by its name.
local told = {
  collections = 'Enter: open · s: send · *: favourite · f: filter · S: sort',
  cookies = 'x: delete one, or all of its domain · f: filter',
  session = 'x: forget one, or all of its group · f: filter',
  history = 'Enter: open · s: send again · f: filter · S: sort · i: count',
  searches = 'Enter: show · i: statistics · x: delete · f: filter',
  statistics = 'Enter: its requests · S: count by · i: all requests',
}
local told_else = 'Enter: open · s: send again · c: compare · f: filter'

--- The lines of a list, of which the first name keys of Neovim, not actions of the server. There are
--- as many, for the server knows each by its number.
---@param uri string
---@param lines string[]
---@return string[]
function M.worded(uri, lines)
  local keys_line = (told[uri:match('^postkit:/(%a+)')] or told_else) .. ' · g?: more keys'
  local worded = vim.list_slice(lines)
  for row = 1, math.min(3, #lines) do
    worded[row] = lines[row]:gsub('The code actions of a line .*', (keys_line:gsub('%%', '%%%%')))
      :gsub('The code action "Save to a collection"', '`:PostKit save` on a request')
      :gsub('The code action "Save this search…" of', '`A` in')
      :gsub('`?postkit history %-%-limit (%d+)`? shows', '`:PostKit history limit:%1` shows')
      :gsub('postkit history shows', '`:PostKit history limit:1000` shows')
  end
  return worded
end

local titles = {
  collections = 'Collections', cookies = 'Cookies', history = 'History',
  searches = 'Saved searches', statistics = 'Statistics', session = 'Session values',
  timeline = 'Earlier responses',
}

--- The line above a list, for 'winbar'.
function M.bar()
  local name = vim.api.nvim_buf_get_name(0)
  local title = titles[name:match('^postkit:/(%a+)')] or 'PostKit'
  local words = vim.b.postkit_filter or M.words(name)
  local found = words ~= '' and '%#PostKitTabOpen# ' .. words:gsub('%%', '%%%%') .. ' ' or ''
  return '%#PostKitTab# ' .. title .. ' ' .. found .. '%<'
end

--- Gives the action of a kind that the server offers for the current list to `done`, or nil.
---@param server vim.lsp.Client
---@param kind string
---@param done fun(action: lsp.CodeAction?)
function M.offer(server, kind, done)
  local bufnr = vim.api.nvim_get_current_buf()
  local here = { line = vim.api.nvim_win_get_cursor(0)[1] - 1, character = 0 }
  server:request('textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    range = { start = here, ['end'] = here },
    context = { diagnostics = {}, only = { kind } },
  }, function(_, actions)
    done(actions and actions[1])
  end, bufnr)
end

--- Has the server open a document: runs one of its commands that do.
---@param command string
---@param argument table
function M.show(command, argument)
  local bufnr = vim.api.nvim_get_current_buf()
  local function ask(server)
    client.execute(server, command, argument, function(error)
      if error then
        config.complain(error.message)
      end
    end, bufnr)
  end
  local server = client.any()
  if server then
    ask(server)
  else
    client.with(bufnr, ask)
  end
end

return M

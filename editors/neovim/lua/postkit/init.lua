-- PostKit's functions for maps, status lines and the command :PostKit.
local M = {}

--- Keeps options; calling it is optional and may be repeated.
---@param options postkit.Options?
function M.setup(options)
  require('postkit.config').set(options)
end

local function current()
  return vim.api.nvim_get_current_buf()
end

--- Sends the request under the cursor; in a response, the request that it answers.
function M.send()
  local send, bufnr = require('postkit.send'), current()
  if vim.bo[bufnr].filetype == 'httplist' then
    return require('postkit.lists').press(bufnr, 's')
  end
  local id = require('postkit.tabs').of(vim.api.nvim_buf_get_name(bufnr))
  if id then
    send.run(bufnr, 'postkit.resend', { id = id })
  else
    send.send(bufnr)
  end
end

--- Sends every request of the buffer in order, or those that some of its lines touch.
---@param first integer? the first line, from 1
---@param last integer? the last line
function M.send_all(first, last)
  require('postkit.send').send_all(current(), first, last)
end

--- Sends again what was sent last, wherever the cursor is.
function M.again()
  require('postkit.send').again(current())
end

--- Cancels the send under the cursor, else every send.
function M.cancel()
  require('postkit.send').cancel(current())
end

--- Offers the environments, or takes the one that is named.
---@param name string?
function M.environment(name)
  require('postkit.environment').choose(name)
end

--- Lists what was sent: words are searched for, `status:4xx` and the like filter.
---@param query string|string[]|nil
function M.history(query)
  require('postkit.lists').find('history', query)
end

-- Shows what a command answers about the request under the cursor.
---@param command PostkitCommand
local function about(command)
  local here = require('postkit.store').told_here()
  if here then
    require('postkit.lists').show(command, here)
  end
end

--- Lists what the request under the cursor returned over time.
function M.timeline()
  about('postkit.history')
end

--- Compares the last response of the request under the cursor with the one before.
function M.diff()
  about('postkit.diffResponses')
end

--- Lists the stored requests: words are searched for, `method:POST`, `sort:recent` and the like
--- filter and sort.
---@param query string|string[]|nil
function M.collections(query)
  require('postkit.lists').find('collections', query)
end

--- Saves the request under the cursor to a collection.
function M.save()
  require('postkit.store').save()
end

--- Shows the last response of the request under the cursor and moves there.
function M.response()
  local bufnr, line = current(), vim.api.nvim_win_get_cursor(0)[1] - 1
  local client = require('postkit.client')
  local response = require('postkit.response')
  client.with(bufnr, function(server)
    local row = require('postkit.rows').at(bufnr, line)
    local known = row and require('postkit.results').at(bufnr, row)
    local uri = known and known.reply and known.reply.uri
    if type(uri) == 'string' then
      return response.open(server.id, uri, true)
    end
    client.execute(server, 'postkit.showResponse', {
      uri = vim.uri_from_bufnr(bufnr),
      position = { line = line, character = 0 },
      takeFocus = true,
    }, function(error)
      if error then
        require('postkit.config').complain(error.message)
      end
    end, bufnr)
  end)
end

--- The programs for which a request can be copied.
M.targets = {
  'curl', 'httpie', 'wget', 'python', 'httpx', 'javascript', 'axios', 'go', 'rust', 'java', 'kotlin',
  'csharp', 'php', 'ruby', 'powershell', 'swift', 'hurl', 'http',
}

--- Copies the request under the cursor into the unnamed and the system register.
---@param command PostkitCommand
---@param target string?
---@param reveal boolean?
local function copy(command, target, reveal)
  local bufnr, line = current(), vim.api.nvim_win_get_cursor(0)[1] - 1
  local client = require('postkit.client')
  local config = require('postkit.config')
  client.with_requests(bufnr, function(server)
    client.execute(server, command, {
      uri = vim.uri_from_bufnr(bufnr),
      position = { line = line, character = 0 },
      target = target,
      reveal = reveal,
    }, function(error, text)
      if error then
        return config.complain(error.message)
      end
      require('postkit.register').take(text, target or 'curl')
    end, bufnr)
  end)
end

--- Copies the request under the cursor as a curl line.
function M.curl()
  copy('postkit.copyAsCurl')
end

--- Copies the request under the cursor for another program; without a name it is chosen. Code reads
--- secrets from its environment unless it is to reveal them.
---@param target string?
---@param reveal boolean?
function M.copy_as(target, reveal)
  if target then return copy('postkit.copyAs', target, reveal) end
  local prompt = 'Copy the request as' .. (reveal and ' (with secrets)' or '')
  vim.ui.select(M.targets, { prompt = prompt }, function(choice)
    if choice then
      copy('postkit.copyAs', choice, reveal)
    end
  end)
end

-- Has the server carry out a command, for which it has to run, and tells what it answers.
---@param command string
---@param tell fun(text: string)
local function answer(command, tell)
  local client = require('postkit.client')
  local config = require('postkit.config')
  local server = client.any()
  if not server then
    return config.say(client.stopped)
  end
  client.execute(server, command, {}, function(error, text)
    if error then
      return config.complain(error.message)
    end
    tell(text)
  end, current())
end

--- Says how the server is, and what is in force in each folder.
function M.status()
  local server = require('postkit.client').any()
  local command = server and server.config.cmd
  answer('postkit.status', function(text)
    local lines = vim.split(vim.trim(text), '\n')
    lines[#lines + 1] = server and ('The server is `%s`, it counts columns in %s.'):format(
      type(command) == 'table' and table.concat(command, ' ') or 'started by a function',
      server.offset_encoding)
    require('postkit.float').open('PostKit', lines)
  end)
end

--- Ends all sends and closes all connections; the next send opens new ones.
function M.restart()
  answer('postkit.restartEngine', require('postkit.config').say)
end

--- A few words for a status line: the environment and what is under way.
---@return string
function M.statusline()
  if not package.loaded['postkit.client'] or not require('postkit.client').of(current()) then
    return ''
  end
  local environment = require('postkit.environment')
  local name = environment.active(current())
  local guard = environment.guarded(current()) and '!' or ''
  local send = require('postkit.send')
  local turn, count = send.turn(), send.running()
  local client = require('postkit.client')
  local status = client.status[client.of(current()).id] or {}
  return 'PostKit'
    .. (name and ' [' .. name .. guard .. ']' or '')
    .. (status.mock and ' mock' or '')
    .. (turn and ' ' .. turn or count > 0 and ' sending ' .. count or '')
end

-- The pages to which `:PostKit page` leads.
local pages = { next = 1, previous = -1 }

--- Goes to another page of the response in the current buffer.
---@param word string?
function M.page(word)
  local step = pages[word or 'next']
  if not step then
    local sentence = '`%s` is not a page. Use `:PostKit page next` or `previous`.'
    return require('postkit.config').complain(sentence:format(word))
  end
  require('postkit.body').page(step)
end

---@class postkit.Call
---@field bang boolean? whether what is there may be replaced
---@field first integer? the first line of a range, from 1
---@field last integer?

---@type table<string, fun(words: string[], call: postkit.Call)>
local verbs = {
  action = function() vim.lsp.buf.code_action() end,
  again = M.again,
  cancel = M.cancel,
  collections = function(words) M.collections(words) end,
  copyas = function(words)
    M.copy_as(words[1] ~= 'reveal' and words[1] or nil, words[#words] == 'reveal' or nil)
  end,
  curl = M.curl,
  diff = M.diff,
  env = function(words) M.environment(words[1]) end,
  evaluate = function() require('postkit.store').evaluate() end,
  open = function() require('postkit.body').view() end,
  page = function(words) M.page(words[1]) end,
  path = function() require('postkit.parts').path() end,
  preview = function() require('postkit.parts').preview() end,
  search = function(words) require('postkit.figures').search(words) end,
  select = function(words) require('postkit.parts').select(table.concat(words, ' ')) end,
  view = function(words) require('postkit.tabs').open(words[1]) end,
  write = function(words, call)
    local path = table.concat(words, ' ')
    require('postkit.parts').write(path ~= '' and path or nil, call.bang)
  end,
  filter = function() require('postkit.filter').response() end,
  history = function(words) M.history(words) end,
  export = function(words, call) require('postkit.store').export(words, call.bang) end,
  hover = function() vim.lsp.buf.hover() end,
  import = function(words, call) require('postkit.store').import(words, call.bang) end,
  link = function() require('postkit.editing').link() end,
  paste = function(words) require('postkit.editing').paste(words) end,
  move = function(words) require('postkit.editing').move(words) end,
  rename = function(words) require('postkit.editing').rename(words) end,
  output = function() require('postkit.output').show() end,
  restart = M.restart,
  response = M.response,
  save = M.save,
  send = function(_, call)
    if call.first then
      M.send_all(call.first, call.last)
    else
      M.send()
    end
  end,
  sendall = function(_, call) M.send_all(call.first, call.last) end,
  start = function() require('postkit.client').with(current(), function() end) end,
  stats = function(words) require('postkit.figures').count(words) end,
  status = M.status,
  stop = function() require('postkit.client').stop() end,
  timeline = M.timeline,
  toggle = function(_, call) require('postkit.editing').toggle(call.first, call.last) end,
  undo = function() require('postkit.store').undo() end,
  variables = function() require('postkit.variables').browse() end,
  -- From protocol/commands.json, by generate-protocol:
  cookies = function() require('postkit.lists').show('postkit.cookies', {}) end,
  session = function() require('postkit.lists').show('postkit.session', {}) end,
  -- Until here.
}

--- Runs `:PostKit {words}`; without a word it sends the request under the cursor.
---@param words string[]
---@param call postkit.Call?
function M.command(words, call)
  local verb = words[1] or 'send'
  if not verbs[verb] then
    local sentence = 'There is no `:PostKit %s`. `:help postkit-commands` lists the words.'
    return require('postkit.config').complain(sentence:format(verb))
  end
  verbs[verb](vim.list_slice(words, 2), call or {})
end

-- The words behind which a bar belongs to a path, or to what is searched for.
local takes_bars = { collections = true, history = true, select = true, stats = true }

-- Where the first bar of a text is; after a backslash it is a letter.
---@param text string
local function bar(text)
  return (('x' .. text):find('[^\\]|'))
end

-- The words before the first bar, and the command behind it. This is taken from what was typed, for
-- the blanks at which words are split may have a meaning in it.
---@param words string[]
---@param text string
---@return string[]
---@return string?
local function divided(words, text)
  local own = {}
  for _, word in ipairs(words) do
    local place = bar(word)
    local part = (place and word:sub(1, place - 1) or word):gsub('\\|', '|')
    if part ~= '' then
      own[#own + 1] = part
    end
    if place then
      return own, text:sub(bar(text) + 1)
    end
  end
  return own
end

--- Runs what was typed behind :PostKit, then the command behind a bar.
---@param words string[]
---@param text string what was typed, from which the words are
---@param call postkit.Call?
function M.typed(words, text, call)
  local own, rest = words, nil
  if not takes_bars[words[1]] then
    own, rest = divided(words, text)
  end
  M.command(own, call)
  local fine, reason = pcall(vim.cmd, vim.trim(rest or ''))
  if not fine then
    -- Without the places in Neovim's own files that come before it.
    require('postkit.config').complain((tostring(reason):gsub('^.-Vim[^:]*:', '')))
  end
end

--- What may follow a verb of :PostKit.
---@param verb string
---@param lead string
---@return string[]
function M.words(verb, lead)
  if verb == 'env' then
    return require('postkit.environment').names
  elseif verb == 'page' then
    return vim.tbl_keys(pages)
  elseif verb == 'copyas' then
    return M.targets
  elseif verb == 'view' then
    return require('postkit.tabs').names
  elseif verb == 'write' then
    return vim.fn.getcompletion(lead, 'file')
  elseif verb == 'history' or verb == 'collections' then
    local filters = require('postkit.lists').filters[verb]
    return vim.tbl_map(function(name) return name .. ':' end, filters)
  elseif verb == 'stats' then
    return require('postkit.figures').keys()
  elseif verb == 'search' then
    return require('postkit.figures').names()
  elseif verb == 'import' or verb == 'export' or verb == 'move' then
    local formats = verb == 'export' and vim.list_slice(require('postkit.store').formats) or {}
    return vim.list_extend(formats, vim.fn.getcompletion(lead, 'file'))
  end
  return {}
end

--- Completes the words of :PostKit.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line), '%s+')
  local known = vim.tbl_keys(verbs)
  if #words > 2 or (#words == 2 and lead == '') then
    known = M.words(words[2], lead)
  end
  known = vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, known)
  table.sort(known)
  return known
end

return M

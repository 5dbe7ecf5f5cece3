-- The parts of a response: which there are, the line of tabs above them, and how to get from one to
-- the next. The server makes the texts, but for what was sent and checked, which it has in pieces.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

---@class postkit.Tab
---@field name string as `:PostKit view` calls it
---@field label string

---@type postkit.Tab[]
local tabs = {
  { name = 'all', label = 'Response' },
  { name = 'pretty', label = 'Body' },
  { name = 'raw', label = 'Raw' },
  { name = 'headers', label = 'Headers' },
  { name = 'sent', label = 'Sent' },
  { name = 'timings', label = 'Time' },
  { name = 'tests', label = 'Tests' },
  { name = 'history', label = 'History' },
}

--- The names of the parts.
M.names = vim.tbl_map(function(tab) return tab.name end, tabs)

for group, target in pairs({
  PostKitTab = 'TabLine',
  PostKitTabOpen = 'TabLineSel',
  PostKitBar = 'Special',
}) do
  vim.api.nvim_set_hl(0, group, { link = target, default = true })
end

local namespace = vim.api.nvim_create_namespace('postkit.parts')

--- Which part of which response a document is.
---@param uri string
---@return string? exchange
---@return string? name
function M.of(uri)
  local kind, id, rest = uri:match('^postkit:/(%a+)/(%x[%x-]+)(.*)$')
  if kind == 'response' then
    local word = rest:match('^/(%a+)')
    return id, not word and 'all' or word == 'body' and 'pretty' or word
  elseif kind == 'sent' or kind == 'tests' then
    return id, kind
  elseif kind == 'timeline' then
    return id, 'history'
  end
end

--- Whether a document is a part of a response that is made here, and that no server knows.
---@param uri string
function M.is_own(uri)
  local _, name = M.of(uri)
  return name == 'sent' or name == 'tests'
end

-- What is called otherwise than a response.
local titles = {
  collections = 'Collections', cookies = 'Cookies', diff = 'Comparison', failed = 'Not sent',
  history = 'History', live = 'Receiving', preview = 'Preview', searches = 'Saved searches',
  session = 'Session values', statistics = 'Statistics',
}

-- How a response is called that another Neovim has sent: by its request and its status line.
---@param bufnr integer
---@return string?
local function heading(bufnr)
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, 40, false)
  local method, place = (lines[1] or ''):match('^# (%u+) %a+://[^/]*(%S*)')
  local status = vim.iter(lines):map(function(line) return line:match('^HTTP/%S+ (.+)$') end):next()
  return method and vim.trim(('[%s %s] %s'):format(method, place, status or ''))
end

--- How a document is called where people look for it, such as `[login] 200 OK`.
---@param bufnr integer
---@return string
function M.title(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  local id = M.of(name)
  return id and (require('postkit.memory').title(id) or heading(bufnr))
    or titles[name:match('^postkit:/(%a+)')] or 'Response'
end

--- The words of 'statusline' for a window of ours.
function M.status()
  return ' ' .. M.title(vim.api.nvim_get_current_buf()):gsub('%%', '%%%%') .. '%<%=%l,%c  %P '
end

--- The line of tabs above a part, for 'winbar'; the mouse can press them.
function M.bar()
  local _, open = M.of(vim.api.nvim_buf_get_name(0))
  if not open then
    return ''
  end
  local items = {}
  for number, tab in ipairs(tabs) do
    local group = tab.name == open and 'PostKitTabOpen' or 'PostKitTab'
    local press = ("%%%d@v:lua.require'postkit.tabs'.press@"):format(number)
    items[#items + 1] = ('%s%%#%s# %s %%X'):format(press, group, tab.label)
  end
  local elsewhere = vim.b.postkit_elsewhere and '%=%#PostKitTab# gx: open ' or ''
  return table.concat(items) .. '%#PostKitTab#%<' .. elsewhere
end

--- Opens the part whose tab the mouse pressed.
---@param number integer
function M.press(number)
  local window = vim.fn.getmousepos().winid
  vim.schedule(function()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_set_current_win(window)
      M.open(tabs[number].name)
    end
  end)
end

-- A duration of the server's in milliseconds.
---@param text string?
---@return number?
local function milliseconds(text)
  local minutes, seconds = (text or ''):match('^(%d+) min (%d+) s$')
  if minutes then
    return 60000 * tonumber(minutes) + 1000 * tonumber(seconds)
  end
  local number, unit = (text or ''):match('^([%d.]+) (m?s)$')
  return number and tonumber(number) * (unit == 's' and 1000 or 1)
end

---@class postkit.Step
---@field from number milliseconds since the start
---@field to number

-- The steps of the time that the server's words tell of, by line: each begins where the one before
-- it ended.
---@param lines string[]
---@return table<integer, postkit.Step>
---@return number total
local function steps_of(lines)
  local steps, before = {}, 0
  for row, line in ipairs(lines) do
    local hop = milliseconds(line:match('^redirect %d+%s+(%d.*)$'))
    local to = hop and before + hop or milliseconds(line:match(', (%d.*) since the start$'))
    if to then
      steps[row] = { from = before, to = math.max(before, to) }
      before = steps[row].to
    end
  end
  return steps, before
end

-- Bars that show when each step of the time began and how long it took, behind the words that the
-- server has for it.
---@param bufnr integer
---@param lines string[]
local function waterfall(bufnr, lines)
  local steps, total = steps_of(lines)
  local column = 0
  for row in pairs(steps) do
    column = math.max(column, vim.api.nvim_strwidth(lines[row]) + 2)
  end
  local window = vim.fn.win_findbuf(bufnr)[1]
  local room = (window and vim.api.nvim_win_get_width(window) or 80) - column - 1
  local width = math.max(8, math.min(room, 48))
  for row, step in pairs(steps) do
    local scale = width / math.max(total, 0.001)
    local length = math.max(1, math.floor((step.to - step.from) * scale + 0.5))
    local first = math.min(math.floor(step.from * scale + 0.5), width - length)
    vim.api.nvim_buf_set_extmark(bufnr, namespace, row - 1, 0, {
      virt_text = { { (' '):rep(first) }, { ('█'):rep(length), 'PostKitBar' } },
      virt_text_win_col = column,
    })
  end
end

-- Colours what was checked by how it went.
---@param bufnr integer
---@param lines string[]
local function verdicts(bufnr, lines)
  for row, line in ipairs(lines) do
    local group = vim.startswith(line, '✓') and 'PostKitDone'
      or vim.startswith(line, '✗') and 'PostKitFailed'
    if group then
      local place = { end_row = row, hl_group = group }
      vim.api.nvim_buf_set_extmark(bufnr, namespace, row - 1, 0, place)
    end
  end
end

--- Draws what belongs to a part and is no text.
---@param bufnr integer
---@param uri string
---@param lines string[]
function M.decorate(bufnr, uri, lines)
  local _, name = M.of(uri)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  if name == 'timings' then
    waterfall(bufnr, lines)
  elseif name == 'tests' then
    verdicts(bufnr, lines)
  end
end

-- Shows lines of our own a little later: the response that they take the place of may have come just
-- now, and Neovim complains where it can't colour what is gone.
---@param uri string
---@param lines string[]
---@param server vim.lsp.Client
local function show_lines(uri, lines, server)
  vim.schedule(function()
    require('postkit.response').show(uri, lines, server.id)
  end)
end

---@param server vim.lsp.Client
---@param id string
local function show_sent(server, id)
  local function ask(view, done)
    local parameters = { id = id, part = 'request', view = view }
    server:request('postkit/exchange', parameters, function(error, result)
      config.refused(error)
      if result then
        done(result)
      end
    end)
  end
  ask('headers', function(head)
    -- Not laid out: what is shown is what went over the wire.
    ask('raw', function(body)
      local text = head.data:gsub('\n$', '')
      if body.total > 0 and body.encoding == 'utf-8' then
        text = text .. '\n\n' .. body.data:gsub('\n$', '')
      end
      if body.total > 0 and (body.encoding ~= 'utf-8' or not body.eof) then
        text = text .. ('\n# The body has %s.'):format(body.size)
      end
      local lines = vim.split('# Request as sent (secrets hidden).\n' .. text, '\r?\n')
      show_lines('postkit:/sent/' .. id .. '.http', lines, server)
    end)
  end)
end

---@param server vim.lsp.Client
---@param id string
local function show_tests(server, id)
  local checks = require('postkit.checks')
  checks.read(server, id, function(error, found, summary)
    config.refused(error)
    if found then
      show_lines('postkit:/tests/' .. id .. '.txt', checks.lines(found, summary), server)
    end
  end)
end

--- Shows a part of a response by its name.
---@param server vim.lsp.Client
---@param id string
---@param name string
function M.show(server, id, name)
  local response = require('postkit.response')
  if name == 'sent' then
    show_sent(server, id)
  elseif name == 'tests' then
    show_tests(server, id)
  elseif name == 'history' then
    response.open_part(server.id, 'postkit:/timeline/' .. id .. '.http')
  else
    local bufnr = vim.api.nvim_get_current_buf()
    local argument = { id = id, view = name, takeFocus = false }
    client.execute(server, 'postkit.showResponse', argument, config.refused, bufnr)
  end
end

-- A part by its name, or by what its tab says.
---@param word string
---@return postkit.Tab?
local function find(word)
  local small = word:lower()
  return vim.iter(tabs):find(function(tab)
    return tab.name == small or tab.label:lower() == small
  end)
end

--- Shows a part of a response.
---@param word string? its name, or what its tab says
function M.open(word)
  local tab = find(word or 'all')
  if not tab then
    local sentence = '`%s` is not a part of a response. The parts are %s.'
    return config.complain(sentence:format(word, table.concat(M.names, ', ')))
  end
  require('postkit.exchange').with(function(server, id)
    require('postkit.memory').look(id, tab.name)
    M.show(server, id, tab.name)
  end)
end

-- A window of fewer rows begins with the body: the head would leave little room for it.
local few_rows = 15
-- The types of bodies that a person can read.
local readable = { '^text/', 'json', 'xml', 'javascript', 'urlencoded', 'graphql', 'yaml' }

---@param reply PostkitSendResult
local function is_readable(reply)
  local type = (reply.contentType or 'text/plain'):lower()
  return vim.iter(readable):any(function(pattern) return type:find(pattern) ~= nil end)
end

-- The part with which a response begins.
---@param reply PostkitSendResult
---@return string
local function first(reply)
  local wish = find(config.get('view'))
  local part = wish and wish.name or require('postkit.memory').looked(reply.id)
  local has_body = reply.state == 'done' and reply.size > 0
  if not part then
    local is_low = require('postkit.response').rows() < few_rows
    part = is_low and has_body and is_readable(reply) and 'pretty' or 'all'
  end
  -- A body that is empty shows nothing, and what was before is not what has come.
  return (part == 'history' or not has_body) and 'all' or part
end

--- Shows the response to a send: the part that was looked at last of those of its request.
---@param server vim.lsp.Client
---@param reply PostkitSendResult
---@param bufnr integer the buffer of the request
function M.arrive(server, reply, bufnr)
  require('postkit.memory').keep(reply, bufnr)
  local part = first(reply)
  if part == 'all' then
    require('postkit.response').open(server.id, reply.uri, false)
  else
    M.show(server, reply.id, part)
  end
end

--- Shows the next part, or with a negative number one before.
---@param step integer
function M.step(step)
  local _, name = M.of(vim.api.nvim_buf_get_name(0))
  for number, tab in ipairs(tabs) do
    if tab.name == name then
      return M.open(tabs[(number - 1 + step) % #tabs + 1].name)
    end
  end
end

--- Maps the keys of a part.
---@param bufnr integer
function M.map(bufnr)
  local function map(key, what, words)
    vim.keymap.set('n', key, what, { buffer = bufnr, nowait = true, desc = 'PostKit: ' .. words })
  end
  map('<Tab>', function() M.step(vim.v.count1) end, 'the next part of the response')
  map('<S-Tab>', function() M.step(-vim.v.count1) end, 'the part before')
  map(']]', function() require('postkit.body').page(vim.v.count1) end, 'the next page')
  map('[[', function() require('postkit.body').page(-vim.v.count1) end, 'the page before')
  map('q', '<Cmd>close<CR>', 'close')
  map('gs', '<Cmd>PostKit again<CR>', 'send again')
  map('gx', '<Cmd>PostKit open<CR>', 'open with the program of the system')
  map('Y', '<Cmd>PostKit path<CR>', 'copy the path of a value')
  map('g/', '<Cmd>PostKit filter<CR>', 'filter the body')
  map('o', '<Cmd>PostKit filter<CR>', 'filter the body')
  map('g?', '<Cmd>help postkit-response<CR>', 'help')
end

return M

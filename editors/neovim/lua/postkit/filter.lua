-- Narrows what is shown while a person types: a response to what a path selects, a list to the
-- lines that have some words.
local client = require('postkit.client')
local config = require('postkit.config')
local prompt = require('postkit.prompt')
local response = require('postkit.response')

local M = {}

-- The paths that were taken, newest last.
---@type string[]
local paths = {}

-- A question to the server at each letter, of which only the newest counts.
---@param server vim.lsp.Client
---@param uri_of fun(text: string): string
---@param show fun(lines: string[])
local function asker(server, uri_of, show)
  local turn, request = 0, nil
  local function ask(text)
    turn = turn + 1
    local mine = turn
    if request then
      server:cancel_request(request)
    end
    request = response.fetch(server.id, uri_of(text), function(lines)
      if mine == turn then
        request = nil
        show(lines)
      end
    end, function(message)
      if mine == turn then
        request = nil
        prompt.tell((message:gsub('^Cannot show the response: ', '')))
      end
    end)
  end
  return ask, function() turn = turn + 1 end
end

-- Puts lines into a buffer that nobody writes in.
---@param bufnr integer
---@param lines string[]
local function put(bufnr, lines)
  if vim.api.nvim_buf_is_valid(bufnr) then
    vim.bo[bufnr].modifiable = true
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
    vim.bo[bufnr].modified = false
    vim.bo[bufnr].modifiable = false
  end
end

---@param text string
local function escaped(text)
  return (text:gsub('[^%w%-._~$@*,:/%[%]()]', function(character)
    return ('%%%02X'):format(character:byte())
  end))
end

-- The document of what a path selects; a path that is none shows the body.
---@param id string
---@param path string
local function selected(id, path)
  local name = vim.startswith(path, '/') and 'body.xml' or 'body.json'
  local query = path == '' and '' or '?select=' .. escaped(path)
  return ('postkit:/response/%s/%s%s'):format(id, name, query)
end

---@param server vim.lsp.Client
---@param id string
---@param window integer
local function narrow(server, id, window)
  local before = vim.api.nvim_win_get_buf(window)
  local name = vim.api.nvim_buf_get_name(before)
  local kept = vim.api.nvim_buf_get_lines(before, 0, -1, false)
  -- Not the buffer of the response itself: the server has that one's text.
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.b[before].postkit_stays = true
  vim.b[scratch].postkit_part = true
  vim.api.nvim_win_set_buf(window, scratch)
  put(scratch, kept)
  local ask, stop = asker(server, function(text)
    return selected(id, text)
  end, function(lines)
    if vim.bo[scratch].filetype == '' then
      vim.bo[scratch].filetype = 'json'
    end
    put(scratch, lines)
  end)
  local function restore()
    stop()
    local is_there = vim.api.nvim_buf_is_valid(before)
    if is_there and vim.api.nvim_win_is_valid(window) then
      vim.b[before].postkit_stays = nil
      vim.api.nvim_win_set_buf(window, before)
    elseif is_there then
      vim.api.nvim_buf_delete(before, { force = true })
    end
    if vim.api.nvim_buf_is_valid(scratch) then
      vim.api.nvim_buf_delete(scratch, { force = true })
    end
  end
  prompt.open({
    window = window, title = 'JSONPath or XPath', kept = paths,
    text = vim.uri_decode(name:match('%?select=(.*)$') or ''),
    changed = ask,
    cancelled = restore,
    accepted = function(text)
      restore()
      response.open(server.id, selected(id, text), true)
    end,
  })
end

--- Narrows the response that is shown to what a path selects, at each letter.
function M.response()
  local window = response.window()
  local id = window
    and require('postkit.tabs').of(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)))
  local server = client.any()
  if not window or not id or not server then
    return config.complain('No response to filter. `:PostKit response` shows one.')
  end
  narrow(server, id, window)
end

--- The lines that have all the words, in whatever order, in themselves or in the headings above them,
--- which stay with them.
---@param lines string[]
---@param text string
---@return string[]
function M.lines(lines, text)
  local words = vim.split(text:lower(), '%s+', { trimempty = true })
  if #words == 0 then
    return lines
  end
  local kept = {}
  ---@type {indent: integer, line: string, kept: boolean}[]
  local above = {}
  for _, line in ipairs(lines) do
    local indent = #line:match('^#?%s*')
    while #above > 0 and above[#above].indent >= indent do
      table.remove(above)
    end
    if line:find('%S', 2) then
      above[#above + 1] = { indent = indent, line = line, kept = false }
    end
    local path = table.concat(vim.tbl_map(function(one)
      return one.line
    end, above), ' '):lower()
    local has = vim.iter(words):all(function(word)
      return path:find(word, 1, true) ~= nil
    end)
    for _, one in ipairs(has and above or {}) do
      if not one.kept then
        kept[#kept + 1] = one.line
        one.kept = true
      end
    end
  end
  return kept
end

-- Moves the cursor of a window while the prompt has that of the person.
---@param window integer
---@return fun(step: integer)
local function mover(window)
  return function(step)
    local count = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window))
    local row = vim.api.nvim_win_get_cursor(window)[1] + step
    vim.api.nvim_win_set_cursor(window, { math.max(1, math.min(row, count)), 0 })
  end
end

--- Narrows the list in the current window, at each letter. The server searches the history, with
--- bodies and notes, and the collections; the other lists are here as a whole.
function M.list()
  local window, bufnr = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  local uri, server = vim.api.nvim_buf_get_name(bufnr), client.of(bufnr)
  local kept = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  if not server then
    return config.complain('The server of this list has stopped. Open the list again.')
  end
  local lists = require('postkit.lists')
  local all = vim.b[bufnr].postkit_all or kept
  local searches = lists.searched(uri)
  local function address(text)
    local query = lists.query(searches, vim.split(text, '%s+', { trimempty = true }))
    return 'postkit:/' .. searches .. (query == '' and '' or '?' .. query)
  end
  local ask, stop = asker(server, address, function(lines) put(bufnr, lines) end)
  prompt.open({
    window = window, title = 'Search', moved = mover(window),
    text = searches and lists.words(uri) or vim.b[bufnr].postkit_filter or '',
    changed = searches and ask or function(text)
      put(bufnr, M.lines(all, text))
    end,
    cancelled = function()
      stop()
      put(bufnr, kept)
    end,
    accepted = function(text)
      stop()
      if searches then
        return response.open(server.id, address(text), true)
      end
      vim.b[bufnr].postkit_all = text ~= '' and all or nil
      vim.b[bufnr].postkit_filter = text ~= '' and text or nil
      put(bufnr, M.lines(all, text))
    end,
  })
end

return M

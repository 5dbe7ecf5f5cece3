-- Shows responses in one window beside the requests and lists in one below them, which are made
-- once and used again.
local buffers = require('postkit.buffers')
local config = require('postkit.config')
local lists = require('postkit.lists')
local tabs = require('postkit.tabs')
local wording = require('postkit.wording')

local M = {}

--- Whether a URI is one of the documents that belong into the response window.
---@param uri string
function M.is_document(uri)
  return vim.startswith(uri, 'postkit:') or uri:match('^file:.*/view/[^/]+$') ~= nil
end

--- Fetches the lines of a document.
---@param id integer the client that has it
---@param uri string
---@param done fun(lines: string[])
---@param failed fun(message: string)? what is done where there are none; absent, it is told
---@return integer? request
function M.fetch(id, uri, done, failed)
  failed = failed or config.complain
  if vim.startswith(uri, 'file:') then
    local path = vim.uri_to_fname(uri)
    if vim.fn.filereadable(path) == 1 then
      return done(vim.fn.readfile(path))
    end
    return failed(('Cannot read %s.'):format(path))
  end
  local client = vim.lsp.get_client_by_id(id)
  if not client then
    return failed('The server of this response has stopped. Send the request again.')
  end
  local function answered(error, result)
    if error then
      local why = 'Cannot show the response: ' .. config.plain(error.message)
      return not config.is_wished(error) and failed(why)
    end
    local text = result.text:gsub('\r\n', '\n'):gsub('\n$', '')
    done(vim.split(text, '\n', { plain = true }))
  end
  local _, request = client:request('workspace/textDocumentContent', { uri = uri }, answered)
  return request
end

-- What a document is shown as: its window is marked with a variable, and others are left alone.
---@class postkit.Kind
---@field mark string
---@field filetype string
---@field options table<string, any> of the window

local plain = {
  number = false, relativenumber = false, signcolumn = 'no',
  winbar = "%{%v:lua.require'postkit.tabs'.bar()%}",
  statusline = "%{%v:lua.require'postkit.tabs'.status()%}",
}

---@type postkit.Kind
local responses = { mark = 'postkit_response', filetype = 'httpresponse',
  options = vim.tbl_extend('force', plain, { linebreak = true }) }
---@type postkit.Kind
local listing = {
  mark = 'postkit_list',
  filetype = 'httplist',
  options = vim.tbl_extend('force', plain, {
    wrap = false, linebreak = false, cursorline = true, conceallevel = 2, concealcursor = 'n',
    winbar = "%{%v:lua.require'postkit.lists'.bar()%}",
  }),
}

---@param uri string
---@return postkit.Kind
local function kind(uri)
  return lists.is_list(uri) and listing or responses
end

-- Whether a buffer shows something of the server's. Which window it is in says what it is shown as:
-- what a request returned before can stand in both.
---@param bufnr integer
local function is_ours(bufnr)
  return vim.b[bufnr].postkit_server ~= nil or vim.b[bufnr].postkit_part
    or vim.startswith(vim.api.nvim_buf_get_name(bufnr), 'postkit:')
end

---@param of postkit.Kind
---@return integer?
local function find(of)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.w[window][of.mark] and is_ours(vim.api.nvim_win_get_buf(window)) then
      return window
    end
  end
end

--- The window of this tab page that shows responses.
---@return integer?
function M.window()
  return find(responses)
end

--- The window of this tab page that shows a list.
---@return integer?
function M.list_window()
  return find(listing)
end

---@param id integer the client that has the document
---@param uri string
---@param bufnr integer
---@param lines string[]
---@param of postkit.Kind? whose window it stands in
local function fill(id, uri, bufnr, lines, of)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  vim.bo[bufnr].buftype = 'nofile'
  buffers.vanish(bufnr)
  vim.bo[bufnr].swapfile = false
  -- The text is somebody else's, who is not to set options here.
  vim.bo[bufnr].modeline = false
  vim.bo[bufnr].modifiable = true
  local is_list = kind(uri) == listing
  vim.b[bufnr].postkit_elsewhere = not is_list and wording.is_seen_elsewhere(lines)
  lines = is_list and lists.worded(uri, lines) or wording.response(lines)
  if vim.b[bufnr].postkit_filter then
    vim.b[bufnr].postkit_all = lines
    lines = require('postkit.filter').lines(lines, vim.b[bufnr].postkit_filter)
  end
  -- A list that says the same as before keeps the results that stand behind its lines.
  if not is_list or not vim.deep_equal(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), lines) then
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  end
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = false
  local part = buffers.language(uri)
  of = of or vim.b[bufnr].postkit_part and responses or kind(uri)
  vim.b[bufnr].postkit_part = of == responses
    or vim.iter(vim.fn.win_findbuf(bufnr)):any(function(window)
      return vim.w[window][responses.mark] == true
    end)
  local filetype = part or kind(uri).filetype
  if vim.bo[bufnr].filetype ~= filetype then
    vim.bo[bufnr].filetype = filetype
  end
  if kind(uri) == listing then
    lists.map(bufnr)
    buffers.wrap(bufnr, lists.first(lines) == 1)
  end
  if vim.b[bufnr].postkit_part then
    tabs.map(bufnr)
    tabs.decorate(bufnr, uri, lines)
    require('postkit.picture').show(id, uri, bufnr, lines)
  end
  vim.b[bufnr].postkit_server = id
  if vim.startswith(uri, 'postkit:') and not tabs.is_own(uri) then
    buffers.attach(id, bufnr)
  end
end

-- Beside when there is room for two columns, else below.
---@return 'right'|'below'|'left'|'above'
local function side()
  return config.get('split') or (vim.o.columns >= 140 and 'right' or 'below')
end

--- How many rows the response window has, or will have once it is made.
---@return integer
function M.rows()
  local window, rows = M.window(), vim.o.lines - vim.o.cmdheight - 2
  if window then
    return vim.api.nvim_win_get_height(window)
  end
  local is_whole = vim.list_contains({ 'right', 'left' }, side())
  return is_whole and rows or math.floor(rows / 2) - 1
end

--- Leaves a window of ours for one with a file, so that what opens next takes no list's place.
function M.leave()
  local here = vim.api.nvim_get_current_win()
  if here ~= M.window() and here ~= M.list_window() then
    return
  end
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local floats = vim.api.nvim_win_get_config(window).relative ~= ''
    if not floats and vim.bo[vim.api.nvim_win_get_buf(window)].buftype == '' then
      return vim.api.nvim_set_current_win(window)
    end
  end
  vim.cmd('topleft new')
end

-- Gives the response window a quarter of the rows where a list has left it fewer: a new window takes
-- its rows from the one above it alone. The list keeps its own.
local function balance()
  local window, least = find(responses), math.floor(vim.o.lines / 4)
  if window and vim.api.nvim_win_get_height(window) < least then
    vim.api.nvim_win_set_height(window, least)
  end
end

-- The window for a document, made where there is none. Its options go with what it shows.
---@param bufnr integer
---@param of postkit.Kind
---@param count integer of lines
---@return integer
---@param shown postkit.Kind what it is, where it stands in the window of another
local function window_for(bufnr, of, count, shown)
  local window = find(of)
  if window then
    vim.api.nvim_win_set_buf(window, bufnr)
  else
    local height = of == listing and buffers.list_height(count + 1, 12) or nil
    local split = of == listing and 'below' or side()
    window = vim.api.nvim_open_win(bufnr, false, { split = split, win = -1, height = height })
    vim.w[window][of.mark] = true
    vim.wo[window].winfixheight = of == listing
    balance()
  end
  for option, value in pairs(listing.options) do
    if of.options[option] ~= nil then
      value = of.options[option]
    elseif shown ~= listing then
      value = vim.api.nvim_get_option_value(option, { scope = 'global' })
    end
    vim.api.nvim_set_option_value(option, value, { win = window, scope = 'local' })
  end
  return window
end

---@param id integer
---@param uri string
---@param lines string[]
---@param focus boolean
---@param of postkit.Kind? whose window it is shown in; absent, that of its own kind
---@return integer? bufnr nil while the command-line window keeps it from being shown
local function place(id, uri, lines, focus, of)
  if vim.fn.getcmdwintype() ~= '' then
    vim.defer_fn(function()
      place(id, uri, lines, focus, of)
    end, 100)
    return nil
  end
  local bufnr = buffers.named(uri)
  of = of or kind(uri)
  local window = window_for(bufnr, of, #lines, kind(uri))
  fill(id, uri, bufnr, lines, of)
  vim.api.nvim_win_set_cursor(window, { kind(uri) == listing and lists.first(lines) or 1, 0 })
  if focus then
    vim.api.nvim_set_current_win(window)
  end
  return bufnr
end

--- Fetches a document and shows it in the response window; the cursor follows only with `focus`.
---@param id integer the client that has it
---@param uri string
---@param focus boolean
function M.open(id, uri, focus)
  M.fetch(id, uri, function(lines)
    place(id, uri, lines, focus)
  end)
end

--- Fetches a document and shows it as a part of a response.
---@param id integer the client that has it
---@param uri string
function M.open_part(id, uri)
  M.fetch(id, uri, function(lines)
    place(id, uri, lines, false, responses)
  end)
end

--- Shows lines of our own in the response window.
---@param uri string
---@param lines string[]
---@param id integer? the client that they are of
---@return integer? bufnr
function M.show(uri, lines, id)
  return place(id or -1, uri, lines, false, responses)
end

---@param bufnr integer
---@return table<integer, string> the last word of the cursor's line by window
local function places(bufnr)
  local found = {}
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    local row = vim.api.nvim_win_get_cursor(window)[1]
    found[window] = vim.api.nvim_buf_get_lines(bufnr, row - 1, row, false)[1]:match('%S+$')
  end
  return found
end

-- Puts the cursor on the line that ends with a word.
---@param window integer
---@param word string
---@param lines string[]
local function stay(window, word, lines)
  for row, line in ipairs(lines) do
    if vim.endswith(line, word) then
      vim.api.nvim_win_set_cursor(window, { row, 0 })
    end
  end
end

--- Fetches a document again that a window shows, for it has changed; the cursor stays on its line,
--- which is known by its last word; where there was none with something to do it goes to the first.
---@param id integer
---@param uri string
function M.refresh(id, uri)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(bufnr) == uri and vim.api.nvim_buf_is_loaded(bufnr) then
      M.fetch(id, uri, function(lines)
        -- It may have been closed meanwhile.
        if not vim.api.nvim_buf_is_loaded(bufnr) then
          return
        end
        local words = places(bufnr)
        local was_empty = lists.first(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) == 1
        fill(id, uri, bufnr, lines)
        for window, word in pairs(words) do
          if was_empty and kind(uri) == listing then
            vim.api.nvim_win_set_cursor(window, { lists.first(lines), 0 })
          else
            stay(window, word, lines)
          end
        end
      end)
    end
  end
end

-- Has the windows of a buffer be those of its kind, as they were in the session that is restored.
---@param bufnr integer
---@param of postkit.Kind
local function adopt(bufnr, of)
  vim.b[bufnr].postkit_part = of == responses
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    vim.w[window][of.mark] = true
    for option, value in pairs(of.options) do
      vim.api.nvim_set_option_value(option, value, { win = window, scope = 'local' })
    end
  end
end

--- Fills a buffer that was opened by a postkit: name, as soon as a server runs.
---@param uri string
---@param bufnr integer
---@param is_restored boolean? whether it stands in windows of a session, which are ours again
function M.read(uri, bufnr, is_restored)
  local function read(server)
    local id, name = tabs.of(uri)
    if tabs.is_own(uri) then
      adopt(bufnr, responses)
      return tabs.show(server, id, name)
    end
    local function show(lines)
      if is_restored and vim.api.nvim_buf_is_valid(bufnr) then
        adopt(bufnr, name and responses or kind(uri))
      end
      fill(server.id, uri, bufnr, lines, name and responses)
      for _, window in ipairs(kind(uri) == listing and vim.fn.win_findbuf(bufnr) or {}) do
        vim.api.nvim_win_set_cursor(window, { lists.first(lines), 0 })
      end
    end
    M.fetch(server.id, uri, show, is_restored and function()
      show({ 'This was not kept. `:PostKit response` shows the last response.' })
    end or nil)
  end
  local server = require('postkit.client').any()
  if server then
    return read(server)
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    callback = function(event)
      local started = vim.lsp.get_client_by_id(event.data.client_id)
      local is_ours = started ~= nil and started.name == 'postkit'
      if is_ours and vim.api.nvim_buf_is_valid(bufnr) then
        read(started)
      end
      return is_ours
    end,
  })
end

--- Writes a sentence over an open response window, so that no old answer is taken for a new one.
---@param sentence string
function M.replace(sentence)
  if M.window() then
    place(-1, 'postkit:/failed', vim.split(sentence, '\n'), false)
  end
end

return M

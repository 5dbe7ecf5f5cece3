-- Shows responses in one window beside the requests, which is made once and used again.
local config = require('postkit.config')

local M = {}

--- Whether a URI is one of the documents that belong into the response window.
---@param uri string
function M.is_document(uri)
  return vim.startswith(uri, 'postkit:') or uri:match('^file:.*/view/[^/]+$') ~= nil
end

---@param id integer
---@param uri string
---@param done fun(lines: string[])
local function fetch(id, uri, done)
  if vim.startswith(uri, 'file:') then
    local path = vim.uri_to_fname(uri)
    if vim.fn.filereadable(path) == 1 then
      return done(vim.fn.readfile(path))
    end
    return config.complain('cannot read ' .. path)
  end
  local client = vim.lsp.get_client_by_id(id)
  if not client then
    return config.complain('the server that has this response does not run')
  end
  client:request('workspace/textDocumentContent', { uri = uri }, function(error, result)
    if error then
      return config.complain('cannot show the response: ' .. error.message)
    end
    done(vim.split(result.text:gsub('\n$', ''), '\r?\n'))
  end)
end

--- The window of this tab page that shows responses.
---@return integer?
function M.window()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local bufnr = vim.api.nvim_win_get_buf(window)
    if vim.w[window].postkit_response and vim.bo[bufnr].filetype == 'httpresponse' then
      return window
    end
  end
end

---@param bufnr integer
---@param lines string[]
local function fill(bufnr, lines)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = 'httpresponse'
end

-- Beside when there is room for two columns, else below.
---@return 'right'|'below'|'left'|'above'
local function side()
  return config.get('split') or (vim.o.columns >= 140 and 'right' or 'below')
end

---@param uri string
---@return integer
local function buffer(uri)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(bufnr) == uri then
      return bufnr
    end
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, uri)
  return bufnr
end

---@param uri string
---@param lines string[]
---@param focus boolean
local function place(uri, lines, focus)
  if vim.fn.getcmdwintype() ~= '' then
    return vim.defer_fn(function()
      place(uri, lines, focus)
    end, 100)
  end
  local bufnr = buffer(uri)
  local window = M.window()
  if window then
    vim.api.nvim_win_set_buf(window, bufnr)
  else
    window = vim.api.nvim_open_win(bufnr, false, { split = side(), win = -1 })
    vim.w[window].postkit_response = true
    for option, value in pairs({ number = false, relativenumber = false, signcolumn = 'no' }) do
      vim.api.nvim_set_option_value(option, value, { win = window, scope = 'local' })
    end
  end
  fill(bufnr, lines)
  vim.api.nvim_win_set_cursor(window, { 1, 0 })
  if focus then
    vim.api.nvim_set_current_win(window)
  end
end

--- Fetches a document and shows it in the response window; the cursor follows only with `focus`.
---@param id integer the client that has it
---@param uri string
---@param focus boolean
function M.open(id, uri, focus)
  fetch(id, uri, function(lines)
    place(uri, lines, focus)
  end)
end

--- Fills a buffer that was opened by a postkit: name.
---@param uri string
---@param bufnr integer
function M.read(uri, bufnr)
  local client = require('postkit.client').any()
  fetch(client and client.id or -1, uri, function(lines)
    fill(bufnr, lines)
  end)
end

--- Writes a sentence over an open response window, so that no old answer is taken for a new one.
---@param sentence string
function M.replace(sentence)
  if M.window() then
    place('postkit:/failed', vim.split(sentence, '\n'), false)
  end
end

return M

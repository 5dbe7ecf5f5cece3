-- What scripts print: in a buffer that opens when somebody asks for it.
local M = {}

local name = 'postkit://output'
-- So many lines are kept.
local most = 2000

local kept = {} ---@type string[]
local bufnr ---@type integer?

local words = { warn = 'warning: ', error = 'error: ' }

-- What was printed as lines that begin with the place, so that |gF| leads there.
---@param printed PostkitDidPrintParams
---@return string[]
local function lines(printed)
  local path = vim.startswith(printed.uri, 'file:')
    and vim.fn.fnamemodify(vim.uri_to_fname(printed.uri), ':~:.') or printed.uri
  local place = printed.line and ('%s:%d'):format(path, printed.line + 1) or path
  local text = (words[printed.level] or '') .. printed.text
  return vim.split(('%s: %s'):format(place, text), '\n', { plain = true })
end

local function draw()
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, kept)
  vim.bo[bufnr].modifiable = false
  -- Who looks at the end goes on doing so.
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    vim.api.nvim_win_set_cursor(window, { math.max(1, #kept), 0 })
  end
end

--- Takes note of what a script printed.
---@param printed PostkitDidPrintParams
function M.told(printed)
  vim.list_extend(kept, lines(printed))
  if #kept > most then
    kept = vim.list_slice(kept, #kept - most + 1)
  end
  if bufnr and vim.api.nvim_buf_is_valid(bufnr) then
    draw()
  end
end

--- Shows what scripts have printed in this session.
function M.show()
  if #kept == 0 then
    return require('postkit.config').say('No script has printed anything yet.')
  end
  if not (bufnr and vim.api.nvim_buf_is_valid(bufnr)) then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, name)
    vim.bo[bufnr].bufhidden = 'hide'
    vim.bo[bufnr].swapfile = false
  end
  local window = vim.fn.win_findbuf(bufnr)[1]
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, bufnr)
  end
  draw()
end

return M

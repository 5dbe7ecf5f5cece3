-- Shows lines in a float above the text, from which they can be copied.
local M = {}

-- As many cells as the longest of some lines takes.
---@param lines string[]
---@return integer
local function widest(lines)
  return vim.iter(lines):fold(1, function(most, line)
    return math.max(most, vim.fn.strdisplaywidth(line))
  end)
end

-- As many rows as lines take in a window that breaks them.
---@param lines string[]
---@param width integer
---@return integer
local function rows(lines, width)
  return vim.iter(lines):fold(0, function(sum, line)
    return sum + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end)
end

--- Shows lines in a float that has the cursor; `q`, <Esc> and whatever leaves it close it.
---@param title string
---@param lines string[]
---@return integer window
function M.open(title, lines)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = 'postkitfloat'
  -- The frame and the blanks beside it take four cells.
  local width = math.max(20, math.min(widest(lines), vim.o.columns - 4))
  local height = math.min(rows(lines, width), math.max(1, vim.o.lines - vim.o.cmdheight - 4))
  local window = vim.api.nvim_open_win(bufnr, true, {
    relative = 'editor', style = 'minimal', border = 'rounded', title = (' %s '):format(title),
    width = width, height = height, col = math.floor((vim.o.columns - width - 2) / 2),
    row = math.max(0, math.floor((vim.o.lines - vim.o.cmdheight - height - 2) / 2)),
  })
  for option, value in pairs({ wrap = true, linebreak = true, breakindent = true }) do
    vim.api.nvim_set_option_value(option, value, { win = window, scope = 'local' })
  end
  local function close()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
  end
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, close, { buffer = bufnr, nowait = true, desc = 'PostKit: close' })
  end
  vim.api.nvim_create_autocmd('WinLeave', { buffer = bufnr, callback = vim.schedule_wrap(close) })
  return window
end

return M

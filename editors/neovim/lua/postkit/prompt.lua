-- One line to type in, below what it is about: it tells of every letter.
local M = {}

---@class postkit.Prompt
---@field window integer what it is about, and where the cursor goes with what was typed
---@field from? integer where the cursor was before, and goes where nothing is typed
---@field title string
---@field text? string what stands in it at first
---@field changed fun(text: string)
---@field accepted fun(text: string)
---@field cancelled fun()
---@field bufnr? integer while it is open
---@field moved? fun(step: integer) the arrow keys; without it they go through what was kept
---@field kept? string[] what was accepted before, newest last; what is accepted is added

local namespace = vim.api.nvim_create_namespace('postkit.prompt')

-- The one that is open.
local bufnr ---@type integer?

-- Ends the prompt and goes to a window, but with whoever has left it already.
---@param prompt postkit.Prompt
---@param window integer
---@param done fun()
local function close(prompt, window, done)
  local old = prompt.bufnr
  -- Leaving its window closes it, too, and by then another may be open.
  if not old or old ~= bufnr then
    return
  end
  bufnr, prompt.bufnr = nil, nil
  local is_inside = vim.api.nvim_get_current_buf() == old
  vim.cmd.stopinsert()
  for _, own in ipairs(vim.fn.win_findbuf(old)) do
    vim.api.nvim_win_close(own, true)
  end
  if vim.api.nvim_buf_is_valid(old) then
    vim.api.nvim_buf_delete(old, { force = true })
  end
  if is_inside and vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_set_current_win(window)
  end
  done()
end

-- Puts an earlier text into the line, or with 1 a later one, the newest of which is an empty one.
---@param kept string[]
---@return fun(step: integer)
local function stepper(kept)
  local place = #kept + 1
  return function(step)
    place = math.max(1, math.min(place + step, #kept + 1))
    local text = kept[place] or ''
    vim.api.nvim_set_current_line(text)
    vim.api.nvim_win_set_cursor(0, { 1, #text })
  end
end

---@param kept string[]
---@param text string
local function keep(kept, text)
  if text ~= '' and not vim.list_contains(kept, text) then
    kept[#kept + 1] = text
  end
end

---@param prompt postkit.Prompt
local function map(prompt)
  local function key(lhs, what)
    vim.keymap.set({ 'i', 'n' }, lhs, what, { buffer = bufnr, nowait = true })
  end
  key('<CR>', function()
    local text = vim.api.nvim_get_current_line()
    keep(prompt.kept or {}, text)
    close(prompt, prompt.window, function() prompt.accepted(text) end)
  end)
  for _, lhs in ipairs({ '<Esc>', '<C-C>' }) do
    key(lhs, function() close(prompt, prompt.from or prompt.window, prompt.cancelled) end)
  end
  local move = prompt.moved or stepper(prompt.kept or {})
  for lhs, step in pairs({ ['<Down>'] = 1, ['<C-N>'] = 1, ['<Up>'] = -1, ['<C-P>'] = -1 }) do
    key(lhs, function() move(step) end)
  end
end

---@param prompt postkit.Prompt
local function watch(prompt)
  local text = prompt.text or ''
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChanged', 'TextChangedP' }, {
    buffer = bufnr,
    callback = function()
      local now = vim.api.nvim_get_current_line()
      if now ~= text then
        text = now
        M.tell('')
        prompt.changed(now)
      end
    end,
  })
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = bufnr,
    callback = function()
      vim.schedule(function() close(prompt, prompt.window, prompt.cancelled) end)
    end,
  })
end

--- Opens a prompt with the cursor in it.
---@param prompt postkit.Prompt
function M.open(prompt)
  prompt.from = vim.api.nvim_get_current_win()
  bufnr = vim.api.nvim_create_buf(false, true)
  prompt.bufnr = bufnr
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'postkitprompt'
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { prompt.text or '' })
  local width = vim.api.nvim_win_get_width(prompt.window)
  vim.api.nvim_open_win(bufnr, true, {
    relative = 'win', win = prompt.window, anchor = 'SW', style = 'minimal',
    row = vim.api.nvim_win_get_height(prompt.window), col = 0,
    width = math.max(1, width - 2), height = 1,
    border = 'single', title = ' ' .. prompt.title .. ' ',
  })
  map(prompt)
  watch(prompt)
  vim.cmd('startinsert!')
end

--- Writes a word behind what was typed, such as why it selects nothing.
---@param words string
function M.tell(words)
  if bufnr then
    vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
    if words ~= '' then
      vim.api.nvim_buf_set_extmark(bufnr, namespace, 0, 0, {
        virt_text = { { '  ' .. vim.split(words, '\n')[1], 'PostKitFailed' } },
      })
    end
  end
end

return M

-- Keeps the environment in sight, above each window with requests.
local config = require('postkit.config')

local M = {}

-- The guard is white on red: in many colour schemes no group that it could link to stands out.
local function colour()
  vim.api.nvim_set_hl(0, 'PostKitEnvironment', { link = 'DiagnosticInfo', default = true })
  vim.api.nvim_set_hl(0, 'PostKitGuard', {
    fg = '#ffffff', bg = '#b01020', ctermfg = 15, ctermbg = 1, bold = true, default = true,
  })
end
colour()

local group = vim.api.nvim_create_augroup('postkit.bar', {})
vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = colour })

local ours = "%{%get(b:,'postkit_bar','')%}"

-- What a line may show as it is.
---@param text string
local function literal(text)
  return (text:gsub('%%', '%%%%'))
end

---@param name string?
---@param guarded boolean
---@param turn string? how far a send of several requests is
local function words(name, guarded, turn)
  local colours = guarded and 'PostKitGuard' or name and 'PostKitEnvironment' or 'Comment'
  local text = name and literal(name) or 'no environment'
  local guard = guarded and ' - asks before it sends' or ''
  local far = turn and '%#PostKitSending# ' .. turn .. ' %*' or ''
  return ("%%0@v:lua.require'postkit.bar'.press@%%#%s# %s%s %%X%%*%s")
    :format(colours, text, guard, far)
end

--- Offers the environments where the mouse pressed the name of the current one.
function M.press()
  local window = vim.fn.getmousepos().winid
  vim.schedule(function()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_set_current_win(window)
      require('postkit.environment').choose()
    end
  end)
end

-- A line that somebody else has set stays.
---@param window integer
local function place(window)
  local own = vim.api.nvim_get_option_value('winbar', { win = window, scope = 'local' })
  local all = vim.api.nvim_get_option_value('winbar', { scope = 'global' })
  local floats = vim.api.nvim_win_get_config(window).relative ~= ''
  if own == '' and all == '' and not floats then
    vim.api.nvim_set_option_value('winbar', ours, { win = window, scope = 'local' })
  end
end

--- Writes the environment above the windows of a buffer, and how far a send of several is.
---@param bufnr integer
function M.refresh(bufnr)
  if config.get('winbar') == false or not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  local environment = require('postkit.environment')
  vim.b[bufnr].postkit_bar = words(environment.active(bufnr), environment.guarded(bufnr),
    require('postkit.send').turn(bufnr))
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    place(window)
  end
end

vim.api.nvim_create_autocmd('BufWinEnter', {
  group = group,
  callback = function(event)
    if vim.b[event.buf].postkit_bar then
      place(vim.api.nvim_get_current_win())
    end
  end,
})

return M

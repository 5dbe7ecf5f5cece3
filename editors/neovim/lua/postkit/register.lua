-- Puts what was made for elsewhere into the registers.
local config = require('postkit.config')

local M = {}

--- Copies a text into the unnamed and the system register, and tells its beginning on one line, for
--- a longer message has Neovim wait for a key.
---@param text string
function M.take(text)
  vim.fn.setreg('"', text)
  if vim.fn.has('clipboard') == 1 then
    vim.fn.setreg('+', text)
  end
  local line = vim.split(text, '\n')[1]
  local room = math.max(10, vim.v.echospace - #'PostKit: copied …')
  local count = vim.fn.strchars(line)
  while vim.api.nvim_strwidth(vim.fn.strcharpart(line, 0, count)) > room do
    count = count - 1
  end
  local shown = vim.fn.strcharpart(line, 0, count)
  config.say('copied ' .. shown .. (shown == line and '' or '…'))
end

return M

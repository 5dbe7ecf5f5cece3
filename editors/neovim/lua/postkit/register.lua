-- Puts what was made for elsewhere into the registers.
local config = require('postkit.config')

local M = {}

--- Copies a text into the unnamed and the system register, and tells so on one line, for a longer
--- message has Neovim wait for a key: what was copied, or how many lines, since the first of a
--- program may be a remark.
---@param text string
---@param kind string what it is, such as the program that it is for
function M.take(text, kind)
  vim.fn.setreg('"', text)
  if vim.fn.has('clipboard') == 1 then
    vim.fn.setreg('+', text)
  end
  local lines = vim.split(text:gsub('\n$', ''), '\n')
  if #lines > 1 then
    return config.say(('Copied as %s, %d lines.'):format(kind, #lines))
  end
  local room = math.max(10, vim.v.echospace - #'PostKit: Copied: ')
  config.say('Copied: ' .. require('postkit.words').fit(lines[1], room))
end

return M

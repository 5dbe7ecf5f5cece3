-- What is told when Neovim is started, in a Neovim of its own.
local support = require('support')

local test = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))

local M = {}

--- A program that is missing is told of when a file is opened, and with a second file no more.
function M.tells_of_missing()
  local told = vim.system({
    vim.v.progpath, '--headless', '-n', '-i', 'NONE', '-u', test .. '/init.lua',
    vim.env.POSTKIT_WORK .. '/several.rest',
    '+lua vim.schedule(function() vim.cmd.edit(vim.env.POSTKIT_WORK .. "/broken.http")'
      .. ' vim.schedule(function() vim.cmd.qall() end) end)',
  }, { env = { POSTKIT_BIN = '/nonexistent/postkit' }, timeout = support.patience, text = true })
    :wait().stderr
  local _, count = told:gsub('is not on your PATH%. Install it, or set its path', '')
  support.same(count, 1, 'how often it is told in ' .. told)
end

return M

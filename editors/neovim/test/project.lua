-- A project of several files for features.lua, and what one does with a buffer.
local client = require('postkit.client')
local support = require('support')

local M = {}

--- Writes a file of the workspace; answers its path.
function M.write(name, text)
  local path = vim.env.POSTKIT_WORK .. '/' .. name
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  vim.fn.writefile(vim.split(text, '\n'), path)
  return path
end

local environments = [[
{
  "dev": {
    "host": "http://127.0.0.1:1",
    "region": "eu"
  },
  "prod": {
    "host": "https://prod.test"
  }
}]]
local main = [[
import common.http
@area = {{region}}

### ask
# @ref login
POST {{host}}/a/{{area}}?t={{login.response.body.$.t}}
Content-Type: application/json

{"area": "{{area}}"}

### file
POST {{host}}/b

< ./body.json
]]

--- Writes the project anew and opens one of its files.
function M.open(name)
  vim.cmd('silent only!')
  vim.cmd('silent! %bwipeout!')
  M.write('project/http-client.env.json', environments)
  M.write('project/http-client.private.env.json', '{ "dev": { "token": "abcdefghijk" } }')
  M.write('project/postkit.json', '{ "environment": "dev" }')
  M.write('project/common.http', '### sign in\n# @name login\nGET {{host}}/login\n')
  M.write('project/body.json', '{}')
  M.write('project/main.http', main)
  vim.cmd('silent edit! ' .. vim.env.POSTKIT_WORK .. '/project/' .. (name or 'main.http'))
  support.wait(function() return client.of(0) end, 'the server')
end

--- Replaces the text of the buffer.
function M.set(text)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, '\n'))
end

--- Puts the cursor on the end of the first occurrence of a text.
function M.go(text)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  support.yes(vim.fn.search([[\V]] .. vim.fn.escape(text, '\\'), 'ceW') > 0, 'there is ' .. text)
end

--- The line of the cursor.
function M.line()
  return vim.api.nvim_get_current_line()
end

--- The text of the buffer.
function M.all()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

--- The last part of the buffer's name.
function M.name()
  return vim.fs.basename(vim.api.nvim_buf_get_name(0))
end

--- The text of a floating window, empty without one.
function M.float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      return table.concat(lines, '\n')
    end
  end
  return ''
end

return M

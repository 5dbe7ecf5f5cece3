-- Puts requests into collections, and folders of them in and out of the store.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

--- The request under the cursor, or the response that is shown, as the argument of a command.
function M.here()
  local uri = vim.uri_from_bufnr(0)
  local tabs = require('postkit.tabs')
  if tabs.is_own(uri) then
    uri = ('postkit:/response/%s.http'):format((tabs.of(uri)))
  end
  return {
    uri = uri,
    position = { line = vim.api.nvim_win_get_cursor(0)[1] - 1, character = 0 },
  }
end

--- The request or the response that the current buffer is about; where there is none, that is told.
function M.told_here()
  local is_about_one = vim.startswith(vim.api.nvim_buf_get_name(0), 'postkit:')
    or client.holds_requests(vim.api.nvim_get_current_buf())
  if is_about_one then
    return M.here()
  end
  config.complain(client.none)
end

--- Saves the request under the cursor; the server asks where to.
function M.save()
  local bufnr, argument = vim.api.nvim_get_current_buf(), M.here()
  argument.op = 'collection.save'
  client.with_requests(bufnr, function(server)
    client.execute(server, 'postkit.collectionEdit', argument, config.refused, bufnr)
  end)
end

--- Has the server show what the expression under the cursor comes to.
function M.evaluate()
  local bufnr, argument = vim.api.nvim_get_current_buf(), M.here()
  client.with_requests(bufnr, function(server)
    client.execute(server, 'postkit.evaluateExpression', argument, config.refused, bufnr)
  end)
end

--- Takes back the last deletion in the collections.
function M.undo()
  local server = client.any()
  if not server then
    return config.say(client.stopped)
  end
  local operation = { op = 'collection.undo' }
  client.execute(server, 'postkit.collectionEdit', operation, function(error)
    config.refused(error)
    if not error then
      config.say('The last deletion is taken back.')
    end
  end, vim.api.nvim_get_current_buf())
end

---@param result {count: integer, uri: string?, warnings: string[]}
---@param done string what was done, with a place for the number
local function tell(result, done)
  local lines = { done:format(result.count) }
  vim.list_extend(lines, result.warnings)
  local say = #result.warnings > 0 and config.complain or config.say
  say(table.concat(lines, '\n'))
end

--- Shows a report: its first line as a message, and where it has more, all of it in a window.
---@param text string
local function show(text)
  local lines = vim.split(vim.trim(text), '\n')
  config.say(lines[1])
  if #lines == 1 then
    return
  end
  vim.cmd.new()
  local bufnr = vim.api.nvim_get_current_buf()
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].swapfile = false
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
end

---@param path string
local function uri(path)
  return vim.uri_from_fname(vim.fs.normalize(vim.fn.fnamemodify(path, ':p')):gsub('(.)/$', '%1'))
end

---@param command string
---@param argument table
---@param done string
local function transfer(command, argument, done)
  local bufnr = vim.api.nvim_get_current_buf()
  local function run(server)
    client.execute(server, command, argument, function(error, result)
      config.refused(error)
      if result and result.format then
        show(result.text)
      elseif result then
        tell(result, done)
      end
    end, bufnr)
  end
  local server = client.any()
  if server then
    run(server)
  else
    client.with(bufnr, run)
  end
end

--- Brings in a file or folder of another tool as request files, or a folder of request files as a
--- collection. The first words that name something that is there are the source. With `--fetch`
--- before them a URL may be one, and what a description names by URLs is fetched.
---@param words string[]
---@param overwrites boolean? whether a collection that is there is brought up to date
function M.import(words, overwrites)
  local fetches = words[1] == '--fetch'
  words = fetches and vim.list_slice(words, 2) or words
  if #words == 0 then
    return config.complain('Name a file or folder: `:PostKit import [--fetch] FILE [FOLDER]`.')
  end
  local count = #words
  while count > 1 and not vim.uv.fs_stat(vim.fs.normalize(table.concat(words, ' ', 1, count))) do
    count = count - 1
  end
  local path = table.concat(words, ' ', 1, count)
  local argument = {
    uri = path:match('^https?://') and path or uri(path),
    overwrite = overwrites or nil,
    fetch = fetches or nil,
  }
  if count < #words then
    argument.target = uri(table.concat(words, ' ', count + 1))
  end
  transfer('postkit.import', argument, 'Imported %d requests from ' .. (path:gsub('%%', '%%%%')))
end

--- The forms in which the history can be written.
M.formats = { 'har', 'http', 'jsonl', 'openapi' }

--- Writes the history, or what of it has some words, into a file.
---@param words string[]
---@param overwrites boolean? whether what is there may be replaced
function M.export(words, overwrites)
  local format, path = words[1], words[2]
  if not path or not vim.list_contains(M.formats, format) then
    return config.complain('Name the form and the file: `:PostKit export har|jsonl|http|openapi FILE`.')
  end
  local query = words[3] and table.concat(words, ' ', 3)
  local argument = {
    format = format, target = uri(path), query = query, overwrite = overwrites or nil,
  }
  transfer('postkit.export', argument, 'Exported %d exchanges to ' .. (path:gsub('%%', '%%%%')))
end

return M

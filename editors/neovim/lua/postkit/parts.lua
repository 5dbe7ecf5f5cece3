-- Parts of a response, and what would be sent: the server makes the texts, this shows them.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

-- Runs with a server of the current buffer: a response has the server that made it.
---@param run fun(server: vim.lsp.Client, bufnr: integer)
local function with_server(run)
  local bufnr = vim.api.nvim_get_current_buf()
  local server = client.any()
  if server then
    return run(server, bufnr)
  end
  client.with(bufnr, function(started)
    run(started, bufnr)
  end)
end

-- What is meant: the response in the current buffer, or that of the request under the cursor.
---@return table
local function here()
  local argument = require('postkit.store').here()
  if vim.startswith(argument.uri, 'postkit:') then
    argument.position = nil
  end
  return argument
end

--- Shows what a JSONPath or an XPath selects of a response; without one the server asks for it.
---@param path string?
function M.select(path)
  local argument = here()
  if path and path ~= '' then
    argument.select = path
  else
    argument.ask = true
  end
  with_server(function(server, bufnr)
    client.execute(server, 'postkit.showResponse', argument, config.refused, bufnr)
  end)
end

--- Copies what the server answers into the unnamed and the system register.
---@param server vim.lsp.Client
---@param bufnr integer
---@param argument table
function M.copy(server, bufnr, argument)
  client.execute(server, 'postkit.copyPath', argument, function(error, text)
    if error then
      return config.refused(error)
    end
    require('postkit.register').take(text, 'a path')
  end, bufnr)
end

--- Copies the JSONPath of the value under the cursor of a response.
function M.path()
  with_server(function(server, bufnr)
    local parameters = vim.lsp.util.make_position_params(0, server.offset_encoding)
    M.copy(server, bufnr, {
      uri = parameters.textDocument.uri,
      position = parameters.position,
    })
  end)
end

--- Saves the body of a response to a file; without one the server asks for it.
---@param path string?
---@param overwrites boolean?
function M.write(path, overwrites)
  local file = path and vim.fs.normalize(vim.fn.fnamemodify(path, ':p')) or nil
  local bufnr = vim.api.nvim_get_current_buf()
  require('postkit.exchange').with(function(server, id)
    client.execute(server, 'postkit.saveResponse', {
      id = id, path = file, overwrite = overwrites or nil,
    }, function(error, result)
      if error and file and not overwrites and vim.uv.fs_stat(file) then
        local sentence = '%s already exists. Use `:PostKit! write` to overwrite it.'
        return config.complain(sentence:format(file))
      end
      config.refused(error)
      if result then
        config.say(result.summary or 'Saved to ' .. result.path)
      end
    end, bufnr)
  end)
end

--- Shows what would be sent for the request under the cursor; nothing is.
function M.preview()
  local argument = require('postkit.store').here()
  argument.dryRun = true
  local bufnr = vim.api.nvim_get_current_buf()
  client.with_requests(bufnr, function(server)
    client.execute(server, 'postkit.send', argument, function(error, result)
      if error then
        return config.refused(error)
      end
      local found = result.resolved
      local lines = { '# Preview: nothing has been sent.' }
      for _, warning in ipairs(found.warnings) do
        lines[#lines + 1] = '# ' .. warning:gsub('%s+', ' ')
      end
      lines[#lines + 1] = found.method .. ' ' .. found.url
      for _, field in ipairs(found.headers) do
        lines[#lines + 1] = field[1] .. ': ' .. field[2]
      end
      if found.body then
        lines[#lines + 1] = ''
        vim.list_extend(lines, vim.split(found.body:gsub('\n$', ''), '\r?\n'))
      end
      require('postkit.response').show('postkit:/preview.http', lines)
    end, bufnr)
  end)
end

return M

-- Finds the exchange that a command is about.
local client = require('postkit.client')
local config = require('postkit.config')
local tabs = require('postkit.tabs')

local M = {}

-- Why there is nothing to show of the request at a place.
---@param bufnr integer
---@param row integer
---@return string
local function missing(bufnr, row)
  local request = vim.api.nvim_buf_is_loaded(bufnr) and require('postkit.rows').at(bufnr, row)
  local known = request and require('postkit.results').at(bufnr, request)
  if require('postkit.results').is_open(known) then
    return 'The response has not arrived yet. `:PostKit cancel` stops the request.'
  end
  return 'This request has no response yet. `:PostKit send` sends it.'
end

--- Runs with the exchange that is meant: the one whose response is in the current window, else the
--- last of the request under the cursor, of which the server offers to show the response.
---@param run fun(server: vim.lsp.Client, id: string)
function M.with(run)
  local bufnr = vim.api.nvim_get_current_buf()
  local id, server = tabs.of(vim.api.nvim_buf_get_name(bufnr)), client.any()
  if id and server then
    return run(server, id)
  elseif id then
    return config.complain(client.stopped)
  end
  local here = require('postkit.store').here()
  client.with(bufnr, function(started)
    started:request('textDocument/codeAction', {
      textDocument = { uri = here.uri },
      range = { start = here.position, ['end'] = here.position },
      context = { diagnostics = {}, only = { 'postkit.show' } },
    }, function(error, actions)
      if error then
        return config.complain(error.message)
      end
      for _, action in ipairs(actions or {}) do
        id = id or vim.tbl_get(action, 'command', 'arguments', 1, 'id')
      end
      if not id then
        return config.complain(missing(bufnr, here.position.line))
      end
      run(started, id)
    end, bufnr)
  end)
end

return M

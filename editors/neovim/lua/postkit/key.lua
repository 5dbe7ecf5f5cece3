-- The key that sends in request files.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

local words = 'PostKit: send the request under the cursor'

-- What the key does: with a count, or outside of requests, what it does elsewhere.
---@param bufnr integer
---@param key string
local function press(bufnr, key)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local sends = vim.v.count == 0 and config.get('send_key') == key
    and client.holds_requests(bufnr) and require('postkit.rows').at(bufnr, row) ~= nil
  return sends and '<Cmd>PostKit send<CR>' or key
end

--- Maps the key in a buffer, unless a person has a key that sends, or uses this one.
---@param bufnr integer
function M.map(bufnr)
  -- Neovim's own file for this type replaces `b:undo_ftplugin`, so that it can't undo the map.
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(bufnr, 'n')) do
    if map.desc == words then
      vim.keymap.del('n', map.lhs, { buffer = bufnr })
    end
  end
  local key = config.get('send_key')
  local is_taken = key == '' or vim.bo[bufnr].buftype ~= '' or vim.fn.maparg(key, 'n') ~= ''
    or vim.fn.hasmapto('<Plug>(postkit-send)', 'n') == 1
  if not is_taken then
    local function pressed() return press(bufnr, key) end
    vim.keymap.set('n', key, pressed, { buffer = bufnr, expr = true, desc = words })
  end
end

return M

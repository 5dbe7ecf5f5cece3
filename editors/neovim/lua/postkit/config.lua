-- Reads the user's choices from vim.g.postkit or setup(); every key has a default.
local M = {}

---@class postkit.Options
---@field open? 'auto'|'never' whether a response opens by itself after a send
---@field split? 'right'|'below'|'left'|'above' where the response window opens
---@field winbar? boolean whether the environment stands above windows with requests
---@field rivals? boolean whether other plugins for request files are named, once a session
---@field autotrigger? boolean whether completion opens while typing
---@field options? table more keys of initializationOptions.postkit, such as `store`

---@type postkit.Options
local defaults = {
  open = 'auto', split = nil, winbar = true, rivals = true, autotrigger = false, options = {},
}

--- The names of the options.
M.names = { 'autotrigger', 'open', 'options', 'rivals', 'split', 'winbar' }

---@type postkit.Options
local given = {}

--- Keeps what setup() was given.
---@param options postkit.Options?
function M.set(options)
  given = vim.tbl_extend('force', given, options or {})
end

--- The value of one option.
---@param key string
function M.get(key)
  local global = vim.g.postkit
  if type(global) == 'function' then
    global = global()
  end
  if given[key] ~= nil then
    return given[key]
  elseif global and global[key] ~= nil then
    return global[key]
  end
  return defaults[key]
end

--- Tells the person something.
---@param text string
function M.say(text)
  vim.notify('PostKit: ' .. text, vim.log.levels.INFO)
end

--- Tells the person that something failed.
---@param text string
function M.complain(text)
  vim.notify('PostKit: ' .. text, vim.log.levels.WARN)
end

return M

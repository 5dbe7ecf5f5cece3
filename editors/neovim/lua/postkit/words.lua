-- Says what the server says of a send, and how long one takes that goes on.
local M = {}

--- The beginning of a text that has room for so many columns, with a mark where it is not all.
---@param text string
---@param room integer
---@return string
function M.fit(text, room)
  if vim.api.nvim_strwidth(text) <= room then
    return text
  end
  local count = math.min(vim.fn.strchars(text), 4 * room)
  repeat
    count = count - 1
    local shown = vim.fn.strcharpart(text, 0, count) .. '…'
  until count <= 0 or vim.api.nvim_strwidth(shown) <= room
  return vim.fn.strcharpart(text, 0, count) .. '…'
end

--- What a reply came to, in the server's words.
---@param reply PostkitSendResult
function M.summary(reply)
  return reply.summary or reply.state
end

--- How it is drawn, which only a server of before does not say.
---@param reply PostkitSendResult
---@return postkit.State
function M.mood(reply)
  return reply.mood or reply.state
end

--- What is drawn of a request that is on its way.
---@param seconds number since it was sent
---@param summary string? what of its response has come
function M.progress(seconds, summary)
  local whole = math.floor(seconds)
  local clock = seconds < 60 and ('%d.%d s'):format(whole, math.floor(seconds * 10) % 10)
    or whole < 3600 and ('%d min %d s'):format(math.floor(whole / 60), whole % 60)
    or ('%d h %d min'):format(math.floor(whole / 3600), math.floor(whole % 3600 / 60))
  return (summary and summary .. '  ' or 'sending… ') .. clock
end

return M

-- Keeps what this Neovim knows of the exchanges that it has sent: how a view of the response is
-- called, and which part of the responses of a request a person looked at last.
local M = {}

-- So many exchanges are known; the oldest are forgotten.
local most = 500

---@class postkit.Memory
---@field request string which request of which buffer it is
---@field title string?

---@type table<string, postkit.Memory>
local exchanges = {}
-- Their ids, oldest first.
---@type string[]
local order = {}
-- By request: the part that was looked at last.
---@type table<string, string>
local looked = {}

--- Notes a reply to a request of a buffer.
---@param reply PostkitSendResult
---@param bufnr integer
function M.keep(reply, bufnr)
  if exchanges[reply.id] then
    return
  end
  local name = reply.name or ('%s %s'):format(reply.method, (reply.url or ''):gsub('[?#].*', ''))
  exchanges[reply.id] = { request = bufnr .. '\n' .. name, title = reply.title }
  order[#order + 1] = reply.id
  if #order > most then
    exchanges[table.remove(order, 1)] = nil
  end
end

--- How a view of a response is called, such as `[login] 200 OK`; nil where this Neovim did not send
--- the request.
---@param id string
---@return string?
function M.title(id)
  return exchanges[id] and exchanges[id].title
end

--- Notes that a person looks at a part of a response.
---@param id string
---@param part string
function M.look(id, part)
  if exchanges[id] then
    looked[exchanges[id].request] = part
  end
end

--- The part that was looked at last of the responses of the request of an exchange.
---@param id string
---@return string?
function M.looked(id)
  return exchanges[id] and looked[exchanges[id].request]
end

return M

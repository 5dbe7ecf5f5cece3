-- Draws how far a send is, behind each of its requests: waiting, sending, and what became of it.
local results = require('postkit.results')
local words = require('postkit.words')

local M = {}

-- Where a request is drawn; without a mark it is in no buffer.
---@class postkit.Place
---@field bufnr integer
---@field mark integer?

---@class postkit.Send
---@field bufnr integer
---@field client integer
---@field own postkit.Place? where the one request stands that was asked for
---@field guessed postkit.Place[] where this plugin takes the requests to be
---@field places table<string, postkit.Place> where the server says that they are, by file and line
---@field now postkit.Place? the one whose time is shown
---@field done integer how many requests are done with
---@field total integer how many there are; 0 where it is one
---@field started integer milliseconds of the event loop's clock, of the request that has its turn
---@field listed table<string, integer>? the rows of a list by the stored requests that they name
---@field summary string? what all came to, in the server's words
---@field live postkit.Live? what has come of the response

--- A send of the requests on some rows, which it draws as `waiting` or as `sending`.
---@param bufnr integer
---@param client integer
---@param rows integer[]
---@param state 'waiting'|'sending'
---@return postkit.Send
function M.new(bufnr, client, rows, state)
  local text = state == 'waiting' and state or words.progress(0)
  local guessed = vim.tbl_map(function(row)
    return { bufnr = bufnr, mark = results.set(bufnr, row, state, text) }
  end, rows)
  local own = state == 'sending' and guessed[1] or nil
  return {
    bufnr = bufnr, client = client, own = own, now = own, guessed = guessed, places = {},
    done = 0, total = 0, started = vim.uv.now(),
  }
end

--- The row where a request is drawn now, nil where it is in no buffer.
---@param place postkit.Place?
---@return integer?
function M.row(place)
  return place and results.row(place.bufnr, place.mark)
end

---@param place postkit.Place?
---@param state postkit.State
---@param text string
---@param reply table?
local function show(place, state, text, reply)
  local row = M.row(place)
  if place and row then
    place.mark = results.set(place.bufnr, row, state, text, reply)
  end
end

---@param place postkit.Place
local function waits(place)
  local row = M.row(place)
  return row ~= nil and results.is_open(results.at(place.bufnr, row))
end

-- Takes away the marks that wait for a result.
---@param places postkit.Place[]
local function clear(places)
  for _, place in ipairs(places) do
    if waits(place) then
      results.clear(place.bufnr, M.row(place))
    end
  end
end

-- The places that this plugin has guessed, by the row where each is now.
---@param send postkit.Send
---@return table<integer, postkit.Place>
local function by_row(send)
  local found = {}
  for _, guess in ipairs(send.guessed) do
    local row = M.row(guess)
    if row then
      found[row] = guess
    end
  end
  return found
end

-- Where a request of the server's is drawn. What was drawn for it once is found again, wherever its
-- line has moved.
---@param send postkit.Send
---@param request PostkitPlannedRequest
---@param guesses table<integer, postkit.Place>? those of the send's buffer, by row
---@return postkit.Place
local function place_of(send, request, guesses)
  local key = (request.file or '') .. ':' .. request.line
  if send.places[key] then
    return send.places[key]
  end
  local row = send.listed and send.listed[request.file] or request.line
  local is_own = not request.file or send.listed and send.listed[request.file]
  local bufnr = not is_own and vim.fn.bufnr('^' .. vim.fn.escape(request.file, '\\*?[{,') .. '$')
    or send.bufnr
  local place = bufnr == send.bufnr and (guesses or by_row(send))[row] or nil
  if not place then
    local mark = bufnr > 0 and results.set(bufnr, row, 'waiting', 'waiting') or nil
    place = { bufnr = bufnr, mark = mark }
  end
  send.places[key] = place
  return place
end

--- Draws how long what has its turn has taken, and how much of its response is there.
---@param send postkit.Send
function M.tick(send)
  local live = send.live or {}
  local seconds = (vim.uv.now() - send.started) / 1000
  show(send.now, 'sending', words.progress(seconds, live.summary))
end

-- The server says which requests it is about to send, and knows better than the guess.
---@param send postkit.Send
---@param requests PostkitPlannedRequest[]
local function queue(send, requests)
  local known, guesses = {}, by_row(send)
  for _, request in ipairs(requests) do
    local place = place_of(send, request, guesses)
    known[place] = true
    show(place, 'waiting', 'waiting')
  end
  send.now, send.total = nil, #requests
  clear(vim.tbl_filter(function(guess) return not known[guess] end, send.guessed))
  send.guessed = {}
end

---@type table<string, fun(send: postkit.Send, value: table)>
local takers = {
  queue = function(send, value) queue(send, value.requests) end,
  started = function(send, value)
    if value.request then
      send.now, send.started = place_of(send, value.request), vim.uv.now()
      send.total = value.total or send.total
      M.tick(send)
    end
  end,
  skipped = function(send, value)
    if value.request then
      show(place_of(send, value.request), 'cancelled', value.summary or 'skipped')
    end
  end,
  result = function(send, value)
    local place, reply = place_of(send, value.request), value.result
    send.done, send.total = value.done, value.total
    show(place, words.mood(reply), words.summary(reply), reply)
    if place == send.now then
      send.now = nil
    end
  end,
  over = function(send, value)
    send.summary = value.summary
    for _, request in ipairs(value.notSent or {}) do
      show(place_of(send, request), 'cancelled', request.summary or 'not sent')
    end
  end,
}

--- Takes a partial result that tells how far a send is.
---@param send postkit.Send
---@param value table
function M.take(send, value)
  local take = takers[value.kind]
  if take then
    take(send, value)
    require('postkit.bar').refresh(send.bufnr)
    vim.cmd.redrawstatus({ bang = true })
  end
end

--- Ends a send that got no answer. Of what has no result yet nobody knows whether it was sent where
--- the server was lost; else it was not sent.
---@param send postkit.Send
---@param lost string? what is said then
function M.fail(send, lost)
  local open = vim.list_extend(vim.tbl_values(send.places), send.guessed)
  for _, place in ipairs(lost and open or {}) do
    if waits(place) then
      show(place, 'failed', lost)
    end
  end
  clear(open)
end

return M

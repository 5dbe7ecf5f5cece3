-- Draws the result of a send behind its request line: waiting, sending, done, failed or cancelled.
local M = {}

local namespace = vim.api.nvim_create_namespace('postkit')
local notes = vim.api.nvim_create_namespace('postkit.scripts')
-- The buffers in which lines of scripts say what they came to, and how often these were edited.
local watched = {} ---@type table<integer, true?>
local changes = {} ---@type table<integer, integer>

---@alias postkit.State 'waiting'|'sending'|'done'|'failed'|'cancelled'
---@class postkit.Result
---@field state postkit.State
---@field text string
---@field reply? table what postkit.send answered
---@field ours boolean false where the words are the server's, which may take them back
---@field told? string what the server told last of the row

local groups = {
  waiting = 'PostKitSending',
  sending = 'PostKitSending',
  done = 'PostKitDone',
  failed = 'PostKitFailed',
  cancelled = 'PostKitFailed',
}

for group, target in pairs({
  PostKitSending = 'Comment',
  PostKitDone = 'DiagnosticOk',
  PostKitFailed = 'DiagnosticError',
}) do
  vim.api.nvim_set_hl(0, group, { link = target, default = true })
end

-- By buffer, then by extmark.
---@type table<integer, table<integer, postkit.Result>>
local results = {}

-- How often hints were asked for; only the newest answer of a buffer counts.
---@type table<integer, integer>
local asked = {}

---@param bufnr integer
---@param row integer
---@return integer? mark
---@return postkit.Result?
local function at(bufnr, row)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return nil
  end
  local marks = vim.api.nvim_buf_get_extmarks(bufnr, namespace, { row, 0 }, { row, -1 }, {})
  for _, mark in ipairs(marks) do
    local result = (results[bufnr] or {})[mark[1]]
    if result then
      return mark[1], result
    end
  end
end

--- What is known about a row (counted from 0).
---@return postkit.Result?
function M.at(bufnr, row)
  local _, result = at(bufnr, row)
  return result
end

--- Draws a result on a row and answers its mark, which moves with the line.
---@param bufnr integer
---@param row integer
---@param state postkit.State
---@param text string
---@param reply table?
---@return integer?
function M.set(bufnr, row, state, text, reply)
  if not vim.api.nvim_buf_is_loaded(bufnr) or row >= vim.api.nvim_buf_line_count(bufnr) then
    return nil
  end
  local old, before = at(bufnr, row)
  local mark = vim.api.nvim_buf_set_extmark(bufnr, namespace, row, 0, {
    id = old,
    virt_text = { { text, groups[state] } },
    virt_text_pos = 'eol',
    hl_mode = 'combine',
    invalidate = true,
    undo_restore = false,
  })
  results[bufnr] = results[bufnr] or {}
  results[bufnr][mark] = {
    state = state, text = text, reply = reply, ours = true, told = before and before.told,
  }
  return mark
end

--- The row a mark is on now, nil when its line is gone.
---@return integer?
function M.row(bufnr, mark)
  if mark and vim.api.nvim_buf_is_loaded(bufnr) then
    return vim.api.nvim_buf_get_extmark_by_id(bufnr, namespace, mark, {})[1]
  end
end

--- Removes what a row shows.
function M.clear(bufnr, row)
  local mark = at(bufnr, row)
  if mark then
    vim.api.nvim_buf_del_extmark(bufnr, namespace, mark)
    results[bufnr][mark] = nil
  end
end

--- Forgets a buffer.
function M.forget(bufnr)
  results[bufnr] = nil
  if vim.api.nvim_buf_is_valid(bufnr) then
    vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
    vim.api.nvim_buf_clear_namespace(bufnr, notes, 0, -1)
  end
  watched[bufnr] = nil
end

---@param hint lsp.InlayHint
---@return string
local function label(hint)
  if type(hint.label) == 'string' then
    return hint.label --[[@as string]]
  end
  local parts = vim.tbl_map(function(part)
    return part.value
  end, hint.label --[[@as table]])
  return table.concat(parts)
end

--- How a hint is drawn that is the last result of its line, nil for any other.
---@param hint lsp.InlayHint
---@return postkit.State?
function M.of_hint(hint)
  return vim.tbl_get(type(hint.data) == 'table' and hint.data or {}, 'result')
end

--- Whether a hint is what a line of a script came to: how it is drawn.
---@param hint lsp.InlayHint
---@return 'done'|'failed'|'value'|'stale'|nil
function M.of_script(hint)
  return vim.tbl_get(type(hint.data) == 'table' and hint.data or {}, 'script')
end

-- What the lines of scripts came to, drawn behind them; once a script is edited, it is asked again
-- whether that is still so.
---@param told {row: integer, state: string, text: string}[]
local function note(client, bufnr, told)
  vim.api.nvim_buf_clear_namespace(bufnr, notes, 0, -1)
  for _, one in ipairs(told) do
    if one.row < vim.api.nvim_buf_line_count(bufnr) then
      vim.api.nvim_buf_set_extmark(bufnr, notes, one.row, 0, {
        virt_text = { { one.text, groups[one.state] or 'PostKitSending' } },
        virt_text_pos = 'eol',
        hl_mode = 'combine',
        invalidate = true,
        undo_restore = false,
      })
    end
  end
  local was_watched = watched[bufnr]
  watched[bufnr] = #told > 0 or nil
  if #told == 0 or was_watched then
    return
  end
  vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = function()
      if not watched[bufnr] then
        return true
      end
      changes[bufnr] = (changes[bufnr] or 0) + 1
      local change = changes[bufnr]
      vim.defer_fn(function()
        if change == changes[bufnr] and vim.api.nvim_buf_is_loaded(bufnr) then
          M.refresh(client, bufnr)
        end
      end, 200)
    end,
    on_detach = function()
      watched[bufnr] = nil
    end,
  })
end

--- Whether a result is still to come.
---@param known postkit.Result?
---@return boolean
function M.is_open(known)
  return known ~= nil and (known.state == 'waiting' or known.state == 'sending')
end

-- Whether a row keeps its own words where the server tells some: while it waits or is sending, and
-- where a send came to nothing that the server has kept, as long as that tells of the one before.
---@param known postkit.Result
---@param text string
local function stays(known, text)
  local is_kept = known.reply and known.reply.uri
  return known.ours and (M.is_open(known) or not is_kept and known.told == text)
end

-- Lets the server's results replace ours and its former ones.
local function tell(bufnr, told)
  for mark, result in pairs(results[bufnr] or {}) do
    local row = M.row(bufnr, mark)
    if not result.ours and (row == nil or told[row] == nil) then
      vim.api.nvim_buf_del_extmark(bufnr, namespace, mark)
      results[bufnr][mark] = nil
    end
  end
  for row, one in pairs(told) do
    local known = M.at(bufnr, row)
    if not known or not stays(known, one.text) then
      M.set(bufnr, row, one.state, one.text, known and known.reply)
      local now = M.at(bufnr, row)
      if now then
        now.ours, now.told = false, one.text
      end
    end
  end
end

--- Asks for the results of a buffer and draws them.
---@param client vim.lsp.Client?
---@param bufnr integer
function M.refresh(client, bufnr)
  if not client or not client:supports_method('textDocument/inlayHint', bufnr) then
    return
  end
  asked[bufnr] = (asked[bufnr] or 0) + 1
  local turn = asked[bufnr]
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  client:request('textDocument/inlayHint', {
    textDocument = vim.lsp.util.make_text_document_params(bufnr),
    range = {
      start = { line = 0, character = 0 },
      ['end'] = { line = vim.api.nvim_buf_line_count(bufnr), character = 0 },
    },
  }, function(error, hints)
    if error or turn ~= asked[bufnr] or not vim.api.nvim_buf_is_loaded(bufnr) then
      return
    elseif tick ~= vim.api.nvim_buf_get_changedtick(bufnr) then
      return M.refresh(client, bufnr)
    end
    local told, lines = {}, {}
    for _, hint in ipairs(hints or {}) do
      local row, state, script = hint.position.line, M.of_hint(hint), M.of_script(hint)
      if state then
        told[row] = { state = state, text = vim.trim(label(hint)) }
      elseif script then
        table.insert(lines, { row = row, state = script, text = vim.trim(label(hint)) })
      end
    end
    tell(bufnr, told)
    note(client, bufnr, lines)
  end, bufnr)
end

return M

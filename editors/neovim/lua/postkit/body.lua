-- What is done with the body of a response: paged through, opened with another program.
local client = require('postkit.client')
local config = require('postkit.config')
local tabs = require('postkit.tabs')

local M = {}

-- The endings of file names by which a system finds the program that shows a body.
local endings = {
  ['application/gzip'] = 'gz', ['application/json'] = 'json', ['application/pdf'] = 'pdf',
  ['application/xml'] = 'xml', ['application/zip'] = 'zip', ['audio/mpeg'] = 'mp3',
  ['audio/ogg'] = 'ogg', ['audio/wav'] = 'wav', ['image/avif'] = 'avif', ['image/bmp'] = 'bmp',
  ['image/gif'] = 'gif', ['image/jpeg'] = 'jpg', ['image/png'] = 'png', ['image/svg+xml'] = 'svg',
  ['image/tiff'] = 'tiff', ['image/webp'] = 'webp', ['image/x-icon'] = 'ico',
  ['text/css'] = 'css', ['text/csv'] = 'csv', ['text/html'] = 'html', ['text/plain'] = 'txt',
  ['text/xml'] = 'xml', ['video/mp4'] = 'mp4', ['video/webm'] = 'webm',
}

-- By name of a document: the one from which a key led to it.
---@type table<string, string>
local led = {}

-- The page that the lines of a document are, and how many there are.
---@param bufnr integer
---@return integer? number
---@return integer? total
local function page_of(bufnr)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, 200, false)) do
    local number, total = line:match('^# Page (%d+) of (%d+)')
    if number then
      return tonumber(number), tonumber(total)
    end
  end
end

-- Where a text leads that is shown in pieces of so many bytes.
---@param bufnr integer
---@param id string
---@return string?
local function after(bufnr, id)
  local last = vim.api.nvim_buf_get_lines(bufnr, -2, -1, false)[1] or ''
  local first = last:match('^# The first (%d+) of %d+ bytes')
  return last:match('^# Bytes .*: (postkit:%S+)')
    or first and ('postkit:/response/%s/raw.txt?offset=%s'):format(id, first)
end

---@param server vim.lsp.Client
---@param uri string
local function turn(server, uri)
  require('postkit.response').open_part(server.id, uri)
end

---@param server vim.lsp.Client
---@param id string
---@param step integer
local function turn_page(server, id, step)
  local bufnr = vim.api.nvim_get_current_buf()
  local name = vim.api.nvim_buf_get_name(bufnr)
  local number, total = page_of(bufnr)
  if number and total then
    local wanted = math.max(1, math.min(total, number + step))
    if wanted == number then
      local which = step > 0 and 'last' or 'first'
      return config.say(('This is the %s page of %d.'):format(which, total))
    end
    local query = wanted == 1 and '' or '?page=' .. wanted
    return turn(server, ('postkit:/response/%s/body.json%s'):format(id, query))
  end
  local next_one = step > 0 and after(bufnr, id) or step < 0 and led[name]
  if not next_one then
    return config.say(('There is no %s page.'):format(step > 0 and 'next' or 'previous'))
  elseif step > 0 then
    led[next_one] = name
  end
  turn(server, next_one)
end

--- Goes to the next page of a long body, or with a negative number to one before.
---@param step integer
function M.page(step)
  local id, server = tabs.of(vim.api.nvim_buf_get_name(0)), client.any()
  if not id then
    config.complain('This buffer is not a response.')
  elseif not server then
    config.complain(client.stopped)
  else
    turn_page(server, id, step)
  end
end

---@param type string
---@return string
local function ending(type)
  return endings[type] or type:find('json$') and 'json' or type:find('xml$') and 'xml' or 'bin'
end

-- Writes a body to a file that goes with this Neovim, and opens that.
---@param server vim.lsp.Client
---@param id string
---@param type string
local function view(server, id, type)
  local path = vim.fn.tempname() .. '.' .. ending(type)
  client.execute(server, 'postkit.saveResponse', { id = id, path = path }, function(error)
    if error then
      return config.refused(error)
    end
    local process, reason = vim.ui.open(path)
    if not process then
      config.complain(('No program opens this body: %s. Save it with `:PostKit write FILE`.')
        :format(tostring(reason):gsub('%.$', '')))
    end
  end)
end

--- Opens the body of a response with the program that the system has for its type.
function M.view()
  require('postkit.exchange').with(function(server, id)
    local asked = { id = id, part = 'response', view = 'headers' }
    server:request('postkit/exchange', asked, function(error, head)
      if error then
        return config.refused(error)
      end
      local type = ('\n' .. head.data:lower()):match('\ncontent%-type:%s*([^;%s]*)') or ''
      view(server, id, type)
    end)
  end)
end

return M

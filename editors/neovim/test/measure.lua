-- Types into a large file as a person does and writes how long that took; runs with the plugin and,
-- for comparison, without it. POSTKIT_MEASURE names the file for the figures.
local keys = vim.fn.split('X-Measured: typed into ten thousand requests', '\\zs')
local took, cpu, first ---@type number[], number[], number?

-- Processor time of Neovim in milliseconds: what other programs do at the same time is not in it.
local function spent()
  local usage = vim.uv.getrusage()
  return (usage.utime.sec + usage.stime.sec) * 1e3 + (usage.utime.usec + usage.stime.usec) / 1e3
end

-- The middle of some numbers.
local function median(numbers)
  table.sort(numbers)
  return numbers[math.ceil(#numbers / 2)]
end

-- The longest time that Neovim worked without looking at what comes in.
local longest, last = 0, nil ---@type number, number?
local watch = assert(vim.uv.new_timer())
watch:start(1, 1, function()
  local now = spent()
  longest = last and math.max(longest, now - last) or 0
  last = first and now or nil
end)

-- The time that Neovim takes for as many numbers as tell the colours of the file: a yardstick of this
-- machine.
local function numbers()
  local all = {}
  for number = 1, 5 * vim.api.nvim_buf_line_count(0) do
    all[number] = number % 100
  end
  local message = vim.json.encode(all)
  local before = spent()
  for _ = 1, 4 do
    vim.json.decode(message)
  end
  return spent() - before
end

local function finish()
  watch:stop()
  local figures = {
    wall = median(took), cpu = median(cpu), all = (spent() - first) / #keys, longest = longest,
    numbers = numbers(),
  }
  vim.fn.writefile({ vim.json.encode(figures) }, vim.env.POSTKIT_MEASURE)
  vim.cmd('qall!')
end

-- From a key's being read until the screen has been drawn.
local index = 0
local wall, processor ---@type integer?, number?

local function step()
  index = index + 1
  if index > #keys then
    return vim.defer_fn(finish, 500)
  end
  vim.api.nvim_input(keys[index])
end

vim.on_key(function()
  if took and index > 0 then
    wall, processor = vim.uv.hrtime(), spent()
  end
end)

vim.api.nvim_set_decoration_provider(vim.api.nvim_create_namespace('postkit.measure'), {
  on_end = function()
    if wall then
      took[#took + 1] = (vim.uv.hrtime() - wall) / 1e6
      cpu[#cpu + 1] = spent() - processor
      wall = nil
      vim.defer_fn(step, 20)
    end
  end,
})

local function begin()
  took, cpu = {}, {}
  vim.api.nvim_win_set_cursor(0, { 20003, 0 })
  vim.api.nvim_input('zzo')
  vim.defer_fn(function()
    first = spent()
    step()
  end, 500)
end

-- With the plugin: when the server has the file and its colours are there.
local function ready()
  local client = vim.lsp.get_clients({ name = 'postkit', bufnr = 0 })[1]
  local namespaces = vim.api.nvim_get_namespaces()
  for name, namespace in pairs(namespaces) do
    if client and name:find('semantic_tokens') then
      local marks = vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { limit = 1 })
      if #marks > 0 then
        return true
      end
    end
  end
end

local function wait()
  if vim.env.POSTKIT_PLUGIN == '0' or ready() then
    return vim.defer_fn(begin, 1000)
  end
  vim.defer_fn(wait, 20)
end

vim.schedule(wait)

-- What is kept: the history, collections, cookies, files of other tools.
local response = require('postkit.response')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

local function remembers()
  steps.open('requests.http')
  local run = { vim.env.POSTKIT_BIN, 'run', vim.env.POSTKIT_WORK .. '/several.rest', '--line', '8' }
  same(vim.system(run, { timeout = support.patience }):wait().code, 0,
    'the exit code of the command line')
  vim.cmd('PostKit history')
  steps.wait_list('n=3')
  yes(steps.line_now():find('200 .*GET .*n=3'), 'the command line is on top: ' .. steps.line_now())
  yes(vim.fn.search('q=hello', 'nw') > 0, 'an own send is there')
  steps.press('<CR>')
  steps.wait_response('n=3.*HTTP/1.1 200')
  same(vim.bo.filetype, 'httplist', 'where the cursor is')
  -- Marks show, whoever makes them.
  steps.choose('Pin')
  steps.press('m')
  steps.wait_list('n=3  pinned')
  vim.ui.input = function(options, done)
    same(options.prompt, 'Label: ', 'the question')
    done('odd one')
  end
  steps.choose('Label')
  steps.press('m')
  steps.wait_list('n=3  pinned  %[odd one%]')
  local id = steps.line_now():match('%S+$')
  local unpin = { vim.env.POSTKIT_BIN, 'history', 'unpin', id }
  same(vim.system(unpin, { timeout = support.patience }):wait().code, 0, 'the exit code of unpin')
  steps.wait_list('n=3  %[odd one%]')
  local before = #steps.replies
  steps.press('s')
  wait(function() return #steps.replies > before end, 'a reply to what is sent again')
  same(steps.replies[#steps.replies].status, 200, 'the status')
  steps.wait_list('n=3  [%x-]+\n.*n=3  %[odd one%]')
  yes(steps.line_now():find('odd one'), 'the cursor follows its line: ' .. steps.line_now())
  vim.cmd('normal! gg')
  vim.fn.search('n=3')
  steps.press('c')
  wait(function()
    return vim.api.nvim_buf_get_name(0):find('^postkit:/diff/')
  end, 'a comparison')
  vim.cmd('silent only!')
  vim.cmd('PostKit history label:"odd one" status:2xx')
  steps.wait_list('n=3  %[odd one%]')
  steps.press('q')
  same(response.list_window(), nil, 'the window of the list')
  vim.cmd('PostKit history colour=red')
  steps.wait_list('No matching requests')
  steps.open('requests.http')
  steps.go('GET {{$exampleServer}}/get?q=')
  vim.cmd('PostKit timeline')
  steps.wait_list('Earlier responses of .*q=hello')
  steps.press('q')
  vim.cmd('enew')
  for _, words in ipairs({ 'timeline', 'diff', 'curl', 'variables', 'preview', 'view tests' }) do
    support.notes()
    vim.cmd('PostKit ' .. words)
    support.told('This buffer has no requests%. Go to')
  end
end

-- Figures lead to what they count; a search is kept under a name.
local function counts()
  steps.open('requests.http')
  vim.cmd('PostKit history status:4xx')
  steps.wait_list('  404  ', '  200  ')
  steps.press('i')
  steps.wait_list('matching requests? by request%.\n[^\n]*\n#\n# REQUEST *COUNT *FAILED')
  yes(require('postkit.tabs').status():find('Statistics'), 'how the list is called')
  steps.choose('Count by host')
  steps.press('S')
  steps.wait_list('# HOST [^\n]*\n# 127%.0%.0%.1 ')
  yes(steps.line_now():find('^# 127'), 'the cursor is on a row: ' .. steps.line_now())
  steps.press('<CR>')
  local function shows(pattern)
    wait(function() return vim.api.nvim_buf_get_name(0):find(pattern) end, pattern)
  end
  shows('history%?line=status:4xx%%20host:127')
  steps.wait_list('  404  ', '  200  ')
  vim.cmd('PostKit stats status')
  steps.wait_list('# STATUS [^\n]*\n')
  vim.fn.search('^# 404 ')
  steps.press('<CR>')
  shows('history%?line=status:404$')
  local words = vim.fn.getcompletion('PostKit stats ', 'cmdline')
  yes(vim.list_contains(words, 'host'), 'words of stats: ' .. vim.inspect(words))
  -- A name for it.
  vim.cmd('PostKit search save not found')
  support.told('Saved the search `not found`')
  same(vim.fn.getcompletion('PostKit search open no', 'cmdline'), { 'not found' }, 'the names')
  vim.cmd('PostKit search')
  steps.wait_list('^# Enter: show[^\n]*\n#\n# not found  status:404  %x+$')
  steps.press('<CR>')
  shows('history%?line=status')
  vim.cmd('PostKit search')
  shows('/searches$')
  vim.cmd('PostKit search not found')
  shows('history%?line=status')
  steps.wait_list('  404  ', '  200  ')
  vim.cmd('PostKit search')
  steps.wait_list('not found')
  steps.choose('Delete the search')
  steps.press('x')
  steps.wait_list('No saved searches yet%. `A` in')
  vim.cmd('PostKit search open not found')
  support.told('no saved search `not found`')
  steps.press('q')
end

-- Waits for a message of the server: Neovim 0.11 shows it itself, 0.12 by `vim.notify`.
local function said(text)
  local told = ''
  wait(function()
    told = told .. support.notes()
    return (told .. vim.fn.execute('messages')):find(text, 1, true)
  end, text)
end

-- The order of the history, and changes of all that a filter finds.
local function sweeps()
  steps.open('requests.http')
  for number = 1, 2 do
    vim.api.nvim_buf_set_lines(0, 0, -1, false, {
      'GET {{$exampleServer}}/get?swept=' .. number,
    })
    vim.api.nvim_win_set_cursor(0, { 1, 0 })
    steps.send_here()
  end
  vim.cmd('silent edit!')
  wait(steps.server, 'the server')
  vim.cmd('PostKit history')
  steps.wait_list('swept=2')
  steps.press('X')
  support.told('filter the history first')
  vim.cmd('PostKit history swept')
  steps.wait_list('swept=1', 'q=hello')
  steps.choose('Sort by duration')
  steps.press('S')
  steps.wait_list('^# Slowest 2 matching requests')
  steps.choose('Pin all that match')
  steps.press('M')
  said('Pinned 2 requests')
  steps.wait_list('swept=%d[^\n]*  pinned.*swept=%d[^\n]*  pinned')
  steps.choose('Cancel')
  steps.press('X')
  wait(function() return steps.shown[1] == 'Forget' end, 'the question')
  steps.wait_list('swept=1')
  steps.choose('^Forget')
  steps.press('X')
  steps.wait_list('No matching requests')
  said('Forgot 2 requests')
  steps.press('q')
end

-- The name of the buffer of a stored request, in which the cursor is then.
local function stored()
  local name = vim.api.nvim_buf_get_name(0)
  return name:find('/view/requests/') and vim.bo.buftype == '' and name
end

local function collects()
  steps.open('requests.http')
  steps.go('GET {{$exampleServer}}/status/404')
  steps.choose('New collection')
  vim.cmd('PostKit save')
  wait(function()
    return #steps.ask('postkit/collections', { depth = 1 }).nodes > 0
  end, 'the collection')
  vim.cmd('PostKit collections')
  steps.wait_list('# work/  [%x-]+\n#   missing  GET .*/status/404')
  local before = #steps.replies
  steps.press('s')
  wait(function() return #steps.replies > before end, function()
    return ('a reply; told was %s, the cursor is on %s'):format(support.notes(), steps.line_now())
  end)
  same(steps.replies[#steps.replies].status, 404, 'the status of what the list sends')
  steps.wait_response('HTTP/1.1 404')
  steps.press('<CR>')
  wait(stored, 'the stored request')
  yes(response.list_window(), 'the list is still there')
  wait(steps.server, 'the server')
  same(#steps.processes(), 1, 'the number of servers')
  vim.cmd('%s/status.404/get?q=changed/')
  vim.cmd('silent write')
  vim.cmd('PostKit send')
  steps.wait_response('q=changed.*HTTP/1.1 200')
  vim.cmd('wincmd p')
  -- The words of a search can be given at once, and what was sent last comes first.
  vim.cmd('PostKit collections method:get sort:recent')
  steps.wait_list('sent last first%.\n[^\n]*\n#\n# work/missing  GET [^\n]*q=changed')
  support.notes()
  vim.cmd('PostKit collections sort:size')
  support.told('`sort` must be order, name, updated, created or recent')
  vim.cmd('PostKit collections')
  steps.wait_list('# work/.*q=changed')
  -- A favourite is marked, and listed alone.
  steps.press('*')
  steps.wait_list('q=changed  ★  ')
  steps.choose('Show favourites alone')
  steps.press('S')
  steps.wait_list('1 stored request.*work/missing  GET')
  same(vim.api.nvim_buf_get_name(0), 'postkit:/collections?favourite=yes', 'the favourites')
  vim.cmd('PostKit collections')
  steps.wait_list('# work/')
  -- A deletion is taken back.
  vim.fn.search('q=changed')
  steps.choose('Delete it')
  steps.press('x')
  steps.wait_list('work/', 'q=changed')
  support.told('Deleted%. `u` takes it back')
  steps.press('u')
  steps.wait_list('q=changed  ★  ')
  vim.fn.search('q=changed')
  steps.press('x')
  steps.wait_list('work/', 'q=changed')
  vim.cmd('PostKit undo')
  steps.wait_list('q=changed  ★  ')
  steps.press('q')
end

-- What a folder gives to its requests is shown and edited; all of it is sent from its line.
local function gives()
  steps.open('requests.http')
  local function to_folder()
    vim.cmd('PostKit collections')
    steps.wait_list('# work/')
    vim.fn.search('^# work/')
  end
  local function defaults()
    local name = vim.api.nvim_buf_get_name(0)
    return name:find('/view/defaults/.*/work%.http$') and steps.server()
  end
  to_folder()
  steps.press('D')
  wait(defaults, 'the defaults')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, {
    '@base = {{$exampleServer}}', 'Authorization: Bearer s3cret', 'X-Team: core',
  })
  vim.cmd('silent write')
  local function known()
    local node = steps.ask('postkit/collections', { depth = 1 }).nodes[1]
    return node.defaults and node.defaults.headers and node.defaults
  end
  wait(known, 'that they are taken over')
  same(known().auth, 'Bearer ••••••', 'the credentials')
  to_folder()
  steps.press('D')
  wait(defaults, 'the defaults')
  vim.cmd('silent edit!')
  wait(steps.server, 'the server')
  vim.cmd('%s/core/apart/')
  vim.cmd('silent write')
  wait(function() return known().headers[1][2] == 'apart' end, 'the change')
  to_folder()
  local before = #steps.replies
  steps.press('s')
  wait(function() return #steps.replies > before end, 'a reply')
  steps.wait_for(vim.fn.search('q=changed', 'nw') - 1, 'done')
  vim.cmd('PostKit history q=changed')
  steps.wait_list('^# Latest.*q=changed')
  steps.press('<CR>')
  steps.wait_response('"X%-Team": "apart"')
  steps.press('q')
end

local function transfers()
  steps.open('requests.http')
  local told = support.told
  vim.fn.mkdir(vim.env.POSTKIT_WORK .. '/100%/in', 'p')
  local file = vim.env.POSTKIT_WORK .. '/100%/in/one.http'
  vim.fn.writefile({ '### one', 'GET {{$exampleServer}}/get?one' }, file)
  local folder = vim.env.POSTKIT_WORK .. '/100%'
  vim.cmd.PostKit({ 'import', folder })
  told('Imported 1 requests from .*/100%%')
  vim.cmd.PostKit({ 'import', folder })
  told('Overwrite it')
  vim.cmd.PostKit({ 'import', folder, bang = true })
  told('Imported %d requests')
  local shop = vim.env.POSTKIT_WORK .. '/the shop.json'
  local schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  local item = { name = 'List', request = { method = 'GET', url = 'http://a.test/list' } }
  local collection = { info = { name = 'Shop', schema = schema }, item = { item } }
  vim.fn.writefile({ vim.json.encode(collection) }, shop)
  local target = vim.env.POSTKIT_WORK .. '/a new/shop'
  vim.cmd('PostKit import ' .. shop .. ' ' .. target)
  told('Imported 1 request of Shop')
  yes(vim.fn.search('created .*Shop.http', 'nw') > 0, 'the report')
  vim.cmd.quit()
  yes(vim.fn.filereadable(target .. '/Shop.http') == 1, 'the requests')
  vim.cmd('PostKit import --fetch http://127.0.0.1:1/api.yaml')
  told("api.yaml can't be fetched")
  local har = vim.env.POSTKIT_WORK .. '/out.har'
  vim.cmd.PostKit({ 'export', 'har', har, 'hello' })
  told('Exported %d+ exchanges')
  yes(vim.json.decode(table.concat(vim.fn.readfile(har), '\n')).log.entries[1], 'an entry')
  vim.cmd.PostKit({ 'export', 'har', har })
  told('already exists')
  vim.cmd.PostKit({ 'export', 'har', har, bang = true })
  told('Exported %d+ exchanges')
  vim.cmd('PostKit export')
  told('Name the form')
  vim.cmd('PostKit export pdf ' .. har)
  told('Name the form')
  vim.cmd.PostKit({ 'import', '/nonexistent' })
  local refusal = told('/nonexistent')
  yes(not refusal:find('params'), 'no word of the protocol: ' .. refusal)
  vim.cmd('PostKit collections')
  steps.wait_list('100%%/  [%x-]+\n#   in/  [%x-]+\n#     one  GET')
  steps.press('q')
end

local function lists()
  steps.open('requests.http')
  vim.cmd('PostKit session')
  steps.wait_list('environment')
  steps.press('q')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, {
    '', '### cookie', 'GET {{$exampleServer}}/cookies/set?flavour=plain',
  })
  steps.go('GET {{$exampleServer}}/cookies/set')
  steps.send_here()
  vim.cmd('PostKit cookies')
  steps.wait_list('flavour=••••••')
  same(vim.wo.wrap, false, 'whether lines of a list go on below')
  local head = table.concat(vim.api.nvim_buf_get_lines(0, 0, 3, false), '\n')
  yes(head:find('x: delete one.*f: filter · g%?: more keys') and not head:find('send'),
    'the keys of this list: ' .. head)
  vim.fn.setreg('"', '')
  steps.press('y')
  yes(vim.fn.getreg('"'):find('flavour=••••••'), 'the line: ' .. vim.fn.getreg('"'))
  steps.choose('Delete the cookie')
  steps.press('x')
  steps.wait_list('No cookies yet', 'flavour')
  same(vim.wo.wrap, true, 'whether a sentence in the place of a list goes on below')
  steps.press('q')
  vim.cmd('silent edit!')
end

return {
  remembers = remembers,
  counts = counts,
  sweeps = sweeps,
  collects = collects,
  gives = gives,
  transfers = transfers,
  lists = lists,
}

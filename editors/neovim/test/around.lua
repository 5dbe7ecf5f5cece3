-- What is around the requests: environment, variables, lists, the program, other plugins, help.
local client = require('postkit.client')
local grammars = require('grammars')
local project = require('project')
local response = require('postkit.response')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- The line above the current window as it is drawn, and the group of its first words.
local function bar()
  local options = { winid = 0, use_winbar = true, highlights = true }
  local drawn = vim.api.nvim_eval_statusline(vim.wo.winbar, options)
  local groups = vim.tbl_map(function(part) return part.group end, drawn.highlights)
  local own = vim.iter(groups):find(function(group) return group ~= 'WinBar' end)
  return vim.trim(drawn.str), own
end

local function wait_bar(pattern, group)
  wait(function()
    local text, own = bar()
    return text:find(pattern) and own == group
  end, function()
    return ('%s in %s above the window, it is %s'):format(pattern, group, vim.inspect({ bar() }))
  end)
end

local environments = [[
{
  "dev": { "host": "{{$exampleServer}}" },
  "live": { "host": "{{$exampleServer}}"%s }
}]]

local function guards()
  vim.cmd('silent only!')
  project.write('guarded/http-client.env.json', environments:format(', "confirm": true'))
  project.write('guarded/one.http', 'GET {{$exampleServer}}/get?guarded')
  steps.open('guarded/one.http')
  wait_bar('^no environment$', 'Comment')
  vim.cmd('PostKit env dev')
  wait_bar('^dev$', 'PostKitEnvironment')
  vim.cmd('PostKit env live')
  wait_bar('^live %- asks before it sends$', 'PostKitGuard')
  same(require('postkit').statusline(), 'PostKit [live!]', 'the words for a status line')
  vim.cmd.colorscheme('habamax')
  yes(vim.api.nvim_get_hl(0, { name = 'PostKitGuard' }).bg, 'the guard stands out in any scheme')
  vim.cmd.colorscheme('default')
  local asked
  vim.ui.select = function(items, options, done)
    asked = options.prompt
    done(items[#items], #items)
  end
  vim.cmd('PostKit send')
  wait(function() return asked end, 'the question')
  yes(asked:find('live'), 'the question names the environment: ' .. asked)
  wait(function() return require('postkit.send').running() == 0 end, 'the end of the send')
  yes(vim.startswith(steps.drawn(0), 'not sent'), 'behind the line: ' .. steps.drawn(0))
  vim.cmd('split')
  wait_bar('^live', 'PostKitGuard')
  vim.cmd('close')
  project.write('guarded/http-client.env.json', environments:format(''))
  wait_bar('^live$', 'PostKitEnvironment')
  -- A line that is the user's stays.
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  vim.wo.winbar = 'mine'
  steps.open('guarded/one.http')
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  wait(steps.server, 'the server')
  same(bar(), 'mine', 'the line of the user')
  vim.wo.winbar = ''
  support.notes()
end

local function shown()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

-- What :checkhealth says.
local function health()
  vim.cmd('checkhealth postkit')
  local text = shown()
  vim.cmd('bwipeout!')
  support.pause(50)
  return text
end

-- Opens the line to type words in, types them and waits for what the window then shows.
local function search(keys, pattern, without, list)
  local window = list or vim.api.nvim_get_current_win()
  support.type(list and '<C-U>' or 'f')
  wait(function() return vim.fn.mode() == 'i' end, 'Insert mode')
  support.type(keys)
  local function text()
    local bufnr = vim.api.nvim_win_get_buf(window)
    return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  end
  wait(function()
    return text():find(pattern) and not text():find(without)
  end, function()
    return ('%s without %s, it is %s'):format(pattern, without, text())
  end)
end

local function leave(key, window)
  support.type(key)
  wait(function()
    return vim.fn.mode() == 'n' and vim.api.nvim_get_current_win() == window
  end, 'Normal mode')
end

local function browses()
  project.open()
  local bench = vim.api.nvim_get_current_win()
  project.go('{{host}}')
  vim.cmd('PostKit variables')
  wait(function() return vim.bo.filetype == 'postkitvariables' end, 'the variables')
  yes(shown():find('host +http%-client%.env%.json:3 +http://127%.0%.0%.1:1\n'), shown())
  yes(shown():find('area +main%.http:2 +'), 'a variable of the file: ' .. shown())
  local masked = shown():find('token .*••••••') and not shown():find('abcdefghijk')
  yes(masked, 'masks: ' .. shown())
  local window = vim.api.nvim_get_current_win()
  search('env re', 'region', 'area')
  leave('<CR>', window)
  yes(shown():find('^region '), 'what was searched for stays: ' .. shown())
  vim.fn.setreg('"', '')
  support.type('y')
  wait(function() return vim.fn.getreg('"') == 'eu' end, 'the value')
  search('<BS><BS><BS><BS><BS><BS>token', 'token', 'region')
  leave('<Esc>', window)
  yes(shown():find('^region '), 'breaking off changes nothing: ' .. shown())
  support.notes()
  search('<BS><BS><BS><BS><BS><BS>token', 'token', 'region')
  leave('<CR>', window)
  support.type('y')
  wait(function() return support.notes():find('`token` is a secret') end, 'why it is not copied')
  same(vim.fn.getreg('"'), 'eu', 'the register')
  support.type('<CR>')
  wait(function() return project.name() == 'http-client.private.env.json' end, 'the definition')
  same(vim.api.nvim_get_current_win(), bench, 'the window of the definition')
  vim.cmd('silent only!')
end

local function searches()
  steps.open('requests.http')
  vim.cmd('PostKit history')
  steps.wait_list('q=hello')
  local list = vim.api.nvim_get_current_win()
  search('hello', 'q=hello', 'status/404')
  leave('<Esc>', list)
  steps.wait_list('status/404')
  search('method:POST', 'of=parts', 'q=hello')
  leave('<CR>', list)
  steps.wait_list('of=parts', 'q=hello')
  wait(function() return bar():find('method:POST') end, 'what was searched for, above the list')
  support.type('<CR>')
  steps.wait_response('of=parts.*HTTP/1.1 200')
  support.type('q')
  wait(function() return not response.list_window() end, 'the end of the list')
  vim.cmd('PostKit collections')
  steps.wait_list('work/')
  list = vim.api.nvim_get_current_win()
  search('ONE in:100%', '# 100%%/in/one  GET', 'work/')
  leave('<CR>', list)
  wait(function() return bar():find('in:100%%') end, 'what was searched for, above the list')
  vim.fn.search('one  GET')
  local before = #steps.replies
  support.type('s')
  wait(function() return #steps.replies > before end, 'a reply to the line that was found')
  same(steps.replies[#steps.replies].status, 200, 'the status')
  vim.cmd('PostKit send')
  wait(function() return #steps.replies > before + 1 end, 'a reply to the command')
  support.type('f<C-U><CR>')
  steps.wait_list('work/')
  support.type('q')
  vim.cmd('silent only!')
end

-- A program that speaks the protocol, but knows none of our messages, as an old one would; its
-- starts are counted in a file.
local old = [[
import json, sys
from pathlib import Path
with open(Path(__file__).parent / "starts", "a") as starts:
    starts.write("x")
if sys.argv[1] == "ends":
    sys.exit(3)
while True:
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    if not length:
        break
    message = json.loads(sys.stdin.buffer.read(length))
    if "id" in message:
        result = {"capabilities": {}, "serverInfo": {"name": "postkit", "version": "0.0.1"}}
        result = result if message["method"] == "initialize" else None
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        sys.stdout.buffer.flush()
    if message.get("method") == "exit":
        break
]]

-- Stops the servers and takes another program.
local function take(command)
  vim.cmd('PostKit stop')
  wait(function() return #vim.lsp.get_clients({ name = 'postkit' }) == 0 end, 'the end')
  vim.lsp.config('postkit', { cmd = command })
  vim.cmd('silent! %bwipeout!')
  support.notes()
end

local function refuses_old()
  steps.open('requests.http')
  local command = vim.lsp.config.postkit.cmd
  local script, starts = project.write('old.py', old), vim.env.POSTKIT_WORK .. '/starts'
  local told = ''
  local function wait_told(pattern) told = told .. support.told(pattern) .. '\n' end
  require('starting').tells_of_missing()
  take({ 'python3', script, 'stays' })
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  wait_told('`python3` 0%.0%.1 is not PostKit, or too old for this plugin')
  yes(not told:find('postkit/'), 'no word of the protocol: ' .. told)
  yes(told:find('Install it, or set its path'), 'the remedy: ' .. told)
  vim.cmd('silent edit! ' .. vim.env.POSTKIT_WORK .. '/broken.http')
  wait(steps.server, 'the server')
  same(select(2, (told .. support.notes()):gsub('too old', '')), 1, 'how often it is said')
  vim.cmd('PostKit send')
  support.told('is not PostKit, or too old for this plugin')
  local text = health()
  yes(text:find('The server is too old'), 'the health: ' .. text)
  take({ 'python3', script, 'ends' })
  told = ''
  vim.fn.delete(starts)
  vim.cmd('silent edit! ' .. vim.env.POSTKIT_WORK .. '/requests.http')
  wait_told('exited at once %(code 3%).*Install it')
  vim.cmd('silent edit! ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  support.pause(50)
  same(vim.fn.readfile(starts), { 'x' }, 'the number of starts')
  take(command)
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/requests.http')
  vim.cmd('PostKit start')
  wait(steps.server, 'the right server')
end

local function notices()
  steps.open('requests.http')
  support.pause(20)
  support.notes()
  package.loaded.kulala = {}
  -- The server of another plugin, in this process as that one's is.
  local asked = 0
  local id = assert(vim.lsp.start({
    name = 'kulala_ls', root_dir = vim.env.POSTKIT_WORK,
    cmd = function()
      return {
        request = function(method, _, done)
          asked = asked + 1
          local hover = { capabilities = { hoverProvider = true } }
          vim.schedule(function() done(nil, method == 'initialize' and hover or nil) end)
          return true, asked
        end,
        notify = function() return true end,
        is_closing = function() return false end,
        terminate = function() end,
      }
    end,
  }))
  wait(function() return vim.lsp.get_client_by_id(id).initialized end, 'the other server')
  vim.cmd('silent edit ' .. vim.env.POSTKIT_WORK .. '/several.rest')
  wait(steps.server, 'our server')
  vim.lsp.buf_attach_client(0, id)
  local told = ''
  wait(function()
    told = told .. support.notes()
    return told:find('kulala')
  end, 'a word about the other plugin')
  yes(told:find('take kulala%.nvim out of your plugins'), 'one remedy: ' .. told)
  yes(told:find("vim.lsp.enable('kulala_ls', false)", 1, true), 'the other remedy: ' .. told)
  vim.cmd('silent edit! ' .. vim.env.POSTKIT_WORK .. '/requests.http')
  wait(steps.server, 'our server')
  yes(not support.notes():find('kulala'), 'it is said once')
  steps.go('GET {{$exampleServer}}/get?q=')
  same(steps.send_here().status, 200, 'the status beside the other plugin')
  local text = health()
  yes(text:find('kulala%.nvim serves .http files as well'), 'the health: ' .. text)
  yes(text:find('Server ready after %d+ ms'), 'how long its start took: ' .. text)
  package.loaded.kulala = nil
  vim.lsp.get_client_by_id(id):stop(true)
end

-- Every word that can be typed, set, mapped, listened to or coloured.
local function names()
  local found = { 'postkit', ':PostKit', 'g:postkit', 'g:postkit_enable', 'postkit-statusline' }
  for _, verb in ipairs(require('postkit').complete('', 'PostKit ')) do
    found[#found + 1] = ':PostKit-' .. verb
  end
  for _, map in ipairs(vim.api.nvim_get_keymap('n')) do
    if map.lhs:find('postkit', 1, true) then
      found[#found + 1] = map.lhs
    end
  end
  for _, name in ipairs(require('postkit.config').names) do
    found[#found + 1] = 'postkit-option-' .. name
  end
  for group in pairs(vim.api.nvim_get_hl(0, {})) do
    if group:find('^PostKit') then
      found[#found + 1] = 'hl-' .. group
    end
  end
  vim.list_extend(found, { 'PostKitResponse', 'PostKitStore', 'postkit-response', 'postkit-lists' })
  return found
end

-- What the patterns ask for, against what releases of the grammar have.
local function every_node_is_known()
  local patterns = require('postkit.treesitter').patterns
  local left_out = {}
  for _, grammar in ipairs(grammars) do
    left_out[grammar.name] = grammar.left_out(patterns)
  end
  same(left_out, {
    ['with sections'] = {
      '(external_body file_path: (_) @string.special.path)',
      '(query_param key: (_) @property)',
      '(request_section) @fold',
    },
    ['with sections of requests'] = {
      '(comment "@" @keyword name: (_) @keyword)',
      '(external_body file_path: (_) @string.special.path)',
      '(pre_request_script (path) @string.special.path)',
      '(res_handler_script (path) @string.special.path)',
      '(res_redirect path: (_) @string.special.path)',
      '(section) @fold',
    },
    ['with requests'] = {
      '(comment "@" @keyword name: (_) @keyword)',
      '(request_separator) @markup.heading',
      '(external_body path: (_) @string.special.path)',
      '(pre_request_script (path) @string.special.path)',
      '(res_handler_script (path) @string.special.path)',
      '(res_redirect path: (_) @string.special.path)',
      '((graphql_data) @injection.content (#set! injection.language "graphql"))',
      '((script) @injection.content (#set! injection.language "javascript")'
        .. ' (#offset! @injection.content 0 2 0 -2))',
      '(section) @fold',
      '(request_section) @fold',
    },
  }, 'what each release of the grammar has not')
  local wrong = {
    '(header nmae: (_) @a)', '(header "=" @a)', '(header (variable) @a)', '(mehtod) @a',
    '(header value: (path) @a)', '[(method) (mehtod)] @a', '(header [":" "::"] @a)',
    '((comment "@" name: (value)) @a (#set! b "c"))',
  }
  local right = {
    '[(method) (header ":")] @a', '((header value: (value (variable) @b)) @a (#eq? @a "c"))',
  }
  local both = vim.list_extend(vim.list_slice(wrong), right)
  local found = grammars[1].left_out({ highlights = both, injections = {}, folds = {} })
  same(found, wrong, 'what no grammar has is found out')
end

-- A grammar under the name of the one for HTTP, which knows few of its nodes.
local function colours()
  local add = require('postkit.treesitter').add
  same(add(), nil, 'the queries without a grammar')
  yes(health():find('Colours come from semantic tokens'), 'the health without a grammar')
  local parser = vim.api.nvim_get_runtime_file('parser/c.so', false)[1]
  yes(vim.treesitter.language.add('http', { path = parser, symbol_name = 'c' }), 'a grammar')
  local counts = assert(add())
  same(counts, { highlights = 1, injections = 0, folds = 0 }, 'the patterns that fit')
  local query = assert(vim.treesitter.query.get('http', 'highlights'))
  same(query.captures, { 'comment' }, 'what is coloured')
  yes(health():find('has queries that fit'), 'the health with a grammar')
end

local function helps()
  every_node_is_known()
  colours()
  local settings = support.settings()
  local tags = {}
  for _, line in ipairs(vim.fn.readfile(support.help())) do
    tags[line:match('^[^\t]+')] = true
  end
  local all = vim.list_extend(names(), settings)
  yes(#all > 60, 'there is much to look up: ' .. #all)
  local missing = vim.tbl_filter(function(name) return not tags[name] end, all)
  same(missing, {}, 'what has no help')
end

return {
  guards = guards, browses = browses, searches = searches, refuses_old = refuses_old,
  notices = notices, helps = helps,
}

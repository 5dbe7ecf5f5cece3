vim9script
# A server that is missing or dies, and the end of everything.

import './support.vim'
import './strangers.vim'
import './work.vim'
import autoload '../autoload/postkit/client.vim'
import autoload '../autoload/postkit/config.vim'
import autoload '../autoload/postkit/rivals.vim'
import autoload '../autoload/postkit/send.vim'

# What a word of :PostKit has the server tell.
def Told(word: string): string
  popup_clear()
  execute 'PostKit ' .. word
  support.Wait(() => work.PopupText() =~ 'The server is', 'an answer to ' .. word)
  return work.PopupText()
enddef

def Survives()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/delay/10')
  # What was sent before may still be prepared for searches, which is told as well.
  support.Wait(() => Told('status') =~ 'Healthy', 'good health')
  PostKit send
  work.WaitFor(lnum, 'sending')
  # The server may begin to send later than it is said here.
  support.Wait(() => Told('status') =~ '1 request running', 'the send')
  support.True(Told('status') =~ 'Data folder: .*The server is `.*lsp`, process '
    .. client.ProcessId(), 'how it is: ' .. work.PopupText())
  # A log line that comes again shows once, and what warns stands first.
  for turn in range(9)
    client.Remember('something is odd', 2)
    client.Remember('something was sent', 3)
    client.Remember('turn ' .. turn, 3)
  endfor
  var shown = Told('status')
  support.Same(split(shown, "\n")[-5 :], ['something is odd', 'turn 6', 'turn 7',
    'something was sent', 'turn 8'], 'the log')
  feedkeys('y', 'xt')
  support.Same(work.PopupText(), '', 'the popup after y')
  support.Same(@", shown, 'what is copied')
  for key in ['q', "\<Esc>"]
    Told('status')
    feedkeys(key, 'xt')
    support.Same(work.PopupText(), '', 'the popup after ' .. strtrans(key))
  endfor
  var messages = execute('messages')
  PostKit restart
  support.Wait(() => support.Messages(messages) =~ 'connections are closed.*1 send was ended',
    'what was ended')
  work.WaitFor(lnum, 'cancelled')
  PostKit send
  work.WaitFor(lnum, 'sending')
  messages = execute('messages')
  system('kill -9 ' .. client.ProcessId())
  support.Wait(() => client.State() == 'stopped', 'the end')
  support.Same(get(work.Behind(lnum), 'state', ''), 'failed', 'the state of the send')
  support.Same(work.Behind(lnum).text, 'unknown: the server ended while this was under way; '
    .. 'it may have been received', 'what is said of it')
  support.True(support.Messages(messages) !~# 'not sent\|code', support.Messages(messages))
  support.Same(send.Running(), 0, 'the number of sends under way')
  support.True(support.Messages(messages) =~ 'It restarts with your next request', 'the advice')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server again')
  work.InStep('after a restart')
  work.Stop()
  messages = execute('messages')
  support.True(Told('status') =~ 'stopped. `:PostKit start` starts it', 'the advice for status')
  PostKit restart
  support.True(support.Messages(messages) =~ 'stopped. `:PostKit start` starts it', 'that for restart')
  g:postkit.command = ['/nonexistent/postkit', 'lsp']
  messages = execute('messages')
  PostKit send
  support.True(support.Messages(messages) =~ '`/nonexistent/postkit` is not a program. Install it', 'the sentence')
  support.True(get(work.Behind(lnum), 'state', '') != 'sending', 'no sending is left')
  g:postkit.command = [$POSTKIT_BIN, 'lsp']
enddef

def Ends()
  work.Open('requests.http')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server')
  var process = client.ProcessId()
  var before = execute('messages')
  work.Stop()
  support.True(!isdirectory('/proc/' .. process), 'the process is gone')
  support.True(support.Messages(before) !~ 'ended with', 'a wished end is no trouble')
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server, which ends with Vim')
enddef

# What is said when a program is to be the server, and how often it was started.
def Try(command: list<string>): string
  work.Stop()
  g:postkit.command = command
  var before = execute('messages')
  # Not in silence, in which messages are lost.
  execute 'edit! ' .. $POSTKIT_WORK .. '/requests.http'
  support.Wait(() => support.Messages(before) =~ 'et its path: let', join(command))
  support.Wait(() => client.State() == 'stopped', 'the end of ' .. join(command))
  var told = support.Messages(before)
  # Opening another file starts it no second time, and says nothing more.
  for name in ['several.rest', 'broken.http']
    execute 'edit! ' .. $POSTKIT_WORK .. '/' .. name
  endfor
  support.Same(support.Messages(before)->count('PostKit:'),
    told->count('PostKit:'), 'what is said later')
  support.Same(client.State(), 'stopped', 'the state')
  return told
enddef

def Refuses()
  silent only!
  var script = $POSTKIT_WORK .. '/old.py'
  # What an earlier version answers: it knows nothing of the messages that the plugin needs.
  writefile(['import sys, json',
    'size = 0',
    'while (line := sys.stdin.buffer.readline().strip()):',
    '    name, value = line.split(b":", 1)',
    '    size = int(value) if name.lower() == b"content-length" else size',
    'sys.stdin.buffer.read(size)',
    'answer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {},',
    '    "serverInfo": {"name": "postkit", "version": "0.0.1"}}}).encode()',
    'sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(answer) + answer)',
    'sys.stdout.flush()',
    'sys.stdin.buffer.read()'], script)
  var starts = $POSTKIT_WORK .. '/starts'
  for [command, pattern] in [
      [['/nonexistent/other', 'lsp'], '`/nonexistent/other` is not a program'],
      [['python3', script], 'too old (0.0.1; 0.1.0 is needed)'],
      [['sh', '-c', 'echo started >> ' .. starts .. '; exit 3'], 'exited at once (code 3). Is this the right program?'],
      [['cat'], 'refuses to start']]
    var told = Try(command)
    support.True(stridx(told, pattern) >= 0, pattern .. ' in ' .. told)
    support.True(told =~# "let g:postkit = {'command'", 'the fix: ' .. told)
  endfor
  support.Same(readfile(starts), ['started'], 'how often a program was started')
  # Who asks for it has it tried again.
  g:postkit.command = [$POSTKIT_BIN, 'lsp']
  PostKit start
  support.Wait(() => client.State() == 'running', 'the server')
  work.InStep('with the right program')
enddef

def Notices()
  # The names that these plugins have for the same questions; the plugins are not here.
  var folder = $POSTKIT_WORK .. '/rival'
  mkdir(folder .. '/autoload', 'p')
  writefile(['function! lsp#get_allowed_servers(...)', '  return ["clangd", "postkit"]',
    'endfunction'], folder .. '/autoload/lsp.vim')
  execute 'set runtimepath+=' .. folder
  runtime autoload/lsp.vim
  g:ale_linters = {http: ['postkit'], python: ['ruff']}
  var found = rivals.Found(bufnr())
  support.Same(len(found), 2, 'the plugins: ' .. string(found))
  support.True(found[0] =~# 'vim-lsp runs postkit.*register_server', found[0])
  support.True(found[1] =~# 'ALE runs postkit.*ale_linters', found[1])
  delfunction lsp#get_allowed_servers
  unlet g:ale_linters
  execute 'set runtimepath-=' .. folder
  support.Same(rivals.Found(bufnr()), [], 'what is said without them')
  # Another plugin has a hand in the same buffer: its maps, marks and lists stay.
  work.Open('requests.http')
  prop_type_add('rival', {highlight: 'Comment'})
  prop_add(6, 1, {type: 'rival', length: 3})
  setloclist(0, [], ' ', {title: 'rival', items: [{bufnr: bufnr(), lnum: 1, text: 'mine'}]})
  work.Go('GET {{$exampleServer}}/get?q=')
  work.Send()
  support.Wait(() => !get(work.Behind(6), 'ours', true), 'the words of the server')
  support.Same(len(prop_list(6, {types: ['rival']})), 1, 'the mark of the other')
  support.Same(getloclist(0, {title: 1}).title, 'rival', 'the list of the other')
  setloclist(0, [], 'f')
  prop_type_delete('rival')
enddef

# All scenarios have run beside global functions that have the names of ours.
def Estranges()
  var names = strangers.Names()
  for path in glob(fnamemodify(globpath(&runtimepath, 'plugin/postkit.vim'), ':h:h')
      .. '/autoload/postkit/*.vim', true, true)
    for line in readfile(path)
      var name = matchstr(line, '^export def \zs\w\+')
      support.True(name == '' || index(names, name) >= 0, 'a function `' .. name .. '` of the user')
    endfor
  endfor
  for name in names
    support.True(exists('*g:' .. name), 'there is a global ' .. name)
  endfor
  support.Same(g:strangers_called, [], 'the functions of the user that ran')
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/get?q=')
  support.Same(work.Send().status, 200, 'the status')
enddef

def Helps()
  # Of a copy, so that no list of tags is left in the plugin.
  var folder = $POSTKIT_WORK .. '/help'
  var page = globpath(&runtimepath, 'doc/postkit.txt')
  mkdir(folder .. '/doc', 'p')
  writefile(readfile(page), folder .. '/doc/postkit.txt')
  execute 'helptags ' .. folder .. '/doc'
  execute 'set runtimepath^=' .. folder
  var wanted = getcompletion('PostKit ', 'cmdline')->mapnew((_, verb) => ':PostKit-' .. verb)
  support.True(len(wanted) > 30, 'the verbs: ' .. string(wanted))
  for line in split(execute('nmap <Plug>(postkit-') .. execute('xmap <Plug>(postkit-'), "\n")
    add(wanted, matchstr(line, '<Plug>([^)]*)'))
  endfor
  filter(wanted, (_, tag) => tag != '')
  extend(wanted, config.Names()->mapnew((_, name) => 'g:postkit.' .. name))
  # The settings of the server that an editor may have.
  var table = fnamemodify(page, ':h:h:h:h') .. '/protocol/settings.json'
  var settings = json_decode(join(readfile(table))).groups
    ->mapnew((_, group) => group.settings)->flattennew(1)
    ->filter((_, setting) => index(['vscode', 'project'], get(setting, 'in', '')) < 0)
    ->mapnew((_, setting) => setting.key)
  support.True(len(settings) > 10, 'the settings: ' .. string(settings))
  extend(wanted, mapnew(settings, (_, name) => 'postkit-setting-' .. name))
  extend(wanted, getcompletion('PostKit', 'highlight'))
  extend(wanted, ['PostKitResponse', 'PostKitStore', 'g:postkit_enable', 'g:postkit_response',
    'postkit-response-keys', 'postkit-list-keys', 'postkit-statusline', 'postkit-others'])
  for tag in wanted
    try
      execute 'silent help ' .. tag
    catch
      throw 'no help on ' .. tag .. ': ' .. v:exception
    endtry
    # Help takes what resembles a tag, too.
    support.True(search('\V*' .. tag .. '*', 'nw') > 0, 'a help tag ' .. tag)
  endfor
  helpclose
  var before = execute('messages')
  PostKit nothing
  var told = trim(support.Messages(before))
  support.True(told =~# 'There is no command `:PostKit nothing`.*<Tab>', 'a word that is none: ' .. told)
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E16', 'trouble', Survives)
  support.Run('E29', 'old or missing program', Refuses)
  support.Run('E30', 'competing plugins', Notices)
  support.Run('E30', 'functions of the user', Estranges)
  support.Run('E33', 'help', Helps)
  support.Run('E17', 'end', Ends)
enddef

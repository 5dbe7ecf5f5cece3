vim9script
# Sending, and what becomes of it: results, refusals, cancellation, curl and actions.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/document.vim'
import autoload '../autoload/postkit/response.vim'
import autoload '../autoload/postkit/send.vim'

def Sends()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/get?q=')
  cursor(lnum - 1, 1)
  var before = len(work.replies)
  PostKit send
  support.Same(work.Behind(lnum).state, 'sending', 'the state at once')
  support.Wait(() => len(work.replies) > before, 'a reply')
  support.Same(work.replies[-1].state, 'done', 'the state')
  support.Same(work.replies[-1].status, 200, 'the status')
  support.True(work.Behind(lnum).text =~# '^200.* \(ms\|s\)\>.* k\?B\>',
    'status, time and size are shown: ' .. work.Behind(lnum).text)
  support.Same(prop_list(lnum, {types: ['PostKitDone']})[0].type, 'PostKitDone', 'the colour')
  support.Wait(() => !get(work.Behind(lnum), 'ours', true), 'the words of the server')
  var told = work.Behind(lnum).text
  support.True(told =~# '^200', 'the words of the server: ' .. told)
  # Beside a window that leaves no room for it, it is cut: no request takes two rows.
  if screenstring(1, 1) != ''
    execute 'vertical :' .. (&columns - strdisplaywidth(getline(lnum)) - 18) .. 'new'
    win_gotoid(win_getid(2))
    redraw
    support.Same(screenpos(0, lnum + 1, 1).row - screenpos(0, lnum, 1).row, 1, 'rows of the request')
    support.True(Drawn() =~# '200' && stridx(Drawn(), substitute(told, '\s', '', 'g')) < 0,
      'the beginning of it: ' .. Drawn())
    silent only!
  endif
enddef

# What the current window shows, without blanks.
def Drawn(): string
  var [row, column] = win_screenpos(0)
  return range(row, row + winheight(0) - 1)->mapnew((_, each) =>
    range(column, column + winwidth(0) - 1)->mapnew((_, at) => screenstring(each, at))
      ->join('')->substitute('\s', '', 'g'))->join('')
enddef

def Fails()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/status/404')
  work.Send()
  support.True(work.Behind(lnum).text =~# '^404', 'the status: ' .. work.Behind(lnum).text)
  support.Same(prop_list(lnum, {types: ['PostKitFailed']})[0].type, 'PostKitFailed', 'the colour')
  lnum = work.Go('GET http://127.0.0.1:1/refused')
  var before = execute('messages')
  var reply = work.Send()
  support.Same(reply.state, 'failed', 'the state')
  support.Same(reply.error.code, 'connection', 'the error')
  var told = work.Behind(lnum).text
  support.True(told =~# '^failed: .', 'the cause inline: ' .. told)
  support.Wait(() => work.ResponseText() =~# '# No connection to .*Check that', 'the cause, whole')
  support.Same(trim(support.Messages(before)),
    'PostKit: failed: No connection to 127.0.0.1:1.', 'the message')
  # The words of the server leave the sentence there.
  support.Wait(() => !get(work.Behind(lnum), 'ours', true), 'the words of the server')
  support.Same(work.Behind(lnum).text, told, 'the sentence')
  support.Same(told, 'failed: No connection to 127.0.0.1:1', 'what is said inline')
enddef

def Refuses()
  work.Open('broken.http')
  # What the server says of the name stands behind it, and is no result.
  support.Wait(() => !empty(prop_list(2, {types: ['PostKitHint']})), 'the hint')
  support.Same(work.Behind(2), {}, 'the result before it was sent')
  var before = len(work.History())
  var messages = execute('messages')
  work.Go('GET')
  PostKit send
  support.Wait(() => get(work.Behind(2), 'state', '') == 'failed', 'the refusal')
  support.True(work.Behind(2).text =~# '^not sent: .*nothing', 'the cause: ' .. work.Behind(2).text)
  support.Wait(() => support.Messages(messages) =~ 'line 2: .*nothing',
    'place and cause: ' .. support.Messages(messages))
  support.Same(len(work.History()), before, 'the number of exchanges')
  support.Same(send.Running(), 0, 'the number of sends under way')
enddef

def Cancels()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/delay/10')
  PostKit send
  work.WaitFor(lnum, 'sending')
  support.Wait(() => get(work.Behind(lnum), 'text', '') =~ '[1-9]\.\d s', 'the seconds that went by')
  var took: list<float> = []
  # Beside an answer that the same server gives at once: how fast the machine is is in both.
  var asked = reltime()
  work.Ask('postkit/debug/text', {textDocument: {uri: document.Uri(bufnr())}})
  var most = 1 + 20 * reltimefloat(reltime(asked))
  # The least of some counts: a machine may stand still for a moment.
  while empty(took) || took[-1] >= most && len(took) < 5
    if !empty(took)
      PostKit send
      work.WaitFor(lnum, 'sending')
    endif
    var start = reltime()
    PostKit cancel
    work.WaitFor(lnum, 'cancelled')
    add(took, reltimefloat(reltime(start)))
    support.Same(work.replies[-1].state, 'cancelled', 'the state')
    support.Same(send.Running(), 0, 'the number of sends under way')
  endwhile
  support.True(took[-1] < most, printf('within a second: %s of %.3f', string(took), most))
enddef

def SendsAll()
  work.Open('several.rest')
  PostKit sendall
  support.Wait(() => work.Behind(2) != {} && send.Running() == 0, 'the work.replies')
  for [lnum, status] in [[2, '200'], [5, '404'], [8, '200']]
    support.Wait(() => get(work.Behind(lnum), 'text', '') =~# '^' .. status,
      printf('%s on line %d, it is %s', status, lnum, string(work.Behind(lnum))))
  endfor
  # A response that is shown as it comes is there whole at the end, and not as one that still comes.
  work.Make('slow.http', ['GET {{$exampleServer}}/delay/1', '', '###',
    'GET {{$exampleServer}}/get?fast'])
  var before = len(work.replies)
  PostKit sendall
  support.Wait(() => postkit#badge#Line() =~# '1 of 2', 'how far it is in the status line')
  support.Wait(() => len(work.replies) == before + 2, 'both replies')
  # On a slow machine the second one is shown as it comes, too.
  var ids = mapnew(work.replies[-2 :], (_, reply) => reply.id)->join('\|')
  support.Wait(() => bufname(winbufnr(response.Window())) =~# ids,
    'a whole response, it is ' .. bufname(winbufnr(response.Window())))
enddef

# What became of each request has the words that the server has for it, which the other editors show
# as well.
def SaysTheSame()
  work.Open('results.http')
  var table = json_decode(join(readfile($POSTKIT_WORK .. '/results.json')))
  var before = len(work.replies)
  PostKit sendall
  work.WaitFor(table[-2].line + 1, 'sending')
  PostKit cancel
  support.Wait(() => len(work.replies) == before + len(table) - 1, 'the replies')
  var said = mapnew(work.replies[before :], (_, reply) => reply.summary) + ['not sent']
  for [index, row] in items(table)
    support.Wait(() => stridx(get(work.Behind(row.line + 1), 'text', ''), said[index]) == 0,
      printf('`%s` of %s, it is %s', said[index], row.name, string(work.Behind(row.line + 1))))
    support.True(work.Behind(row.line + 1).text =~# '\v' .. row.words, 'the words of ' .. row.name)
    support.Same(work.Behind(row.line + 1).state, row.mood, 'how it is drawn')
  endfor
enddef

def Copies()
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/get?q=')
  setreg('"', '')
  PostKit curl
  support.Wait(() => getreg('"') != '', 'the register')
  support.True(getreg('"') =~# '^curl .*q=hello', 'the line: ' .. getreg('"'))
  support.True(index(getcompletion('PostKit copyas p', 'cmdline'), 'python') >= 0, 'the targets')
  PostKit copyas python
  support.Wait(() => getreg('"') =~# '^import requests', 'the program')
  support.True(getreg('"') =~# 'q=hello', 'the program: ' .. getreg('"'))
  PostKit copyas
  work.PickItem('wget')
  support.Wait(() => getreg('"') =~# '^wget ', 'what was chosen')
  PostKit copyas reveal
  work.PickItem('python')
  support.Wait(() => getreg('"') =~# '^import requests', 'what was chosen, with secrets')
  # Remarks of the server's lead a program; what is told is of the program.
  messages clear
  PostKit copyas swift
  support.Wait(() => getreg('"') =~# 'import Foundation', 'the other program')
  support.Same(execute('messages')->trim(), printf('PostKit: Copied %d lines: import Foundation',
    getreg('"', 1, true)->len()), 'what is told')
  PostKit copyas perl
  support.True(execute('messages') =~# 'no target `perl`. Use :PostKit copyas curl|', 'the refusal')
  # What does not fit on one line would have Vim wait for a key.
  setline('.', getline('.') .. repeat('&long=é', 60))
  setreg('"', '')
  messages clear
  PostKit curl
  support.Wait(() => getreg('"') != '', 'the register')
  var told = execute('messages')->trim()
  support.True(told =~# '^PostKit: Copied curl.*…$' && strdisplaywidth(told) <= v:echospace,
    'one line is told: ' .. told)
  silent edit!
enddef

def Acts()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/get?q=')
  var before = len(work.replies)
  PostKit action
  support.Wait(() => work.PopupText() =~# 'Send', 'the menu')
  feedkeys(repeat('j', match(split(work.PopupText(), "\n"), 'Send')) .. "\<CR>", 'xt')
  support.Wait(() => len(work.replies) > before, 'a reply')
  support.Same(work.replies[-1].status, 200, 'the status')
  support.True(work.Behind(lnum).text =~# '^200', 'the result: ' .. work.Behind(lnum).text)
  setreg('"', '')
  PostKit action
  support.Wait(() => work.PopupText() =~# 'as curl', 'the menu')
  feedkeys(repeat('j', match(split(work.PopupText(), "\n"), 'as curl')) .. "\<CR>", 'xt')
  support.Wait(() => getreg('"') =~# '^curl ', 'what is copied in the register')
enddef

def SendsSelected()
  work.Make('three.http', ['### a', 'GET {{$exampleServer}}/get?a', '', '### b',
    'GET {{$exampleServer}}/get?b', '', '### c', 'GET {{$exampleServer}}/get?c'])
  var before = len(work.replies)
  cursor(2, 1)
  xmap <buffer> s <Plug>(postkit-send)
  work.Type('V3js')
  support.Wait(() => len(work.replies) == before + 2, 'two replies')
  support.Wait(() => get(work.Behind(5), 'text', '') =~# '^200', 'the second result')
  support.True(work.Behind(2).text =~# '^200', 'the first result')
  support.Same([work.Behind(8), send.Running()], [{}, 0], 'the third request')
  var urls = work.History()->slice(0, 2)->mapnew((_, item) => matchstr(item.url, '[^/]*$'))
  support.Same(urls, ['get?b', 'get?a'], 'what was sent, newest first')
enddef

def SendsAgain()
  work.Open('several.rest')
  var messages = execute('messages')
  PostKit again
  support.Wait(() => support.Messages(messages) =~ 'Nothing has been sent yet', 'the sentence')
  # What this Vim has not sent, or an earlier one, the history knows.
  system(join([$POSTKIT_BIN, 'run', $POSTKIT_WORK .. '/several.rest', '--line', '2']))
  support.Wait(() => get(work.Behind(2), 'text', '') =~# '^200', 'the result of the command line')
  var before = len(work.replies)
  PostKit again
  support.Wait(() => len(work.replies) == before + 1, 'a reply')
  support.True(work.History()[0].url =~# 'n=1$', 'what was sent: ' .. work.History()[0].url)
  support.True(work.Behind(2).text =~# '^200', 'the result behind its request')
  cursor(8, 1)
  work.Send()
  work.Open('requests.http')
  PostKit again
  support.Wait(() => len(work.replies) == before + 3, 'a reply from elsewhere')
  support.True(work.History()[0].url =~# 'n=3$', 'what was sent: ' .. work.History()[0].url)
enddef

# What a request asks for: the answer of last time is offered, and what is typed replaces it.
def Prompts()
  work.Make('prompt.http', ['# @prompt q', 'GET {{$exampleServer}}/get?q={{q}}'])
  for [typed, value] in [['first', 'first'], ['', 'first'], ['next', 'next']]
    var before = len(work.replies)
    PostKit send
    feedkeys(typed .. "\<CR>", 't')
    support.Wait(() => len(work.replies) > before, 'a reply to ' .. typed)
    support.Same(matchstr(work.History()[0].url, 'q=.*'), 'q=' .. value, typed .. ' as it was sent')
  endfor
enddef

# The key that sends does so on a request alone, and is the user's where they have mapped it.
def Keys()
  work.Make('key.http', ['@a = 1', '', '### one', 'GET {{$exampleServer}}/get?key'])
  cursor(1, 1)
  var before = len(work.replies)
  work.Type("\<CR>")
  support.Same([line('.'), send.Running()], [2, 0], 'the line below one without a request')
  cursor(3, 1)
  work.Type("1\<CR>")
  support.Same([line('.'), send.Running()], [4, 0], 'the line below one, with a count')
  work.Type("\<CR>")
  support.Wait(() => len(work.replies) == before + 1, 'a reply')
  support.True(work.History()[0].url =~# '?key$', 'what was sent: ' .. work.History()[0].url)
  for [setting, map, key] in [['', '', '<CR>'], ['<CR>', 'nnoremap <CR> +', '<CR>'],
      ['<CR>', 'nmap gs <Plug>(postkit-send)', '<CR>'], ['<F5>', '', '<CR>']]
    g:postkit.send_key = setting
    execute map
    edit!
    support.True(maparg(key, 'n') !~# 'postkit#send', 'no key of ours: ' .. maparg(key, 'n'))
    if map != ''
      execute 'nunmap ' .. split(map)[1]
    endif
  endfor
  support.True(maparg('<F5>', 'n') =~# 'postkit#send', 'the key that was set')
  unlet g:postkit.send_key
  edit!
  support.True(maparg('<CR>', 'n') =~# 'postkit#send', 'the key again')
enddef

# Whether something is drawn behind a line in a colour.
def IsNoted(line: number, type: string): bool
  return !empty(prop_list(line, {types: [type]}))
enddef

# A script asks whether the folder is trusted; what it prints and tests is found without a key.
def RunsScripts()
  work.Make('scripts.http', ['### script', 'GET {{$exampleServer}}/get?script', '', '> {%',
    "console.log('seen ' + response.status)",
    "client.test('good', () => client.assert(response.status === 200))",
    "client.test('bad', () => client.assert(response.status === 404, 'no 404'))", '%}'])
  var lnum = work.Go('GET')
  var before = len(work.replies)
  messages clear
  PostKit send
  support.Wait(() => work.PopupText() =~ 'Trust this folder', 'the question')
  feedkeys("\<CR>", 'xt')
  support.Wait(() => len(work.replies) > before, 'a reply')
  support.Same(work.replies[-1].tests, {passed: 1, failed: 1}, 'the tests')
  support.Wait(() => get(work.Behind(lnum), 'text', '') =~# '1 of 2 tests failed',
    'the tests behind the line: ' .. get(work.Behind(lnum), 'text', ''))
  for [line, type] in [[5, 'PostKitHint'], [6, 'PostKitPassed'], [7, 'PostKitMissed']]
    support.Wait(() => IsNoted(line, type), type .. ' behind line ' .. line)
  endfor
  append(4, '// edited')
  # What is older than its script has no colour of a result.
  support.Wait(() => IsNoted(8, 'PostKitHint') && !IsNoted(8, 'PostKitMissed'), 'an old result')
  silent undo
  support.Wait(() => work.ResponseText() =~# '# ✗ bad: .*no 404 (scripts.http:7)',
    'the place of the test: ' .. work.ResponseText())
  support.True(work.ResponseText() =~# '# Output (1 line)\n# seen 200', 'the output in the response')
  support.Same(support.Messages(''), '', 'nothing to be pressed away')
  PostKit output
  support.Same(getline(1, '$'), [fnamemodify($POSTKIT_WORK .. '/scripts.http', ':~:.')
    .. ':5: seen 200'], 'the output')
  support.Same([&buftype, &modifiable], ['nofile', false], 'a list to read')
  close
enddef

# Words that are none, and messages that are longer than a line.
def Misspells()
  work.Open('requests.http')
  messages clear
  PostKit hist
  support.True(execute('messages') =~# 'no command `:PostKit hist`. Did you mean `history`?', 'the advice: '
    .. execute('messages'))
  PostKit env none
  support.Wait(() => execute('messages') =~# 'PostKit: Environment `none` not found',
    'the refusal')
  setline(1, '@greeting = {{' .. repeat('none', 30) .. '}}')
  work.Go('GET {{$exampleServer}}/get?q=')
  PostKit send
  support.Wait(() => popup_list()->indexof((_, id) =>
    popup_getoptions(id).title == ' PostKit ') >= 0, 'the long message')
  support.True(execute('messages') =~# '`nonenone', 'it is kept: ' .. execute('messages'))
  silent edit!
enddef

# Runs the scenarios of this file.
export def Run()
  # First, as this Vim has sent nothing yet.
  support.Run('E23', 'send again', SendsAgain)
  support.Run('E6', 'send', Sends)
  support.Run('E6', 'the key that sends', Keys)
  support.Run('E6', 'prompts', Prompts)
  support.Run('E8', 'bad answer', Fails)
  support.Run('E9', 'cannot be sent', Refuses)
  support.Run('E9', 'misspelt words', Misspells)
  support.Run('E10', 'cancel', Cancels)
  support.Run('E12', 'send all', SendsAll)
  support.Run('E34', 'same words', SaysTheSame)
  support.Run('E35', 'scripts', RunsScripts)
  support.Run('E13', 'curl', Copies)
  support.Run('E15', 'actions', Acts)
  support.Run('E22', 'send selection', SendsSelected)
enddef

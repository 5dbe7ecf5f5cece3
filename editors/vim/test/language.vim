vim9script
# What Vim makes of the language: places, symbols, names, layout, folds, parameters, actions, links.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/diagnostics.vim'
import autoload '../autoload/postkit/signature.vim'
import autoload '../autoload/postkit/uses.vim'

def Put(text: string, part: string)
  var lnum = work.Go(text)
  cursor(lnum, match(getline(lnum), part) + 2)
enddef

# Waits for a location list of ours and answers its lines as `file:line text`.
def Listed(title: string): list<string>
  support.Wait(() => getloclist(0, {title: 1}).title ==# 'PostKit ' .. title,
    title .. ', there is ' .. getloclist(0, {title: 1}).title)
  return getloclist(0)->mapnew((_, each) =>
    printf('%s:%d %s', fnamemodify(bufname(each.bufnr), ':t'), each.lnum, each.text))
enddef

def Jumps()
  work.Open('requests.http')
  Put('GET {{$exampleServer}}/get?q=', 'greeting')
  PostKit definition
  support.Wait(() => line('.') == 1, 'the definition')
  support.Same(getline('.')[col('.') - 1 :], 'greeting = hello', 'what the cursor is on')
  execute "normal! \<C-T>"
  support.Same(line('.'), 6, 'the line CTRL-T leads to')
  Put('GET {{$exampleServer}}/get?stage=', 'stage}}')
  PostKit values
  var found = Listed('values')
  support.Same(len(found), 2, 'the number of values: ' .. string(found))
  support.True(match(found, 'http-client.env.json:3 .*production') >= 0, string(found))
enddef

def KnowsServices()
  var folder = $POSTKIT_WORK
  writefile(['GET {{$exampleServer}}/pets?status=sold'], folder .. '/described.http')
  writefile(['openapi: 3.0.3', 'paths:', '  /pets:', '    get:',
    '      parameters: [{name: status, in: query, schema: {enum: [sold, new]}}]'],
    folder .. '/openapi.yaml')
  work.Open('described.http')
  Put('GET {{$exampleServer}}/pets?status=', 'status')
  PostKit definition
  support.Wait(() => expand('%:t') == 'openapi.yaml', 'the description')
  support.Same(line('.'), 5, 'the line of the parameter')
  bwipeout!
  delete(folder .. '/openapi.yaml')
  delete(folder .. '/described.http')
enddef

def Refers()
  work.Open('requests.http')
  Put('@greeting', 'greeting')
  PostKit references
  var found = Listed('references')
  support.Same(copy(found)->filter((_, each) => each =~# '^requests.http:')->len(), 3,
    'the number of references: ' .. string(found))
  lclose
  doautocmd CursorHold
  support.Wait(() => !empty(prop_list(6, {types: ['PostKitUse']})), 'a marked use')
  support.Same(len(prop_list(1, {types: ['PostKitDefinition']})), 1, 'marked definitions')
  cursor(3, 1)
  doautocmd CursorMoved
  support.Same(prop_list(6, {types: ['PostKitUse']}), [], 'marks when the cursor has left')
enddef

def Symbols()
  work.Open('requests.http')
  PostKit symbols
  var found = Listed('symbols')
  support.True(match(found, 'requests.http:\d\+ request hello') >= 0, string(found))
  support.True(match(found, 'requests.http:1 variable @\?greeting') >= 0, 'a variable')
  lclose
  PostKit symbols third
  found = Listed('symbols with third')
  support.True(match(found, '^several.rest:\d\+ .*third') >= 0, 'the other file: ' .. string(found))
  lclose
enddef

def Calls()
  work.Make('calls.http', ['### log in', '# @name login', 'GET {{$exampleServer}}/json', '',
    '### use', 'GET {{$exampleServer}}/get?x={{login.response.body.$.title}}'])
  Put('GET {{$exampleServer}}/get', 'get')
  PostKit calls
  support.True(match(Listed('requests it needs'), 'calls.http:\d\+ login') >= 0, 'the login')
  lclose
  Put('GET {{$exampleServer}}/json', 'json')
  PostKit callers
  support.True(match(Listed('requests that need it'), 'calls.http:\d\+ .*use') >= 0, 'its user')
  lclose
enddef

def Renames()
  work.Make('names.http', ['@old = 1', 'GET {{$exampleServer}}/get?é={{old}}&b={{old}}'])
  cursor(1, 3)
  PostKit rename new
  support.Wait(() => getline(1) ==# '@new = 1', 'the name')
  support.Same(getline(2), 'GET {{$exampleServer}}/get?é={{new}}&b={{new}}', 'the uses')
  work.InStep('after renaming')
  var messages = execute('messages')
  Put('GET', 'exampleServer')
  PostKit rename
  support.Wait(() => support.Messages(messages) =~ 'no name here\|exampleServer',
    'a refusal unasked')
  messages = execute('messages')
  PostKit rename other
  support.Wait(() => support.Messages(messages) =~ 'renamed\|exampleServer', 'the reason')
  # The name that is asked for is the one that the server would change.
  cursor(1, 3)
  feedkeys(":PostKit rename\<CR>", 'xt')
  var start = reltime()
  timer_start(5, (timer) => {
    if mode() == 'c' || reltimefloat(reltime(start)) * 1000 > support.patience
      timer_stop(timer)
      feedkeys("er\<CR>", 't')
    endif
  }, {repeat: -1})
  support.Wait(() => getline(1) ==# '@newer = 1', 'the longer name, it is ' .. getline(1))
  # What must not be changed is not, and a sentence tells why.
  messages = execute('messages')
  setlocal nomodifiable
  PostKit rename other
  support.Wait(() => support.Messages(messages) =~ "'modifiable' is off in names.http",
    'the refusal')
  support.Same(getline(1), '@newer = 1', 'the text that must not be changed')
  setlocal modifiable
  silent edit!
enddef

def Explains()
  work.Make('signature.http', ['GET {{$exampleServer}}/get?n='])
  cursor(1, 1)
  var shown = ''
  var start = reltime()
  def Look(timer: number)
    shown = work.PopupText()
    if shown =~# 'randomInt' || reltimefloat(reltime(start)) * 1000 > support.patience
      timer_stop(timer)
      feedkeys("\<Esc>", 't')
    endif
  enddef
  timer_start(10, Look, {repeat: -1})
  feedkeys("A{{$randomInt ", 'tx!')
  support.True(shown =~# 'randomInt', 'the parameters: ' .. shown)
  support.Same(work.PopupText(), '', 'popups when Insert mode has ended')
  silent edit!
enddef

def LaysOut()
  work.Make('layout.http', ['### one', 'GET {{$exampleServer}}/get', 'accept:text/plain', '',
    '### two', 'GET {{$exampleServer}}/get', 'accept:text/plain'])
  normal! 5GVG
  execute "normal gq"
  support.Wait(() => getline(7) ==# 'accept: text/plain', 'the laid out lines: ' .. getline(7))
  support.Same(getline(3), 'accept:text/plain', 'the other request')
  PostKit format
  support.Wait(() => getline(3) ==# 'accept: text/plain', 'the whole file')
  work.InStep('after the layout')
  silent edit!
enddef

def Folds()
  g:postkit.folds = true
  work.Make('folds.http', ['### one', 'POST {{$exampleServer}}/post', 'A: b', 'C: d', '',
    '{"a": 1}', '', '### two', 'GET {{$exampleServer}}/get', 'A: b'])
  support.Wait(() => foldlevel(9) > 0, 'folds')
  setlocal foldlevel=0
  support.Same([foldclosed(4), foldclosedend(4) >= 6], [1, true], 'the first fold')
  support.Same(foldclosed(9), 8, 'the second fold')
  support.True(foldtextresult(1) =~# 'POST\|one', 'its words: ' .. foldtextresult(1))
  append(0, ['@x = 1', '@y = 2', ''])
  work.InStep('before the folds follow')
  support.Wait(() => [foldclosed(6), foldclosed(12)] == [4, 11],
    'folds that follow')
  g:postkit.folds = false
  setlocal foldmethod=manual
  silent edit!
enddef

def Acts()
  work.Make('fix.http', ['GET {{$exampleServer}}/get?a={{fresh}}'])
  support.Wait(() => !empty(diagnostics.Of(bufnr())), 'a diagnostic')
  # What is marked in the line of the cursor is meant, wherever in it the cursor is.
  cursor(1, 1)
  PostKit action
  work.PickItem('Define `@\?fresh` here\|Define.*fresh.*file')
  support.Wait(() => getline(1) =~# '^@fresh', 'the definition: ' .. getline(1))
  silent edit!
enddef

def Compares()
  writefile(['{"openapi": "3.0.3", "info": {"title": "Users", "version": "1"},',
    '"servers": [{"url": "http://127.0.0.1:1"}], "paths": {"/users": {"post": {',
    '"requestBody": {"content": {"application/json": {"schema": {"type": "object",',
    '"required": ["name"], "properties": {"name": {"type": "string"}}}}}},',
    '"responses": {"201": {"description": "made"}}}}}}'], $POSTKIT_WORK .. '/users-api.json')
  work.Make('users.http', ['# @openapi users-api.json', '', 'POST http://127.0.0.1:1/usrs'])
  support.Wait(() => diagnostics.Of(bufnr())->indexof((_, each) =>
    each.message =~# 'no such path.*`/users`') >= 0, 'a hint')
  cursor(3, 1)
  PostKit action
  work.PickItem('Write `users`')
  support.Wait(() => getline(3) =~# '/users$', 'the path: ' .. getline(3))
  support.Wait(() => empty(diagnostics.Of(bufnr())), 'the hint to go')
  PostKit action
  work.PickItem('Insert sample body')
  support.Wait(() => index(getline(1, '$'), '  "name": "string"') > 0, 'the body')
  support.Same(getline(4), 'Content-Type: application/json', 'its type')
  silent edit!
enddef

def Follows()
  work.Make('link.http', ['import ./several.rest', '### x', 'GET {{$exampleServer}}/get'])
  Put('import', 'several')
  PostKit link
  support.Wait(() => expand('%:t') ==# 'several.rest', 'the file')
enddef

def Pastes()
  work.Make('paste.http', ['### x', 'GET {{$exampleServer}}/get'])
  setreg('"', "curl -X PUT http://a.test/b -H 'X-A: 1'")
  PostKit paste
  support.Wait(() => search('^PUT http://a.test/b', 'nw') > 0, 'the request')
  work.InStep('after pasting')
  silent edit!
enddef

def Toggles()
  work.Make('toggle.http', ['GET {{$exampleServer}}/get', '  ?a=1', '  &b=2', 'Accept: text/plain',
    'X-A: 1', '', 'body'])
  cursor(4, 3)
  PostKit toggle
  support.Wait(() => getline(4) ==# '# Accept: text/plain', 'the header that is off')
  execute "normal \<Plug>(postkit-toggle)"
  support.Wait(() => getline(4) ==# 'Accept: text/plain', 'the header that is on again')
  :4,5PostKit toggle
  support.Wait(() => getline(4, 5) == ['# Accept: text/plain', '# X-A: 1'], 'both')
  cursor(3, 1)
  PostKit toggle
  support.Wait(() => getline(3) =~# '^\s*#\s*&b=2', 'the parameter: ' .. getline(3))
  work.InStep('after switching')
  var messages = execute('messages')
  cursor(7, 1)
  PostKit toggle
  support.Wait(() => support.Messages(messages) =~ 'No header or query parameter', 'why nothing is')
  silent edit!
enddef

def Moves()
  work.Make('target.http', ['### x', 'GET {{$exampleServer}}/get'])
  work.Make('user.http', ['import ./target.http'])
  work.Open('target.http')
  PostKit move moved.http
  support.Wait(() => expand('%:t') ==# 'moved.http', 'the new name')
  support.True(!filereadable($POSTKIT_WORK .. '/target.http'), 'the old file is gone')
  support.Same(getbufline(bufnr('user.http'), 1), ['import ./moved.http'], 'the path that follows')
  work.InStep('under the new name')
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('N1', 'definition, values', Jumps)
  support.Run('N21', 'descriptions of APIs', KnowsServices)
  support.Run('N2', 'references, highlights', Refers)
  support.Run('N3', 'symbols', Symbols)
  support.Run('N4', 'calls', Calls)
  support.Run('N5', 'rename', Renames)
  support.Run('N6', 'signature help', Explains)
  support.Run('N7', 'layout', LaysOut)
  support.Run('N8', 'folding', Folds)
  support.Run('N12', 'actions', Acts)
  support.Run('N13', 'links', Follows)
  support.Run('N14', 'curl', Pastes)
  support.Run('N15', 'files', Moves)
  support.Run('N20', 'lines that are off', Toggles)
  support.Run('N22', 'descriptions', Compares)
enddef

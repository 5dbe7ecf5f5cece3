vim9script
# What the server knows of the text: opening, editing, diagnostics, completion, hovers, columns.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/client.vim'
import autoload '../autoload/postkit/diagnostics.vim'
import autoload '../autoload/postkit/document.vim'

def Opens()
  work.Open('several.rest')
  support.Same(&filetype, 'http', 'the filetype of .rest')
  work.Open('requests.http')
  support.Same(&filetype, 'http', 'the filetype of .http')
  support.True(document.Attached(bufnr()), 'the buffer is served')
  work.InStep('after opening')
  support.Same(work.replies, [], 'what was sent by opening')
  support.True(synIDattr(synID(6, 1, 1), 'name') == 'httpMethod', 'the method is coloured')
  Colours()
enddef

# The whole syntax in one buffer; where a line begins, and what stands there.
def Colours()
  new
  setline(1, ['import ./common.http', '### c', 'curl -X PATCH ''http://x.test''', '### s',
    '{{@request', 'const x = 1', '}}', 'DELETE http://x.test', '', '?? header a contains b',
    '<> old.json', '### g', 'GRAPHQL http://x.test', '', 'query Q($id: ID!) { a }', '### Next',
    'PUT http://x.test'])
  setlocal syntax=http
  for [lnum, column, name] in [[1, 1, 'httpDirective'], [3, 1, 'httpCurlName'],
      [3, 6, 'httpCurlOption'], [3, 16, 'httpCurlText'], [5, 1, 'httpInclude'],
      [8, 1, 'httpMethod'], [10, 1, 'httpAssertion'], [10, 5, 'httpPredicate'],
      [11, 1, 'httpInclude'], [15, 1, 'httpMethod'], [15, 9, 'httpGraphQLName'],
      [17, 1, 'httpMethod']]
    support.Same(synIDattr(synID(lnum, column, 1), 'name'), name,
      printf('the colour of line %d, column %d', lnum, column))
  endfor
  bwipeout!
enddef

# One edit of many kinds; `number` decides which, so that a run can be repeated.
def Scramble(number: number)
  var last = line('$')
  var lnum = number * 7 % last + 1
  var kind = number % 11
  if kind == 0
    setline(lnum, 'X-Scrambled: ' .. number .. ' é🙂')
  elseif kind == 1
    append(lnum, ['', '### ' .. number, 'GET http://localhost/' .. number])
  elseif kind == 2 && last > 6
    deletebufline('%', lnum, min([lnum + 2, last]))
  elseif kind == 3
    cursor(lnum, 1)
    execute "normal! A tail 漢字\<CR>more\<Esc>"
  elseif kind == 4
    execute 'silent! normal! u'
  elseif kind == 5
    execute 'silent! normal! ' .. "\<C-R>"
  elseif kind == 6
    cursor(lnum, 1)
    normal! yyp
  elseif kind == 7
    execute 'silent! :' .. lnum .. 'join'
  elseif kind == 8
    cursor(1, 1)
    normal! O# on top
  elseif kind == 9
    normal! Go# at the end
  else
    silent :%substitute/e/é/e
    execute 'silent :' .. lnum .. 'move 0'
  endif
enddef

def Edits()
  work.Open('requests.http')
  for number in range(1, 120)
    Scramble(number)
    if number % 4 == 0
      work.InStep('after edit ' .. number)
    endif
  endfor
  silent :%delete _
  work.InStep('after deleting all', '')
  setline(1, ['@a = 1', '', 'GET http://localhost/'])
  work.InStep('after filling the empty buffer')
  setlocal fileformat=dos
  work.InStep('with other line ends')
  setlocal nofixendofline noendofline
  call setline(3, 'GET http://localhost/é')
  work.InStep('without a last line end')
  silent write! copy.http
  work.InStep('after saving')
  edit! requests.http
  work.InStep('after reloading')
  delete('copy.http')
enddef

def Diagnoses()
  work.Open('broken.http')
  support.Wait(() => !empty(diagnostics.Of(bufnr())), 'a diagnostic')
  var found = diagnostics.Of(bufnr())[0]
  support.True(found.message =~ 'nothing', 'the sentence names the variable: ' .. found.message)
  var props = prop_list(2, {types: ['PostKitError', 'PostKitWarning']})
  support.Same(len(props), 1, 'the number of underlines')
  support.True(strpart(getline(2), props[0].col - 1, props[0].length) =~ 'nothing',
    'the variable is underlined')
  support.Same(len(sign_getplaced(bufnr(), {group: 'postkit'})[0].signs), 1, 'the number of signs')
  support.Same(getloclist(0)[0].lnum, 2, 'the line in the location list')
  append(0, '@nothing = something')
  support.Wait(() => empty(diagnostics.Of(bufnr())), 'the diagnostic to go')
  support.Same(prop_list(3, {types: ['PostKitError', 'PostKitWarning']}), [], 'the underlines')
  support.Same(getloclist(0), [], 'the location list')
  silent edit!
enddef

def Completes()
  work.Open('requests.http')
  work.Go('Accept:')
  var names = work.Menu("oauthor\<C-X>\<C-O>", (words) => work.Accept(words, '^Authorization'))
  support.True(match(names, '^Authorization') >= 0, 'the header is offered: ' .. string(names))
  support.True(getline('.') =~# '^Authorization', 'the header is taken: ' .. getline('.'))
  setline('.', '')
  var variables = work.Menu("SX-Who: {{gr\<C-X>\<C-O>", (words) => work.Accept(words, 'greeting'))
  support.True(match(variables, 'greeting') >= 0, 'the variable is offered')
  support.True(getline('.') =~# '^X-Who: {{greeting', 'the variable is taken: ' .. getline('.'))
  setline('.', '')
  # By itself: nothing that was not chosen gets into the text, and the menu follows what is typed.
  for [keys, pattern, whole] in [['SX-Who: {{', 'greeting', '^X-Who: {{greeting'],
      ['SAcce', '^Accept-Ch', '^Accept-Charset'],
      ['SAccept: ', '^application/json', 'application/json'],
      ['S# @na', '^name\|^@name', '^# @name']]
    ByItself(keys, pattern, whole)
  endfor
  silent edit!
  support.Same(Asked('@who', 'oword'), [], 'what is asked for a word above a request')
  support.True(!empty(Asked('Accept:', 'SX-Who: {{')), 'that a variable is asked for')
  # Beside another plugin that does it, and where it is not wanted, none comes by itself.
  g:asyncomplete_loaded = 1
  support.Same(Asked('Accept:', 'SX-Who: {{'), [], 'what is asked beside another plugin')
  unlet g:asyncomplete_loaded
  g:postkit.autocomplete = false
  support.Same(Asked('Accept:', 'SX-Who: {{'), [], 'what is asked where it is not wanted')
  unlet g:postkit.autocomplete
  silent edit!
enddef

# Types keys until the menu is there by itself, and takes an item from it.
def ByItself(keys: string, pattern: string, whole: string)
  var before = &completeopt
  var shown = ''
  var offered = work.Menu(keys, (words) => {
    shown = getline('.')
    return repeat("\<C-N>", match(words, pattern) + 1) .. "\<C-Y>"
  })
  support.True(match(offered, pattern) >= 0, keys .. ' opens the menu: ' .. string(offered))
  support.Same(shown, keys[1 :], 'the text below the menu')
  support.True(getline('.') =~# whole, 'it is taken: ' .. getline('.'))
  support.Same(&completeopt, before, 'the option of the user')
enddef

# The completions that typing some keys asks the server for.
def Asked(place: string, keys: string): list<string>
  var path = $POSTKIT_WORK .. '/channel.log'
  ch_logfile(path, 'w')
  work.Go(place)
  # A key that is typed once the time is over in which a menu would be asked for.
  timer_start(200, (_) => feedkeys("\<Esc>", 't'))
  feedkeys(keys, 'tx!')
  work.InStep('after typing')
  ch_logfile('')
  silent edit!
  return readfile(path)->filter((_, line) => line =~# 'textDocument/completion')
enddef

def Hovers()
  work.Open('requests.http')
  var lnum = work.Go('GET {{$exampleServer}}/get?q=')
  cursor(lnum, match(getline('.'), 'greeting') + 3)
  PostKit hover
  support.Wait(() => work.PopupText() =~ 'hello', 'the value, there is ' .. work.PopupText())
  support.True(work.PopupText() =~ 'requests.http\|line', 'the origin: ' .. work.PopupText())
  NamesTokens()
enddef

# A sign-in: an unknown one is marked, the known ones are offered, and what one is can be asked.
def NamesTokens()
  var folder = $POSTKIT_WORK .. '/auth'
  mkdir(folder, 'p')
  writefile(['{"$shared": {"Security": {"Auth": {"shop": {"Type": "OAuth2",',
    '  "Grant Type": "Authorization Code", "Auth URL": "https://id.test/authorize",',
    '  "Token URL": "https://id.test/token", "Client ID": "cli", "Client Secret": "hush"}}}}}'],
    folder .. '/http-client.env.json')
  writefile(['GET http://localhost/', 'Authorization: Bearer {{$auth.token("shpo")}}'],
    folder .. '/tokens.http')
  work.Open('auth/tokens.http')
  support.Wait(() => !empty(diagnostics.Of(bufnr())), 'a diagnostic')
  support.Same(diagnostics.Of(bufnr())[0].code, 'auth-unknown-id', 'the code of an unknown client')
  work.Go('Authorization')
  work.Menu("SAuthorization: Bearer {{$auth.token(\"s\<C-X>\<C-O>",
    (words) => work.Accept(words, 'shop'))
  support.Same(getline('.'), 'Authorization: Bearer {{$auth.token("shop")}}', 'what is completed')
  support.Wait(() => empty(diagnostics.Of(bufnr())), 'the diagnostic to go')
  cursor(2, match(getline('.'), 'shop') + 2)
  PostKit hover
  support.Wait(() => work.PopupText() =~ 'the next send signs in with a browser',
    'the state of the token, there is ' .. work.PopupText())
  support.True(work.PopupText() =~ 'id.test' && work.PopupText() =~ 'cli',
    'host and client: ' .. work.PopupText())
  support.True(work.PopupText() !~ 'hush', 'no secret: ' .. work.PopupText())
  silent edit!
  delete(folder, 'rf')
enddef

# What is underlined in the cursor's line.
def Underlined(): list<string>
  return prop_list(line('.'), {types: ['PostKitError', 'PostKitWarning']})->mapnew(
    (_, prop) => strpart(getline('.'), prop.col - 1, prop.length))
enddef

def Columns()
  for encoding in ['utf-16', 'utf-8']
    work.Stop()
    g:postkit.encodings = [encoding]
    work.Open('requests.http')
    PostKit start
    support.Wait(() => client.State() == 'running', 'the server')
    support.Same(client.Encoding(), encoding, 'the encoding')
    work.Go('Accept:')
    work.Menu("oX-Who: 🙂é {{gr\<C-X>\<C-O>", (words) => work.Accept(words, 'greeting'))
    support.True(getline('.') =~# '^X-Who: 🙂é {{greeting', encoding .. ': ' .. getline('.'))
    setline('.', 'X-Mark: 🙂é {{nothing}} z')
    try
      support.Wait(() => match(Underlined(), '^{*nothing}*$') >= 0, encoding .. ' underlines')
    catch
      throw printf('%s: %s in %s, in mode %s %s', v:exception, string(Underlined()), getline('.'),
        mode(), string(diagnostics.Of(bufnr())))
    endtry
    Scramble(3)
    work.InStep('in ' .. encoding)
    silent edit!
  endfor
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E1', 'open', Opens)
  support.Run('E2', 'edit', Edits)
  support.Run('E3', 'diagnose', Diagnoses)
  support.Run('E4', 'complete', Completes)
  support.Run('E5', 'hover', Hovers)
  support.Run('E18', 'columns', Columns)
enddef

vim9script
# Shows the server's lists: the history, the collections, cookies and session values. They are
# documents, and what can be done with a line is what the server offers as actions there.

import autoload 'postkit/action.vim'
import autoload 'postkit/body.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/live.vim'
import autoload 'postkit/menu.vim'
import autoload 'postkit/parts.vim'
import autoload 'postkit/register.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/uri.vim'
import autoload 'postkit/variables.vim'

# The filters of the lists that the server searches, as they are completed.
const filters = {
  history: [
    'environment', 'failedTests', 'file', 'host', 'label', 'limit', 'maxMs', 'maxSize', 'method',
    'minMs', 'minSize', 'name', 'origin', 'path', 'pinned', 'purpose', 'run', 'since', 'sort',
    'state', 'status', 'stored', 'until',
  ],
  collections: ['favourite', 'header', 'in', 'limit', 'method', 'param', 'sort', 'tag'],
}

const lists = ['collections', 'cookies', 'environments', 'history', 'searches', 'session',
  'statistics', 'variables']

# The id of an exchange, with which a line of the history ends.
const identifier = '\x\{8}-\x\{4}-\x\{4}-\x\{4}-\x\{12}'

const filterFirst = 'Press `f` and filter the history first: this is about all that matches.'

# What was searched for in lists.
var searches: list<string> = []

# What a line of figures ends with: the list that it counts.
const counted = 'postkit:/history?\S*'

# What a key does, by the kinds of the server's actions; some ask which one is meant. `isOfAll` is
# about a list as a whole, `needs` says what it lacks where there is no such action.
const bindings = {
  '<CR>': {kinds: ['postkit.open', 'postkit.show'], asks: false},
  s: {kinds: ['postkit.send'], asks: false},
  c: {kinds: ['postkit.compare'], asks: false},
  m: {kinds: ['postkit.mark'], asks: true},
  x: {kinds: ['postkit.delete'], asks: true},
  a: {kinds: ['postkit'], asks: true},
  S: {kinds: ['postkit.list.sort'], asks: true, isOfAll: true},
  i: {kinds: ['postkit.list.statistics'], asks: false, isOfAll: true},
  O: {kinds: ['postkit.list.searches'], asks: false, isOfAll: true},
  A: {kinds: ['postkit.list.save'], asks: false, isOfAll: true, needs: filterFirst},
  M: {kinds: ['postkit.list.mark'], asks: true, isOfAll: true, needs: filterFirst},
  X: {kinds: ['postkit.list.delete'], asks: false, isOfAll: true, needs: filterFirst},
  u: {kinds: ['postkit.list.undo'], asks: false, isOfAll: true,
    needs: 'Nothing was deleted in the last 30 days.'},
  '*': {kinds: ['postkit.favourite'], asks: false, isOfAll: true},
  D: {kinds: ['postkit.defaults'], asks: false, isOfAll: true},
}

# How documents are called that have no parts.
const titles = {
  collections: 'Collections', cookies: 'Cookies', diff: 'Comparison', failed: 'Not sent',
  history: 'History', preview: 'Preview', receiving: 'Receiving', searches: 'Saved searches',
  session: 'Session values', statistics: 'Statistics', variables: 'Variables',
}

# The words of 'statusline' for a window of ours that shows no parts.
export def Bar(): string
  var name = bufname(winbufnr(get(g:, 'statusline_winid', win_getid())))
  return ' ' .. get(titles, matchstr(name, 'postkit:/\zs\a\+'), 'PostKit') .. ' %<%=%l,%c  %P '
enddef

# Whether a document is a list.
export def IsList(name: string): bool
  return Listed(name)
enddef

def Listed(name: string): bool
  return name =~# '^postkit:/\(' .. join(lists, '\|') .. '\)\($\|?\)'
    || name =~# '^postkit:/timeline/'
enddef

# Maps the keys of the list or response in the current buffer.
export def Map()
  var isList = Listed(bufname())
  for key in keys(bindings)
    if !isList && (key == '<CR>' || has_key(bindings[key], 'isOfAll'))
      continue
    endif
    execute printf('nnoremap <buffer> <nowait> %s <ScriptCmd>Pressed(%s)<CR>',
      key, string(substitute(key, '<', '<lt>', '')))
  endfor
  if isList
    for key in ['f', 'o']
      execute printf('nnoremap <buffer> <nowait> %s <ScriptCmd>Narrowing()<CR>', key)
    endfor
    for key in ['y', 'Y']
      execute printf('nnoremap <buffer> <nowait> %s <ScriptCmd>Copy()<CR>', key)
    endfor
    nnoremap <buffer> <nowait> K <Cmd>PostKit hover<CR>
    nnoremap <buffer> <nowait> g? <Cmd>help postkit-list-keys<CR>
  endif
  nnoremap <buffer> <nowait> q <ScriptCmd>Close()<CR>
enddef

# Copies the value of a variable; of any other list the line, as it is seen.
def Copy()
  if bufname() ==# 'postkit:/variables'
    variables.Copy()
  else
    register.Take(getline('.')->substitute('^#\s*', '', '')
      ->substitute('\s\+' .. counted .. '$', '', '')
      ->substitute('\s\+\S*\%(' .. identifier .. '\|\s\x\{16}\)\S*$', '', ''), null)
  endif
enddef

# Closes the window of a list or response; the cursor goes back to where it came from.
def Close()
  var back = win_getid(winnr('#'))
  if winnr('$') == 1 && tabpagenr('$') == 1
    # The last window stays, with the file that was there last.
    var files = getbufinfo({buflisted: 1})->sort((one, other) => other.lastused - one.lastused)
    execute empty(files) ? 'enew' : 'buffer ' .. files[0].bufnr
  else
    close
    win_gotoid(back)
  endif
enddef

# What the first lines of a list say of the server's actions and commands, as it is done in Vim.
export def Worded(name: string, lines: list<string>): list<string>
  var keys = name =~# '^postkit:/collections'
    ? 'Enter: open · s: send · *: favourite · f: filter · S: sort'
    : name =~# '^postkit:/cookies' ? 'x: delete one, or all of its domain · f: filter'
    : name =~# '^postkit:/session' ? 'x: forget one, or all of its group · f: filter'
    : name =~# '^postkit:/statistics' ? 'Enter: its requests · S: count by · i: all requests'
    : name =~# '^postkit:/searches' ? 'Enter: show · i: statistics · x: delete · f: filter'
    : name =~# '^postkit:/history'
      ? 'Enter: open · s: send again · f: filter · S: sort · i: count'
    : 'Enter: open · s: send again · c: compare · f: filter'
  return mapnew(lines[: 2], (_, line) => line
    ->substitute('The code actions of a line .*', keys .. ' · g?: more keys', '')
    ->substitute('The code action "Save to a collection"', '`:PostKit save` on a request', '')
    ->substitute('The code action "Save this search…" of', '`A` in', '')
    ->substitute('`postkit history --limit 1000`', '`:PostKit history limit:1000`', ''))
    + lines[3 :]
enddef

# The first line of a list that something can be done with, but for folders, which hold it.
export def First(lines: list<string>): number
  var pattern = '^#\s.*\%(\x\{8}\S*\|' .. counted .. '\)$'
  var found = indexof(lines, (_, line) =>
    line =~ pattern && line !~# '/\s\+' .. identifier .. '$') + 1
  return found > 0 ? found : match(lines, '^$') + 2
enddef

# Does what a key of a list or response does.
export def Press(key: string)
  Pressed(key)
enddef

def Pressed(key: string)
  if client.State() != 'running'
    config.Complain('The server has stopped. `:PostKit start` runs it again.')
    return
  endif
  var buffer = bufnr()
  if bufname() ==# 'postkit:/variables'
    if key == '<CR>'
      variables.Open()
    endif
    return
  endif
  var here = {line: line('.') - 1, character: 0}
  var name = parts.Whole(document.Uri(buffer))
  document.Opened(name, () => client.Request('textDocument/codeAction', {
    textDocument: {uri: name},
    range: {start: here, end: here},
    context: {diagnostics: [], only: bindings[key].kinds},
  }, (actions, error) => Offered(buffer, key, actions, error)))
enddef

# What a key does with the actions that the server offers for it.
def Offered(buffer: number, key: string, actions: any, error: any)
  if error != null
    config.Refused(error)
  elseif empty(actions)
    config.Say(get(bindings[key], 'needs', '')
      ?? printf('`%s` does nothing on this line. `g?` shows the keys.', key))
  elseif bindings[key].asks
    var offered = key == 'a' ? body.Offered(actions) : actions
    menu.Pick('Actions', mapnew(offered, (_, each) => each.title),
      (index) => index < 0 ? false : Run(buffer, offered[index]))
  else
    Run(buffer, actions[0])
  endif
enddef

def Run(buffer: number, chosen: dict<any>): bool
  if chosen.command.command =~# 'postkit\.showResponse$'
    # The cursor stays in the list, to go on to the next.
    chosen.command.arguments[0].takeFocus = false
  endif
  action.Run(buffer, chosen)
  var argument = get(get(chosen.command, 'arguments', []), 0, {})
  if type(argument) == v:t_dict && get(argument, 'op', '') == 'collection.delete'
    config.Say('Deleted. `u` takes it back.')
  endif
  return true
enddef

# The query of a list that some words are. Those of the history the server reads itself; of the
# collections `tag=x` and `tag:x` filter, others are searched for.
export def Query(list: string, words: list<string>): string
  return Asked(list, words)
enddef

def Asked(list: string, words: list<string>): string
  if list == 'history'
    var others = copy(words)->filter((_, word) => word !~# '^limit[=:]')
    var limits = copy(words)->filter((_, word) => word =~# '^limit[=:].')
    return join((empty(others) ? [] : ['line=' .. uri.Escaped(join(others))])
      + mapnew(limits, (_, word) => 'limit=' .. uri.Escaped(strpart(word, 6))), '&')
  endif
  var filtered: list<string> = []
  var searched: list<string> = []
  for word in words
    var name = matchstr(word, '^\a\+\ze[=:]')
    if index(filters[list], name) < 0
      add(searched, word)
    elseif strlen(word) > len(name) + 1
      # What has no value yet is still being typed.
      add(filtered, name .. '=' .. uri.Escaped(strpart(word, len(name) + 1)))
    endif
  endfor
  if !empty(searched)
    add(filtered, 'search=' .. uri.Escaped(join(searched)))
  endif
  return join(filtered, '&')
enddef

# The list that the server searches by which a document is named, empty for any other.
def Searched(name: string): string
  var list = matchstr(name, '^postkit:/\zs\a\+')
  return has_key(filters, list) ? list : ''
enddef

# What may follow `:PostKit history` and `:PostKit collections`.
export def Filters(list: string): list<string>
  return mapnew(filters[list], (_, name) => name .. ':')
enddef

# Gives the action of a kind that the server offers for the current list to `Then`, or null.
export def Offer(kind: string, Then: func)
  var here = {line: line('.') - 1, character: 0}
  client.Request('textDocument/codeAction', {
    textDocument: {uri: document.Uri(bufnr())},
    range: {start: here, end: here},
    context: {diagnostics: [], only: [kind]},
  }, (actions, error) => Then(empty(actions) ? null : actions[0]))
enddef

# Has the server open a document: runs one of its commands that do.
export def Show(command: string, argument: dict<any>)
  Display(command, argument)
enddef

def Display(command: string, argument: dict<any>)
  if client.Ensure()
    client.WhenRunning(() => client.Execute(command, argument,
      (_, error) => config.Refused(error)))
  endif
enddef

# Opens the history or the collections, or what of them some words find.
export def Find(list: string, words: list<string>)
  Found(list, words)
enddef

def Found(list: string, words: list<string>)
  var query = Asked(list, words)
  Display('postkit.' .. list, query == '' ? {} : {query: query})
enddef

# Asks for words, at each letter of which the list has only what fits them.
export def Search()
  Narrowing()
enddef

def Narrowing()
  var buffer = bufnr()
  var name = bufname()
  var before = getline(1, '$')
  var words = getbufvar(buffer, 'postkit_words', '')
  live.Prompt('Search: ', win_getid(), words, searches, (text) => {
    if live.IsOpen()
      Narrow(buffer, name, text)
    endif
  }, (text) => {
    if text == null
      setbufvar(buffer, 'postkit_words', words)
      response.Fill(buffer, before)
    elseif Searched(name) != ''
      Found(Searched(name), split(text))
    else
      Narrow(buffer, name, text)
    endif
  })
enddef

# The server searches the history and the collections; other lists are there whole.
def Narrow(buffer: number, name: string, text: string)
  var list = Searched(name)
  if list == ''
    setbufvar(buffer, 'postkit_words', text)
    response.Refetch(buffer, name)
    return
  endif
  setbufvar(buffer, 'postkit_words', '')
  var query = Asked(list, split(text))
  response.Refetch(buffer, 'postkit:/' .. list .. (query == '' ? '' : '?' .. query))
enddef

# The lines of a list that have all words that were asked for, in themselves or in the headings above
# them, which stay with them; what stands above the list stays, too.
export def Narrowed(buffer: number, lines: list<string>): list<string>
  var words = split(tolower(getbufvar(buffer, 'postkit_words', '')))
  if empty(words)
    return lines
  endif
  var first = match(lines, '^#\=\s*$') + 1
  var kept = first == 0 ? [] : lines[: first - 1]
  # Each with its indentation, its text and whether it is kept.
  var above: list<dict<any>> = []
  for line in lines[first :]
    var indent = strlen(matchstr(line, '^#\=\s*'))
    while !empty(above) && above[-1].indent >= indent
      remove(above, -1)
    endwhile
    add(above, {indent: indent, text: line, isKept: false})
    var path = mapnew(above, (_, each) => tolower(each.text))->join()
    if copy(words)->filter((_, word) => stridx(path, word) < 0)->empty()
      for each in copy(above)->filter((_, each) => !each.isKept)
        add(kept, each.text)
        each.isKept = true
      endfor
    endif
  endfor
  return kept
enddef

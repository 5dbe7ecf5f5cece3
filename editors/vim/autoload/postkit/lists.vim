vim9script
# Shows the server's lists: the history, the collections, cookies and session values. They are
# documents, and what can be done with a line is what the server offers as actions there.

import autoload 'postkit/action.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/menu.vim'
import autoload 'postkit/uri.vim'

# The filters of the history; any other word is searched for.
const filters = [
  'environment', 'failedTests', 'file', 'host', 'label', 'limit', 'maxMs', 'maxSize', 'method',
  'minMs', 'minSize', 'name', 'path', 'pinned', 'run', 'since', 'state', 'status', 'until',
]

# What a key does, by the kinds of the server's actions; some ask which one is meant.
const bindings = {
  '<CR>': {kinds: ['postkit.open', 'postkit.show'], asks: false},
  s: {kinds: ['postkit.send'], asks: false},
  c: {kinds: ['postkit.compare'], asks: false},
  m: {kinds: ['postkit.mark'], asks: true},
  x: {kinds: ['postkit.delete'], asks: true},
  a: {kinds: ['postkit'], asks: true},
}

# Whether a document is a list.
export def IsList(name: string): bool
  return name =~# '^postkit:/\(collections\|cookies\|environments\|history\|session\)\($\|?\)'
    || name =~# '^postkit:/timeline/'
enddef

# Maps the keys of the list in the current buffer.
export def Map()
  for key in keys(bindings)
    execute printf('nnoremap <buffer> <nowait> %s <ScriptCmd>Press(%s)<CR>',
      key, string(substitute(key, '<', '<lt>', '')))
  endfor
  nnoremap <buffer> <nowait> q <Cmd>close<CR>
enddef

# The first line of a list that something can be done with.
export def First(lines: list<string>): number
  return match(lines, '^#\s.*\x\{8}\S*$') + 1
enddef

def Press(key: string)
  if client.State() != 'running'
    config.Complain('the server that made this list has ended; open the list again')
    return
  endif
  var buffer = bufnr()
  var here = {line: line('.') - 1, character: 0}
  client.Request('textDocument/codeAction', {
    textDocument: {uri: document.Uri(buffer)},
    range: {start: here, end: here},
    context: {diagnostics: [], only: bindings[key].kinds},
  }, (actions, error) => {
    if error != null
      config.Complain(error.message)
    elseif empty(actions)
      config.Say('there is nothing to do here with ' .. key)
    elseif bindings[key].asks
      menu.Pick('What is to be done?', mapnew(actions, (_, each) => each.title),
        (index) => index < 0 ? false : Run(buffer, actions[index]))
    else
      Run(buffer, actions[0])
    endif
  })
enddef

def Run(buffer: number, chosen: dict<any>): bool
  if chosen.command.command =~# 'postkit\.showResponse$'
    # The cursor stays in the list, to go on to the next.
    chosen.command.arguments[0].takeFocus = false
  endif
  action.Run(buffer, chosen)
  return true
enddef

# The query of the history that some words are: `status=4xx` filters, others are searched for.
export def Query(words: list<string>): string
  var parts: list<string> = []
  var searched: list<string> = []
  for word in words
    var name = matchstr(word, '^\a\+\ze=')
    if index(filters, name) >= 0
      add(parts, name .. '=' .. uri.Escaped(strpart(word, len(name) + 1)))
    else
      add(searched, word)
    endif
  endfor
  return join(empty(searched) ? parts : parts + ['search=' .. uri.Escaped(join(searched))], '&')
enddef

# What may follow `:PostKit history`.
export def Filters(): list<string>
  return mapnew(filters, (_, name) => name .. '=')
enddef

# Has the server open a document: runs one of its commands that do.
export def Show(command: string, argument: dict<any>)
  if client.Start(uri.Root(bufnr()))
    client.WhenRunning(() => client.Execute(command, argument,
      (_, error) => config.Refused(error)))
  endif
enddef

# Lists what was sent.
export def History(words: list<string>)
  var query = Query(words)
  Show('postkit.history', query == '' ? {} : {query: query})
enddef

vim9script
# Goes to definitions and lists references, symbols and calls in the location list.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/uri.vim'

# The words for the kinds of symbols that the server uses.
const kinds = {
  1: 'file', 2: 'import', 5: 'name', 6: 'request', 7: 'header', 8: 'tag', 11: 'line', 12: 'script',
  13: 'variable', 14: 'constant', 19: 'body', 20: 'query', 23: 'headers', 24: 'test',
}

# Goes to the definition of what is under the cursor; where it has several, they are listed.
export def Definition()
  document.Ask('textDocument/definition', {}, (found, _) => Go(found, 'definition'))
enddef

# Goes to every value that the environments give to the variable under the cursor.
export def Implementation()
  document.Ask('textDocument/implementation', {}, (found, _) => Go(found, 'values'))
enddef

# Lists where what is under the cursor is used.
export def References()
  document.Ask('textDocument/references', {context: {includeDeclaration: true}},
    (found, _) => List(Locations(found), 'references'))
enddef

# Lists the requests and variables of the buffer, or what fits some words in the whole workspace.
export def Symbols(words: list<string>)
  if empty(words)
    document.Ask('textDocument/documentSymbol', {},
      (found, buffer) => List(Outline(found ?? [], document.Uri(buffer), ''), 'symbols', true))
    return
  endif
  if !document.Ready()
    return
  endif
  client.WhenRunning(() => client.Request('workspace/symbol', {query: join(words)},
    (found, error) => {
      if error != null
        config.Refused(error)
      else
        List(Locations(found), 'symbols with ' .. join(words))
      endif
    }))
enddef

# Lists the requests that the one under the cursor needs.
export def Calls()
  Hierarchy('outgoing', 'to', 'requests it needs')
enddef

# Lists the requests that need the one under the cursor.
export def Callers()
  Hierarchy('incoming', 'from', 'requests that need it')
enddef

def Hierarchy(direction: string, end: string, title: string)
  document.Ask('textDocument/prepareCallHierarchy', {}, (found, buffer) => {
    if empty(found)
      config.Say('There is no request here.')
      return
    endif
    client.Request(printf('callHierarchy/%sCalls', direction), {item: found[0]},
      (calls, error) => {
        if error != null
          config.Refused(error)
        else
          List(mapnew(calls ?? [], (_, call) => ({
            uri: call[end].uri, range: call[end].selectionRange, text: call[end].name})), title)
        endif
      })
  })
enddef

# Opens the path or address under the cursor; an address gets its values first.
export def Link()
  var here = position.Cursor()
  document.Ask('textDocument/documentLink', {}, (found, _) => {
    var under = copy(found ?? [])->filter((_, link) => link.range.start.line == here.line
      && link.range.start.character <= here.character && here.character <= link.range.end.character)
    if empty(under)
      config.Say('There is no path or address here.')
    elseif has_key(under[0], 'target')
      Follow(under[0])
    else
      client.Request('documentLink/resolve', under[0], (link, error) => {
        if error != null
          config.Refused(error)
        else
          Follow(link)
        endif
      })
    endif
  })
enddef

def Follow(link: dict<any>)
  if get(link, 'target', '') == ''
    config.Say(get(link, 'tooltip', 'This link has no target.'))
  else
    Mark()
    var isAddress = link.target =~? '^https\?:'
    if !response.Show({uri: link.target, external: isAddress, takeFocus: true})
      config.Complain('Cannot open ' .. link.target .. '.')
    endif
  endif
enddef

# The places of Location, LocationLink and WorkspaceSymbol, one or many.
def Locations(found: any): list<dict<any>>
  if empty(found)
    return []
  endif
  var all: list<any> = type(found) == v:t_list ? found : [found]
  return mapnew(all, (_, each) => {
    if has_key(each, 'targetUri')
      return {uri: each.targetUri, range: each.targetSelectionRange}
    elseif has_key(each, 'location')
      var start = {line: 0, character: 0}
      return {uri: each.location.uri, text: Named(each),
        range: get(each.location, 'range', {start: start, end: start})}
    endif
    return each
  })
enddef

def Named(symbol: dict<any>, isKind = true): string
  var words = [isKind ? get(kinds, symbol.kind, '') : '', symbol.name, get(symbol, 'detail', '')]
  return filter(words, (_, word) => word != '')->join()
enddef

# A tree of symbols as places, each level indented by two blanks.
def Outline(symbols: list<any>, name: string, indent: string): list<dict<any>>
  var found: list<dict<any>> = []
  # What the kinds of values in a response are called says less than the values do.
  var isOurs = name =~# '^postkit:'
  for symbol in symbols
    add(found, {uri: name, range: symbol.selectionRange, text: indent .. Named(symbol, !isOurs)})
    extend(found, Outline(get(symbol, 'children', []), name, indent .. '  '))
  endfor
  return found
enddef

def Go(found: any, title: string)
  var places = Locations(found)
  if len(places) > 1
    List(places, title)
  elseif empty(places)
    config.Say('There is nothing to show here.')
  elseif places[0].uri =~# '^postkit:'
    Mark()
    response.Open(places[0].uri, true)
  else
    Mark()
    Jump(position.Places(places)[0])
  endif
enddef

# Remembers the place, so that CTRL-O and CTRL-T lead back.
def Mark()
  normal! m'
  settagstack(win_getid(), {items: [{
    bufnr: bufnr(), from: getcurpos()->slice(0, 4), tagname: expand('<cword>')}]}, 't')
enddef

def Jump(place: dict<any>)
  var name = has_key(place, 'bufnr') ? '#' .. place.bufnr : fnameescape(place.filename)
  if get(place, 'bufnr', 0) != bufnr()
    execute (&hidden || !&modified ? 'edit ' : 'split ') .. name
  endif
  cursor(place.lnum, place.col)
  normal! zv
enddef

# The lines of a location list whose places are all in one file.
def Brief(info: dict<any>): list<string>
  var found = getloclist(info.winid, {id: info.id, items: 0}).items
  return slice(found, info.start_idx - 1, info.end_idx)
    ->mapnew((_, each) => printf('%5d  %s', each.lnum, each.text))
enddef

# Shows places in the location list; where all are in one file its name is left out.
def List(places: list<dict<any>>, title: string, isOne = false)
  if empty(places)
    config.Say('There are no ' .. title .. '.')
    return
  endif
  var list: dict<any> = {title: 'PostKit ' .. title, items: position.Places(places)}
  if isOne
    list.quickfixtextfunc = Brief
  endif
  setloclist(0, [], ' ', list)
  execute 'lopen ' .. max([3, min([len(places), 12])])
enddef

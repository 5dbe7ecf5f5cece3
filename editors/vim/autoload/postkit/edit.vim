vim9script
# Applies the text edits a server proposes to buffers.

import autoload 'postkit/config.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/uri.vim'

# Applies a WorkspaceEdit that changes text or makes files; false when it holds anything else.
export def Apply(workspace_edit: dict<any>): bool
  var changes: list<list<any>> = []
  for [name, edits] in items(get(workspace_edit, 'changes', {}))
    add(changes, [name, edits])
  endfor
  for change in get(workspace_edit, 'documentChanges', [])
    if get(change, 'kind', 'create') != 'create'
      return false
    elseif has_key(change, 'kind')
      add(changes, [change.uri, []])
    else
      add(changes, [change.textDocument.uri, change.edits])
    endif
  endfor
  for [name, _] in changes
    if !MayChange(Loaded(name))
      return false
    endif
  endfor
  for [name, edits] in changes
    Change(Loaded(name), edits)
  endfor
  return true
enddef

# Whether a buffer may be changed; says so where it may not.
export def Allowed(bufnr: number): bool
  return MayChange(bufnr)
enddef

def MayChange(bufnr: number): bool
  if !getbufvar(bufnr, '&modifiable')
    config.Complain(printf("Nothing was changed: 'modifiable' is off in %s.",
      fnamemodify(bufname(bufnr), ':t')))
    return false
  endif
  return true
enddef

# The files that a WorkspaceEdit changes.
export def Names(workspace_edit: dict<any>): list<string>
  var names = keys(get(workspace_edit, 'changes', {}))
  for change in get(workspace_edit, 'documentChanges', [])
    add(names, get(get(change, 'textDocument', change), 'uri', ''))
  endfor
  return sort(names)->uniq()
enddef

def Loaded(name: string): number
  var bufnr = uri.Buffer(name)
  if bufnr < 0
    bufnr = bufadd(uri.ToPath(name))
  endif
  bufload(bufnr)
  setbufvar(bufnr, '&buflisted', 1)
  return bufnr
enddef

# Applies edits of one buffer, the last one first so that earlier places stay valid.
export def Edit(bufnr: number, edits: list<dict<any>>)
  Change(bufnr, edits)
enddef

def Change(bufnr: number, edits: list<dict<any>>)
  var ordered = mapnew(edits, (index, each) => [
    position.InBuffer(bufnr, each.range.start),
    position.InBuffer(bufnr, each.range.end), index, each.newText])
  sort(ordered, (one, other) => one[0][0] != other[0][0] ? other[0][0] - one[0][0]
    : one[0][1] != other[0][1] ? other[0][1] - one[0][1] : other[2] - one[2])
  for [start, end, _, text] in ordered
    # That the file is read-only is told when it is written.
    silent Replace(bufnr, start, end, text)
  endfor
enddef

def Replace(bufnr: number, start: list<number>, end: list<number>, text: string)
  var count = getbufinfo(bufnr)[0].linecount
  var head = strpart(get(getbufline(bufnr, start[0]), 0, ''), 0, start[1] - 1)
  var tail = strpart(get(getbufline(bufnr, end[0]), 0, ''), end[1] - 1)
  var lines = split(head .. text .. tail, '\r\n\|\n\|\r', true)
  if end[0] > count && lines[-1] == '' && start[0] <= count
    remove(lines, -1)
  elseif start[0] > count
    appendbufline(bufnr, count, lines[-1] == '' ? lines[: -2] : lines)
    return
  endif
  var have = min([end[0], count]) - start[0] + 1
  for index in range(min([have, len(lines)]))
    setbufline(bufnr, start[0] + index, lines[index])
  endfor
  if len(lines) > have
    appendbufline(bufnr, start[0] + have - 1, lines[have :])
  elseif have > len(lines)
    deletebufline(bufnr, start[0] + len(lines), start[0] + have - 1)
  endif
enddef

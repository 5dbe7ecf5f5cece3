vim9script
# Marks the uses of the name under the cursor while it rests there.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/highlight.vim'
import autoload 'postkit/position.vim'

const types = ['PostKitUse', 'PostKitDefinition']

# Where the marks are: [bufnr, lnum, first column, last column] of the word that they are of.
var shown: list<number> = []

# Asks for the uses of what is under the cursor.
export def Show()
  if !config.Get('uses') || client.State() != 'running' || !document.Attached(bufnr())
      || mode() =~# '^[iRvVsS]'
    return
  endif
  var place = [bufnr(), line('.'), col('.')]
  client.Request('textDocument/documentHighlight', {
    textDocument: {uri: document.Uri(place[0])}, position: position.Cursor(),
  }, (found, error) => {
    if error == null && place == [bufnr(), line('.'), col('.')]
      Draw(place, found ?? [])
    endif
  })
enddef

def Draw(place: list<number>, found: list<any>)
  Wipe()
  highlight.Ready()
  for each in found
    var [lnum, column] = position.InBuffer(place[0], each.range.start)
    var [end_lnum, end_column] = position.InBuffer(place[0], each.range.end)
    prop_add(lnum, column, {bufnr: place[0], end_lnum: end_lnum, end_col: end_column,
      type: get(each, 'kind', 1) == 3 ? 'PostKitDefinition' : 'PostKitUse'})
    if lnum == place[1] && column <= place[2] && place[2] <= end_column
      shown = [place[0], lnum, column, end_column]
    endif
  endfor
  if empty(shown) && !empty(found)
    shown = [place[0], place[1], place[2], place[2]]
  endif
enddef

# Takes the marks away when the cursor has left their word.
export def Moved()
  if !empty(shown) && (bufnr() != shown[0] || line('.') != shown[1]
      || col('.') < shown[2] || col('.') > shown[3])
    Wipe()
  endif
enddef

# Takes the marks away.
export def Clear()
  Wipe()
enddef

def Wipe()
  if !empty(shown) && bufloaded(shown[0])
    prop_remove({bufnr: shown[0], types: types, all: true}, 1,
      getbufinfo(shown[0])[0].linecount)
  endif
  shown = []
enddef

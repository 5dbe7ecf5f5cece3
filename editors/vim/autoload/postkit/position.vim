vim9script
# Converts Vim's byte columns to and from the columns of the negotiated encoding.

import autoload 'postkit/client.vim'
import autoload 'postkit/uri.vim'

# Units that one character takes in the negotiated encoding.
def Units(character: string): number
  return client.Encoding() == 'utf-16' && char2nr(character) > 0xffff ? 2 : 1
enddef

# The LSP column of byte `offset` (counted from 0) in `text`.
export def Column(text: string, offset: number): number
  return Counted(text, offset)
enddef

def Counted(text: string, offset: number): number
  if client.Encoding() == 'utf-8'
    return min([offset, strlen(text)])
  endif
  var units = 0
  for character in split(strpart(text, 0, offset), '\zs')
    units += Units(character)
  endfor
  return units
enddef

# The byte offset (from 0) of LSP column `column` in `text`.
export def Offset(text: string, column: number): number
  return Bytes(text, column)
enddef

def Bytes(text: string, column: number): number
  if client.Encoding() == 'utf-8'
    return min([column, strlen(text)])
  endif
  var units = 0
  var offset = 0
  for character in split(text, '\zs')
    if units >= column
      break
    endif
    units += Units(character)
    offset += strlen(character)
  endfor
  return offset
enddef

# The LSP position of a 1-based line and a byte offset.
export def At(bufnr: number, lnum: number, offset: number): dict<number>
  return Point(bufnr, lnum, offset)
enddef

def Point(bufnr: number, lnum: number, offset: number): dict<number>
  return {line: lnum - 1, character: Counted(get(getbufline(bufnr, lnum), 0, ''), offset)}
enddef

# The LSP position of the cursor in the current window.
export def Cursor(): dict<number>
  return Point(bufnr(), line('.'), col('.') - 1)
enddef

# A 1-based [line, column] for an LSP position in a loaded buffer.
export def InBuffer(bufnr: number, position: dict<any>): list<number>
  var lnum = float2nr(position.line) + 1
  var text = get(getbufline(bufnr, lnum), 0, '')
  return [lnum, Bytes(text, float2nr(position.character)) + 1]
enddef

# What a list of places shows of LSP ranges, each with a `uri`, in the files as they are now.
export def Places(found: list<dict<any>>): list<dict<any>>
  var texts: dict<list<string>> = {}
  for each in found
    if !has_key(texts, each.uri)
      texts[each.uri] = Lines(each.uri)
    endif
  endfor
  return mapnew(found, (_, each) => Place(each, texts[each.uri]))
enddef

def Place(one: dict<any>, lines: list<string>): dict<any>
  var text = get(lines, float2nr(one.range.start.line * 1.0), '')
  var place: dict<any> = {
    lnum: float2nr(one.range.start.line * 1.0) + 1,
    col: Bytes(text, float2nr(one.range.start.character * 1.0)) + 1,
    text: get(one, 'text', trim(text)),
  }
  var buffer = uri.Buffer(one.uri)
  if buffer > 0
    place.bufnr = buffer
  else
    place.filename = uri.ToPath(one.uri)
  endif
  return place
enddef

def Lines(name: string): list<string>
  var bufnr = uri.Buffer(name)
  if bufnr > 0 && bufloaded(bufnr)
    return getbufline(bufnr, 1, '$')
  endif
  var path = uri.ToPath(name)
  return filereadable(path) ? readfile(path) : []
enddef

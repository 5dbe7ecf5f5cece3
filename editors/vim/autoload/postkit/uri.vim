vim9script
# Converts between file names, buffers and URIs, byte by byte as RFC 3986 wants.

import autoload 'postkit/client.vim'

def Escape(character: string): string
  var escaped = ''
  for index in range(strlen(character))
    escaped ..= printf('%%%02X', char2nr(strpart(character, index, 1)))
  endfor
  return escaped
enddef

# A text as a value in the query of a URI.
export def Escaped(text: string): string
  return substitute(text, '[^A-Za-z0-9_.~*-]', (found) => Escape(found[0]), 'g')
enddef

# The file: URI of an absolute path.
export def FromPath(path: string): string
  return OfPath(path)
enddef

def OfPath(path: string): string
  return 'file://' .. substitute(path, '[^A-Za-z0-9_.~/-]', (found) => Escape(found[0]), 'g')
enddef

# The URI under which the server knows a buffer; a buffer without a name is `untitled:`.
export def FromBuffer(bufnr: number): string
  return OfBuffer(bufnr)
enddef

def OfBuffer(bufnr: number): string
  var name = bufname(bufnr)
  if name == ''
    return 'untitled:' .. bufnr
  endif
  return name =~ '^\a[a-zA-Z0-9+.-]\+:/' ? name : OfPath(fnamemodify(name, ':p'))
enddef

# The path of a file: URI, or the URI itself when it is none.
export def ToPath(uri: string): string
  return PathOf(uri)
enddef

def PathOf(uri: string): string
  if uri !~# '^file://'
    return uri
  endif
  var path = ''
  var rest = strpart(uri, 7)
  while rest != ''
    if rest =~ '^%\x\x'
      path ..= list2blob([str2nr(strpart(rest, 1, 2), 16)])->BlobText()
      rest = strpart(rest, 3)
    else
      var count = match(rest .. '%', '%', 1)
      path ..= strpart(rest, 0, count)
      rest = strpart(rest, count)
    endif
  endwhile
  return path
enddef

# One byte as a string; readblob() cannot do it and nr2char() would encode it.
def BlobText(blob: blob): string
  return eval(printf('"\x%02x"', blob[0]))
enddef

# The buffer that shows a URI, or -1.
export def Buffer(uri: string): number
  for info in getbufinfo({bufloaded: 1})
    if OfBuffer(info.bufnr) == uri
      return info.bufnr
    endif
  endfor
  return bufnr('^' .. escape(PathOf(uri), '\*?[{,') .. '$')
enddef

# The folder that holds the request file's project: its nearest ancestor with a mark, else its own.
export def Root(bufnr: number): string
  # A stored request, or a document of the server's: of no project, so that none is told of it.
  if bufname(bufnr) =~# '^postkit:\|/view/requests/[-0-9a-f]\+/[^/]\+\.http$'
    var folders = client.Folders()
    if !empty(folders)
      return substitute(PathOf(folders[0].uri), '.\zs/$', '', '')
    endif
  endif
  var folder = bufname(bufnr) == '' ? getcwd() : fnamemodify(bufname(bufnr), ':p:h')
  for marks in [['postkit.json', 'http-client.env.json'], ['.git']]
    var at = folder
    while true
      for mark in marks
        var path = at .. '/' .. mark
        if filereadable(path) || isdirectory(path)
          return at
        endif
      endfor
      var above = fnamemodify(at, ':h')
      if above == at
        break
      endif
      at = above
    endwhile
  endfor
  return folder
enddef

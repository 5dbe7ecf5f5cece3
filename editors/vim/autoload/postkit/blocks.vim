vim9script
# Guesses where requests stand, to place a mark until the server's answer comes; the server decides.

# The request line of the block around a line: where its result is drawn. 0 when there is none.
export def RequestLine(bufnr: number, lnum: number): number
  return Find(bufnr, lnum)
enddef

def Find(bufnr: number, lnum: number): number
  var first = lnum
  while first > 1 && getbufline(bufnr, first)[0] !~ '^###'
    first -= 1
  endwhile
  var script = false
  for index in range(first, getbufinfo(bufnr)[0].linecount)
    var text = getbufline(bufnr, index)[0]
    if index > first && text =~ '^###'
      return 0
    elseif script
      script = text !~ '%}'
    elseif text =~ '^<\s*{%'
      script = text !~ '%}'
    elseif text !~ '^\s*$\|^\s*#\|^\s*//\|^@\|^<\|^import\>\|^run\>'
      return index
    endif
  endfor
  return 0
enddef

# The request lines of a buffer from top to bottom, of those blocks that have one of some lines.
export def RequestLines(bufnr: number, first: number, last: number): list<number>
  var lines: list<number> = []
  var text = getbufline(bufnr, 1, last)
  for index in range(1, len(text))
    if index == first || index == 1 || text[index - 1] =~ '^###'
      var found = Find(bufnr, index)
      if found > 0 && lines->index(found) < 0 && Last(bufnr, found) >= first
        add(lines, found)
      endif
    endif
  endfor
  return lines
enddef

# The last line of the block that a request line is in.
def Last(bufnr: number, lnum: number): number
  var count = getbufinfo(bufnr)[0].linecount
  var last = lnum
  while last < count && getbufline(bufnr, last + 1)[0] !~ '^###'
    last += 1
  endwhile
  return last
enddef

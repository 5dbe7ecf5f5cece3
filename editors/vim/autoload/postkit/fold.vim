vim9script
# Folds requests and their parts where the server says that they begin and end.

import autoload 'postkit/client.vim'
import autoload 'postkit/document.vim'

# Time between an edit and the question, so that typing asks once.
const delay_milliseconds = 300

# By buffer number: {levels, words}; the words of a closed fold by its first line.
var folds: dict<dict<any>> = {}
var timers: dict<number> = {}

# 'foldexpr': the level of one line; asks the server where it has not told yet.
export def Level(lnum: number): string
  var known = get(folds, string(bufnr()), {})
  if empty(known)
    folds[bufnr()] = {levels: [], words: {}}
    Plan(bufnr())
    return '0'
  endif
  return get(known.levels, lnum - 1, '0')
enddef

# 'foldtext': the server's words for a closed fold, and how many lines are in it.
export def Text(): string
  var words = get(get(folds, string(bufnr()), {}), 'words', {})
  var first = get(words, string(v:foldstart), getline(v:foldstart))
  return printf('%s  (%d lines) ', first, v:foldend - v:foldstart + 1)
enddef

# Asks for the folds of a buffer a moment from now, when they were ever asked for.
export def Later(bufnr: number)
  Plan(bufnr)
enddef

def Plan(bufnr: number)
  if !has_key(folds, string(bufnr))
    return
  endif
  timer_stop(get(timers, string(bufnr), 0))
  timers[bufnr] = timer_start(delay_milliseconds, (_) => Ask(bufnr))
enddef

def Ask(bufnr: number)
  if !document.Attached(bufnr) || client.State() != 'running'
    return
  endif
  var version = document.Version(bufnr)
  client.Request('textDocument/foldingRange', {textDocument: {uri: document.Uri(bufnr)}},
    (found, error) => {
      if error == null && bufloaded(bufnr) && document.Version(bufnr) == version
        Take(bufnr, found ?? [])
      endif
    })
enddef

def Take(bufnr: number, found: list<any>)
  var count = getbufinfo(bufnr)[0].linecount
  var depth = repeat([0], count + 1)
  var starts: dict<bool> = {}
  var words: dict<string> = {}
  for range in found
    var first = float2nr(range.startLine)
    var last = min([float2nr(range.endLine), count - 1])
    if last > first
      depth[first] += 1
      depth[last + 1] -= 1
      starts[first] = true
      if has_key(range, 'collapsedText') && !has_key(words, string(first + 1))
        words[first + 1] = range.collapsedText
      endif
    endif
  endfor
  var level = 0
  var levels: list<string> = []
  for index in range(count)
    level += depth[index]
    add(levels, (has_key(starts, string(index)) ? '>' : '') .. level)
  endfor
  if get(folds[bufnr], 'levels', []) != levels
    folds[bufnr] = {levels: levels, words: words}
    for window in win_findbuf(bufnr)
      if getwinvar(window, '&foldmethod') ==# 'expr'
        # Set anew, it has Vim compute the folds anew; what is open stays open.
        setwinvar(window, '&foldmethod', 'expr')
      endif
    endfor
  else
    folds[bufnr].words = words
  endif
enddef

# Forgets a buffer that is no longer served.
export def Forget(bufnr: number)
  if has_key(folds, string(bufnr))
    remove(folds, string(bufnr))
    timer_stop(get(timers, string(bufnr), 0))
  endif
enddef

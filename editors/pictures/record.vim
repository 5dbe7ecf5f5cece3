" Runs a program in a terminal of this Vim, types, waits for what it shows, and dumps the screen.
" g:record names the job: command (list), steps (list of {wait: pattern, type: keys}), file,
" rows, columns. The pattern of a step is one of any line on the screen.
set nocompatible termguicolors encoding=utf-8 background=dark
highlight Terminal guifg=#d0d0d0 guibg=#1c1c1c
let &lines = g:record.rows + 4
let &columns = g:record.columns
let s:deadline = localtime() + 30
let s:step = 0

func s:Shows(pattern) abort
  return !empty(filter(range(1, g:record.rows), {_, line -> term_getline(s:buffer, line) =~# a:pattern}))
endfunc

func s:Look(timer) abort
  if localtime() > s:deadline
    call writefile(map(range(1, g:record.rows), {_, line -> term_getline(s:buffer, line)}),
          \ g:record.file .. '.failed')
    cquit 2
  endif
  let step = g:record.steps[s:step]
  if !s:Shows(step.wait) | return | endif
  if has_key(step, 'type')
    call term_sendkeys(s:buffer, eval('"' .. step.type .. '"'))
  endif
  let s:step += 1
  if s:step < len(g:record.steps) | return | endif
  call timer_stop(a:timer)
  call term_dumpwrite(s:buffer, g:record.file)
  call job_stop(term_getjob(s:buffer), 'kill')
  qall!
endfunc

let s:buffer = term_start(g:record.command, {
      \ 'term_rows': g:record.rows, 'term_cols': g:record.columns, 'curwin': 1,
      \ 'env': {'TERM': 'xterm-256color', 'COLORTERM': 'truecolor'}})
call timer_start(50, function('s:Look'), {'repeat': -1})

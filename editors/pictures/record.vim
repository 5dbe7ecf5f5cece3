" Runs a program in a terminal of this Vim, types, waits for what it shows, and dumps the screen.
" g:record names the job: command (list), steps (list of {wait: pattern, type: keys}), file,
" rows, columns. The pattern of a step is one of any line on the screen; each has 30 seconds.
set nocompatible termguicolors encoding=utf-8 background=dark
highlight Terminal guifg=#d0d0d0 guibg=#1c1c1c
let &lines = g:record.rows + 4
let &columns = g:record.columns
let s:deadline = localtime() + 30
let s:step = 0

" What stands on the command line was typed, and answers nothing.
func s:Shows(pattern) abort
  let lines = map(range(1, g:record.rows), {_, line -> term_getline(s:buffer, line)})
  return !empty(filter(lines, {_, text -> text !~# '^:' && text =~# a:pattern}))
endfunc

" Ends the program as one asks programs to end, so that it leaves none of its own behind.
func s:End(code) abort
  let job = term_getjob(s:buffer)
  call job_stop(job, 'term')
  while job_status(job) ==# 'run' && localtime() <= s:deadline + 5
    sleep 10m
  endwhile
  call job_stop(job, 'kill')
  execute a:code == 0 ? 'qall!' : 'cquit ' .. a:code
endfunc

func s:Look(timer) abort
  if localtime() > s:deadline
    call timer_stop(a:timer)
    let waited = [printf('(waited for "%s", step %d)', g:record.steps[s:step].wait, s:step + 1)]
    call writefile(waited + map(range(1, g:record.rows), {_, line -> term_getline(s:buffer, line)}),
          \ g:record.file .. '.failed')
    return s:End(2)
  endif
  let step = g:record.steps[s:step]
  if !s:Shows(step.wait) | return | endif
  if has_key(step, 'type')
    call term_sendkeys(s:buffer, eval('"' .. step.type .. '"'))
  endif
  let s:step += 1
  let s:deadline = localtime() + 30
  if s:step < len(g:record.steps) | return | endif
  call timer_stop(a:timer)
  call term_dumpwrite(s:buffer, g:record.file)
  call s:End(0)
endfunc

let s:buffer = term_start(g:record.command, {
      \ 'term_rows': g:record.rows, 'term_cols': g:record.columns, 'curwin': 1,
      \ 'env': {'TERM': 'xterm-256color', 'COLORTERM': 'truecolor'}})
call timer_start(50, function('s:Look'), {'repeat': -1})

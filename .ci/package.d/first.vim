" Types into Vim or Neovim what somebody would, and ends it when the answer is on the screen, or with
" an error after 60 seconds:
"   KEYS     what is typed, on the line of the first request
"   ANSWER   what has to be seen, a pattern for each line
"   SCREEN   the file that gets the screen, as it was at the end
let s:started = reltime()

func s:Look(timer)
  let screen = map(range(1, &lines), {_, row ->
    \ join(map(range(1, &columns), {_, column -> screenstring(row, column)}), '')})
  let missing = filter(split($ANSWER, "\n"), {_, pattern -> match(screen, pattern) < 0})
  let late = reltimefloat(reltime(s:started)) > 60
  if empty(missing) || late
    call writefile(screen + map(missing, {_, pattern -> 'not seen: ' .. pattern}), $SCREEN)
    execute empty(missing) ? 'quitall!' : 'cquit'
  endif
endfunc

" Where this file was left the last time is where editors open it.
call cursor(1, 1)
call search('^\u\+ ', 'c')
call feedkeys($KEYS, 't')
call timer_start(20, function('s:Look'), {'repeat': -1})

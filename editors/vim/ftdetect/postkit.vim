vim9script
# Names the files PostKit serves: Vim 9.0 knows neither ending.
autocmd BufNewFile,BufRead *.http,*.rest setfiletype http

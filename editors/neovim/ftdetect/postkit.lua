-- Names the files PostKit serves: Neovim knows `.http` but not `.rest`.
vim.filetype.add({ extension = { http = 'http', rest = 'http' } })

-- A user's configuration, as the tests need it: the plugin on the path, the program named.
local plugin = vim.fs.dirname(vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2))))
vim.opt.runtimepath:prepend(plugin)
vim.lsp.config('postkit', { cmd = { vim.env.POSTKIT_BIN, 'lsp' } })
vim.g.postkit = { options = { testing = true }, view = 'all' }

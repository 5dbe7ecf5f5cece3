-- Describes the PostKit server to Neovim's own client; vim.lsp.enable('postkit') starts it.
local client = require('postkit.client')

return {
  cmd = { 'postkit', 'lsp' },
  filetypes = { 'http', 'rest' },
  root_dir = client.root_dir,
  workspace_required = false,
  capabilities = {
    textDocument = { semanticTokens = require('postkit.tokens').capabilities() },
    workspace = {
      textDocumentContent = { dynamicRegistration = false },
      diagnostics = { refreshSupport = true },
    },
    experimental = {
      postkit = {
        version = 1, stream = true, steps = true, each = true, input = true, storeEvents = true,
        status = true, output = true,
      },
    },
  },
  init_options = { postkit = {} },
  before_init = client.before_init,
  on_init = function(server)
    require('postkit.tokens').guard(server)
    require('postkit.completion').guard(server)
  end,
  on_attach = client.on_attach,
  on_exit = client.on_exit,
  handlers = client.handlers,
  commands = client.commands,
}

'use strict';
// The language features: each provider asks the server and converts its answer.
// They are registered for what the server advertises, and again after a restart.
const vscode = require('vscode');
const convert = require('./convert');
const { completionList, applyResolved } = require('./completion');
const { ErrorCode, ConnectionClosed, ResponseError } = require('./connection');

/** The documents the server cares about; responses (`postkit:`) are for reading only. */
const SELECTOR = [
  { language: 'http', scheme: 'file' },
  { language: 'http', scheme: 'untitled' },
];
/** What the server offers actions for: its responses and lists are nothing but shown. */
const ACTION_SELECTOR = [...SELECTOR, { scheme: 'postkit' }];

const QUIET_CODES = new Set([ErrorCode.requestCancelled, ErrorCode.contentModified]);

/** Registers the providers whenever the server is ready, and takes them back when it stops. */
class Features {
  #client;
  #log;
  #codeLensesChanged = new vscode.EventEmitter();
  #inlayHintsChanged = new vscode.EventEmitter();
  #registrations = [];
  #diagnostics = vscode.languages.createDiagnosticCollection('postkit');

  /** @param {import('./client').Client} client @param {vscode.LogOutputChannel} log */
  constructor(client, log) {
    this.#client = client;
    this.#log = log;
    client.on('ready', ({ capabilities }) => this.#register(capabilities));
    client.on('stopped', () => this.#unregister());
    client.handlers.onRequest('workspace/codeLens/refresh', () => this.#codeLensesChanged.fire());
    client.handlers.onRequest('workspace/inlayHint/refresh', () => this.#inlayHintsChanged.fire());
    client.handlers.onNotification('textDocument/publishDiagnostics', params => {
      const items = params.diagnostics.map(item => new convert.ServerDiagnostic(item));
      this.#diagnostics.set(convert.uri(params.uri), items);
    });
  }

  dispose() {
    this.#unregister();
    for (const item of [this.#codeLensesChanged, this.#inlayHintsChanged, this.#diagnostics]) {
      item.dispose();
    }
  }

  #unregister() {
    for (const registration of this.#registrations.splice(0)) registration.dispose();
    this.#diagnostics.clear();
  }

  #register(capabilities) {
    const { languages } = vscode;
    const add = registration => this.#registrations.push(registration);
    const { completionProvider, codeActionProvider, codeLensProvider, inlayHintProvider }
      = capabilities;
    if (completionProvider) {
      add(languages.registerCompletionItemProvider(SELECTOR, this.#completion(completionProvider),
        ...(completionProvider.triggerCharacters ?? [])));
    }
    if (capabilities.hoverProvider) add(languages.registerHoverProvider(SELECTOR, this.#hover()));
    if (codeLensProvider) {
      add(languages.registerCodeLensProvider(SELECTOR, this.#codeLens(codeLensProvider)));
    }
    if (inlayHintProvider) {
      add(languages.registerInlayHintsProvider(SELECTOR, this.#inlayHints(inlayHintProvider)));
    }
    if (codeActionProvider) {
      const kinds = codeActionProvider.codeActionKinds?.map(
        kind => vscode.CodeActionKind.Empty.append(kind));
      add(languages.registerCodeActionsProvider(ACTION_SELECTOR,
        this.#codeActions(codeActionProvider),
        kinds && { providedCodeActionKinds: kinds }));
    }
    if (capabilities.documentSymbolProvider) {
      add(languages.registerDocumentSymbolProvider(SELECTOR, this.#documentSymbols()));
    }
  }

  /** Asks; an answer that can't be had shows nothing to the user, only to the log. */
  async #ask(method, params, token) {
    try {
      return await this.#client.request(method, params, token);
    } catch (error) {
      const isExpected = error instanceof ConnectionClosed
        || (error instanceof ResponseError && QUIET_CODES.has(error.code));
      if (!isExpected) this.#log.warn(`${method}: ${error.message}`);
      return null;
    }
  }

  #completion({ resolveProvider }) {
    return {
      provideCompletionItems: async (document, position, token, context) => completionList(
        await this.#ask('textDocument/completion', {
          textDocument: convert.identifier(document),
          position: convert.fromPosition(position),
          context: {
            triggerKind: context.triggerKind + 1,
            triggerCharacter: context.triggerCharacter,
          },
        }, token)),
      resolveCompletionItem: resolveProvider && (async (item, token) => {
        const value = await this.#ask('completionItem/resolve', item.original, token);
        return value ? applyResolved(item, value) : item;
      }),
    };
  }

  #hover() {
    return {
      provideHover: async (document, position, token) => {
        const result = await this.#ask('textDocument/hover', {
          textDocument: convert.identifier(document),
          position: convert.fromPosition(position),
        }, token);
        if (!result) return undefined;
        const contents = [].concat(result.contents).map(convert.markdown).filter(Boolean);
        return new vscode.Hover(contents, result.range && convert.range(result.range));
      },
    };
  }

  #codeLens({ resolveProvider }) {
    return {
      onDidChangeCodeLenses: this.#codeLensesChanged.event,
      provideCodeLenses: async (document, token) => {
        const textDocument = convert.identifier(document);
        const lenses = await this.#ask('textDocument/codeLens', { textDocument }, token);
        return lenses?.map(convert.codeLens);
      },
      resolveCodeLens: resolveProvider && (async (lens, token) => {
        const value = await this.#ask('codeLens/resolve', lens.original, token);
        // VS Code draws a lens without a command as an error; an empty title draws nothing.
        lens.command = convert.command(value?.command) ?? { title: '', command: '' };
        return lens;
      }),
    };
  }

  #inlayHints({ resolveProvider }) {
    return {
      onDidChangeInlayHints: this.#inlayHintsChanged.event,
      provideInlayHints: async (document, range, token) => {
        const hints = await this.#ask('textDocument/inlayHint', {
          textDocument: convert.identifier(document),
          range: convert.fromRange(range),
        }, token);
        return hints?.map(convert.inlayHint);
      },
      resolveInlayHint: resolveProvider && (async (hint, token) => {
        const value = hint.original?.data
          && await this.#ask('inlayHint/resolve', hint.original, token);
        if (value) hint.tooltip = convert.documentation(value.tooltip);
        return hint;
      }),
    };
  }

  #codeActions({ resolveProvider }) {
    return {
      provideCodeActions: async (document, range, context, token) => {
        const actions = await this.#ask('textDocument/codeAction', {
          textDocument: convert.identifier(document),
          range: convert.fromRange(range),
          context: {
            diagnostics: context.diagnostics.filter(
              item => item instanceof convert.ServerDiagnostic).map(item => item.original),
            only: context.only && [context.only.value],
            triggerKind: context.triggerKind,
          },
        }, token);
        return actions?.map(convert.codeAction);
      },
      resolveCodeAction: resolveProvider && (async (action, token) => {
        const value = action.original?.data
          && await this.#ask('codeAction/resolve', action.original, token);
        if (value?.edit) action.edit = convert.workspaceEdit(value.edit);
        return action;
      }),
    };
  }

  #documentSymbols() {
    return {
      provideDocumentSymbols: async (document, token) => {
        const textDocument = convert.identifier(document);
        const symbols = await this.#ask('textDocument/documentSymbol', { textDocument }, token);
        return symbols?.map(convert.documentSymbol);
      },
    };
  }
}

module.exports = { ACTION_SELECTOR, Features, SELECTOR };

"""The clients that pytest-lsp imitates: a session with the abilities of each."""

import asyncio
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import client_capabilities, make_test_lsp_client
from rawclient import binary

PROFILES = [
    "emacs@v29.1",
    "neovim@v0.6.1",
    "neovim@v0.7.0",
    "neovim@v0.8.0",
    "neovim@v0.9.1",
    "neovim@v0.10.0",
    "neovim@v0.11.0",
    "visual_studio_code@v1.65.2",
]


def test_every_bundled_profile_is_tried():
    files = (Path(pytest_lsp.__file__).parent / "clients").glob("*.json")
    assert sorted(PROFILES) == sorted("@v".join(file.stem.rsplit("_v", 1)) for file in files)


async def check_fixes(client, folder, capabilities):
    """Asks for the fixes of a mistake, and for the edit of the first, as the client takes it."""
    uri = (folder / "b.http").as_uri()
    text = "@user = ann\n\nGET http://127.0.0.1:1/{{usre}}\n"
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "http", 1, text))
    )
    place = types.Position(2, 26)
    found = await client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(uri), types.Range(place, place),
            types.CodeActionContext(diagnostics=[], only=[types.CodeActionKind.QuickFix]),
        )
    )
    action = found[0]
    assert (action.title, action.kind) == ("Write `{{user}}`", "quickfix")
    assert action.is_preferred and action.diagnostics[0].code == "unresolved-variable"
    ability = capabilities.text_document.code_action
    lazy = ability.resolve_support and "edit" in ability.resolve_support.properties
    if lazy and ability.data_support:
        assert action.edit is None
        action = await client.code_action_resolve_async(action)
    edit = action.edit
    workspace = capabilities.workspace and capabilities.workspace.workspace_edit
    if workspace and (workspace.document_changes or workspace.resource_operations):
        (change,) = edit.document_changes
        assert change.text_document.version == 1
        edits = change.edits
    else:
        edits = edit.changes[uri]
    assert [edit.new_text for edit in edits] == ["user"]


@pytest.mark.asyncio
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("profile", PROFILES)
async def test_a_session(profile, store, folder, target, monkeypatch):
    monkeypatch.setenv("POSTKIT_HOME", str(store))
    path = folder / "a.http"
    path.write_text(f"### first\nGET {target.url}/a?x=😀\nAccept: */*\n")
    uri = path.as_uri()
    client = make_test_lsp_client()
    capabilities = client_capabilities(profile)
    async with asyncio.timeout(60):
        await client.start_io(binary(), "lsp")
        result = await client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities, root_uri=folder.as_uri(),
                client_info=types.ClientInfo(name=profile.partition("@")[0]))
        )
        offered = capabilities.general and capabilities.general.position_encodings or []
        expected = "utf-8" if "utf-8" in offered else offered[0] if offered else "utf-16"
        assert result.capabilities.position_encoding == expected
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                types.TextDocumentItem(uri, "http", 1, path.read_text())
            )
        )
        document = types.TextDocumentIdentifier(uri)
        completion = await client.text_document_completion_async(
            types.CompletionParams(document, types.Position(2, 2))
        )
        (accept,) = [item for item in completion.items if item.label == "Accept"]
        assert (await client.completion_item_resolve_async(accept)).label == "Accept"
        hover = await client.text_document_hover_async(
            types.HoverParams(document, types.Position(1, 1))
        )
        assert "GET" in hover.contents.value
        symbols = await client.text_document_document_symbol_async(
            types.DocumentSymbolParams(document)
        )
        assert symbols[0].name == "first"
        shown = capabilities.text_document.semantic_tokens
        if shown:
            legend = result.capabilities.semantic_tokens_provider.legend
            assert set(legend.token_types) <= set(shown.token_types)
            assert set(legend.token_modifiers) - set(shown.token_modifiers) == {
                "unresolved", "secret",
            }
            tokens = await client.text_document_semantic_tokens_full_async(
                types.SemanticTokensParams(document)
            )
            # The first line is a separator and its title.
            comment = legend.token_types.index("comment")
            assert list(tokens.data[:8]) == [0, 0, 3, comment, 0, 0, 4, 5]
        else:
            assert result.capabilities.semantic_tokens_provider is None
        folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert [(fold.start_line, fold.end_line) for fold in folds] == [(0, 2)]
        links = await client.text_document_document_link_async(types.DocumentLinkParams(document))
        assert links[0].range.start.line == 1
        link = await client.document_link_resolve_async(links[0])
        assert link.target == f"{target.url}/a?x=%F0%9F%98%80"
        chains = await client.text_document_selection_range_async(
            types.SelectionRangeParams(document, [types.Position(1, 1)])
        )
        assert chains[0].range.end.character == 3
        if capabilities.text_document.diagnostic:
            report = await client.text_document_diagnostic_async(
                types.DocumentDiagnosticParams(document)
            )
            assert not report.items
        else:
            if uri not in client.diagnostics:
                await client.wait_for_notification("textDocument/publishDiagnostics")
            assert not client.diagnostics[uri]
        here = types.Range(types.Position(1, 0), types.Position(1, 0))
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(document, here, types.CodeActionContext(diagnostics=[]))
        )
        assert actions[0].title == "Send `first`"
        await check_fixes(client, folder, capabilities)
        # lsprotocol turns the command of a code action into a text, so the argument is made here.
        argument = {"uri": uri, "position": {"line": 1, "character": 0}}
        answer = await client.workspace_execute_command_async(
            types.ExecuteCommandParams("postkit.send", [argument])
        )
        answer = answer if isinstance(answer, dict) else vars(answer)
        assert answer["status"] == 200
        assert target.seen[0][1] == "/a?x=%F0%9F%98%80"
        shows = capabilities.window and capabilities.window.show_document
        if shows and shows.support:
            assert [shown.uri for shown in client.shown_documents] == [answer["uri"]]
        hints = await client.text_document_inlay_hint_async(
            types.InlayHintParams(document, types.Range(types.Position(0, 0), types.Position(9, 0)))
        )
        assert "200 OK" in hints[0].label[0].value
        await client.shutdown_session()
        await client.stop()

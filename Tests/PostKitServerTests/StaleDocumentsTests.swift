// Whose diagnostics are made again when something has changed.

import PostKitStore
import PostKitSyntax
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct StaleDocumentsTests {
  /// A few documents of a session, by their paths.
  private static let texts = [
    "/p/login.http": "# @name login\nPOST http://a.test/\n",
    "/p/plain.http": "GET http://a.test/{{host}}\n",
    "/p/reads.http": "# @name own\nGET http://a.test/{{own.response.body.$.id}}\n",
    "/p/checks.http": "GET http://a.test/\n\n?? status == 200\n",
    "/p/uses.http": "import ./login.http\n\n###\nGET /{{login.response.body.$.id}}\n",
    "/p/names.http": "import ./login.http\n\n###\nGET /{{loginResponse.body.$.id}}\n",
    "/p/imports.http": "import ./login.http\n\n###\nGET http://a.test/\n",
  ]

  /// The names of the documents that changes concern.
  private func concerned(_ changes: Change...) -> [String] {
    var stale = StaleDocuments()
    for change in changes { stale.add(change) }
    return Self.texts.filter { path, text in
      stale.concerns(DocumentURI(path: path), ParsedDocument(bytes: Array(text.utf8)))
    }.keys.map { String($0.dropFirst(3).dropLast(5)) }.sorted()
  }

  @Test func `Where anything may have changed every document is concerned`() {
    #expect(concerned(.everything).count == Self.texts.count)
    #expect(concerned(.lines, .everything).count == Self.texts.count)
  }

  @Test func `What is drawn at lines concerns no diagnostics`() {
    #expect(concerned() == [])
    #expect(concerned(.lines) == [])
  }

  @Test func `A send concerns its own document and those that read its response`() {
    #expect(concerned(.sent(["/p/login.http": ["login", ""]])) == ["login", "names", "uses"])
    #expect(concerned(.sent(["/p/plain.http": [""]])) == ["plain"])
    #expect(
      concerned(.sent(["/p/plain.http": [""]]), .sent(["/p/login.http": ["login"]]))
        == ["login", "names", "plain", "uses"])
  }

  @Test func `The history of others concerns documents that read any of it`() {
    #expect(concerned(.history) == ["checks", "names", "reads", "uses"])
  }

  @Test(arguments: [
    ([.history], false, .history), ([.history], true, .lines), ([.cookies], false, .lines),
    ([.history, .cookies], false, .history), ([.session], true, .everything),
    ([.history, .collections], true, .everything),
  ] as [(Set<StoreScope>, Bool, Change)])
  func `A change of the store means`(scopes: Set<StoreScope>, isOwn: Bool, change: Change) {
    #expect(Change(scopes, isOwnRecording: isOwn) == change)
  }
}

// Spellings of URIs that mean the same document, and those that don't.

import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct DocumentURITests {
  @Test(arguments: [
    ("file:///a/b.http", "file:///a/b.http"), ("file:///a%20b.http", "file:///a b.http"),
    ("file:///c%3A/x.http", "file:///C:/x.http"), ("FILE:///a", "file:///a"),
    ("file:///%C3%A9", "file:///é"), ("file://localhost/a", "file:///a"),
    ("file:///a%2fb", "file:///a%2Fb"), ("file:/a/b", "file:///a/b"),
    ("untitled:Untitled-1", "Untitled:Untitled-1"),
    ("vscode-notebook-cell:/a%23b", "vscode-notebook-cell:/a#b"),
  ])
  func `spellings of one document are equal`(left: String, right: String) {
    #expect(DocumentURI(left) == DocumentURI(right))
    #expect(Set([DocumentURI(left), DocumentURI(right)]).count == 1)
    #expect(DocumentURI(left).spelling == left)
  }

  @Test(arguments: [
    ("file:///a/b", "file:///a/B"), ("file:///a", "untitled:/a"), ("file://host/a", "file:///a"),
    ("file:///a%", "file:///a"),
  ])
  func `different documents stay apart`(left: String, right: String) {
    #expect(DocumentURI(left) != DocumentURI(right))
  }

  @Test(arguments: [
    ("file:///a%20b/%C3%A9.http", "/a b/é.http"), ("file:///a?x#y", "/a"), ("file:///", "/"),
    ("untitled:Untitled-1", nil), ("", nil), ("no scheme", nil), ("%", nil),
  ] as [(String, String?)])
  func `only file URIs have a path`(uri: String, path: String?) {
    #expect(DocumentURI(uri).path == path)
  }

  @Test(arguments: ["/a b/é%.http", "/", "/x/[1]{2}#?.http", "/c:/x"])
  func `a path becomes a URI and back`(path: String) {
    let uri = DocumentURI(path: path)
    #expect(uri.path == path)
    #expect(uri.spelling.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 })
  }
}

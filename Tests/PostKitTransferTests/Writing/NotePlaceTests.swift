// Where notes are: the place of what they are about, and the request's file and line.

import Testing

@testable import PostKitTransfer

@Suite struct NotePlaceTests {
  @Test func `a note of an auth has its place and the line of the request`() throws {
    let text = """
      {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
      "item": [{"name": "A", "request": {"url": "http://h/a"}},
      {"name": "Folder", "auth": {"type": "oauth1", "oauth1": []}, "item": [
        {"name": "B", "request": {"url": "http://h/b"}},
        {"name": "C", "odd": 1, "request": {"url": "http://h/c", "odd": 2,
          "auth": {"type": "hawk", "hawk": []}}}]}]}
      """
    let notes = ImportNotes()
    let context = OriginContext(notes: notes, file: { _ in .missing })
    let source = OriginSource(name: "shop.json", bytes: Array(text.utf8))
    let collection = try PostmanImporter.read([source], context)
    let folder = FolderWriter.write(
      collection, options: WritingOptions(), notes: notes, file: { _ in .missing })
    func line(_ title: String) -> String {
      let lines = folder.files[1].text.split(separator: "\n", omittingEmptySubsequences: false)
      return "Folder.http:\((lines.firstIndex(of: "### \(title)") ?? -1) + 1)"
    }
    let told = notes.notes.map {
      "\($0.code.rawValue) \($0.place) \($0.file ?? ""):\($0.line ?? 0)"
    }
    #expect(
      told.sorted() == [
        "auth-unsupported /item/1/auth :0",
        "auth-unsupported /item/1/item/1/request/auth \(line("C"))",
        "member-unknown /item/1/item/1/odd \(line("C"))",
        "member-unknown /item/1/item/1/request/odd \(line("C"))",
      ])
  }

  @Test func `a note of a text without a tree has the request that begins above it`() throws {
    let text = "GET http://h/a\n\nGET http://h/b\n[Options]\noutput: x\nverbose: true\n"
    let notes = ImportNotes()
    let context = OriginContext(notes: notes, file: { _ in .missing })
    let source = OriginSource(name: "a:1.hurl", bytes: Array(text.utf8))
    let collection = try HurlImporter.read([source], context)
    let folder = FolderWriter.write(
      collection, options: WritingOptions(), notes: notes, file: { _ in .missing })
    let lines = folder.files[0].text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(notes.notes.map(\.place) == ["a:1.hurl:5"])
    #expect(notes.notes.map(\.file) == [folder.files[0].path])
    #expect(notes.notes[0].line == (lines.firstIndex(of: "### GET /b") ?? -1) + 1)
  }

  @Test func `notes of the written request have the place of what they are about`() throws {
    let text = PostmanSample.collection(
      PostmanSample.item(
        #"""
        "url": {"host": "h", "auth": {"user": "u", "password": "p"}}, "method": "POST",
        "header": [{"key": "X", "value": "a\r\nB: c"}, {"key": "V", "value": "{{vault:v}}"}],
        "body": {"mode": "file", "file": {"src": null}}
        """#))
    let sample = try OriginSample(PostmanImporter.self, text)
    let written = Written(sample.collection)
    #expect(
      written.notes.map { "\($0.code.rawValue) \($0.place)" }.sorted() == [
        "file-missing /item/0/request/body", "item-malformed /item/0/request/header",
        "secret-empty /item/0/request/header/1", "secret-moved /item/0/request/url/auth",
      ])
  }

  @Test func `a request without a name is told by its method and path`() {
    let request = WrittenSample.request("", "http://h/users?x=1") {
      $0.headers = [WrittenSample.pair("X", "a\nb")]
    }
    let written = Written(WrittenSample.collection([], [WrittenSample.folder("F", [request])]))
    #expect(written.notes.map(\.origin) == ["F / GET /users"])
  }
}

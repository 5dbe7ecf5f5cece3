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
}

// What files of a collection's folder are called, and what their names are taken for.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct RequestFolderNameTests {
  private func files(_ archive: [String: String]) -> [TransferFile] {
    archive.map { TransferFile(path: $0.key, bytes: Array($0.value.utf8)) }
  }

  @Test func `files whose names differ behind a dot become different folders`() {
    let text = "### a\nGET /\n\n### b\nGET /\n"
    let result = RequestFolderReader().read(
      files(["users.v1.http": text, "users.v2.REST": text, ".http": text]), name: "x")
    #expect(result.collection.folders.map(\.name) == [".http", "users.v1", "users.v2"])
    let found = FolderFiles.Contents(files: files(["users.v1.http": text]), isOneFile: true)
    #expect(RequestFolderReader().read(found, at: "/x/users.v1.http").collection.name == "users.v1")
  }

  @Test func `names that differ only in case are different requests`() {
    let result = RequestFolderReader().read(
      files(["a.http": "GET /1", "A.http": "GET /2", "B/x.http": "GET /3", "b/x.http": "GET /4"]),
      name: "x")
    #expect(result.collection.requests.map(\.source) == ["GET /2", "GET /1"])
    #expect(result.collection.folders.map(\.name) == ["B", "b"])
    let paths = RequestFolderWriter.files(of: result.collection).files.map(\.path)
    #expect(Set(paths.map { $0.lowercased() }).count == paths.count)
    #expect(paths.contains("B/GET -3.http") && paths.contains("b 2/GET -4.http"))
  }

  @Test func `names that no system allows become names that all do`() {
    var names = PortableFileNames(taken: ["x.http"])
    let titles = ["x", "X", "a/b", "../..", "", "CON", "nul.txt", "…", "a\u{0}b", " x. "]
    #expect(
      titles.map { names.name(for: $0, extension: ".http", fallback: "request") } == [
        "x 2.http", "X 3.http", "a-b.http", "request.http", "request 2.http", "request-CON.http",
        "request-nul.txt.http", "request 3.http", "a-b 2.http", "x 4.http",
      ])
    #expect(RequestFolderReader().recognises(files(["a/b.HTTP": ""])))
    #expect(!RequestFolderReader().recognises(files(["a.har": ""])))
  }
}

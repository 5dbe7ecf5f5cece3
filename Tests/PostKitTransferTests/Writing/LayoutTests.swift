// Which request lies in which file, and what files are called.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct LayoutTests {
  private typealias Sample = WrittenSample

  private let shop = Sample.collection(
    [Sample.request("Root")],
    [
      Sample.folder(
        "Users", [Sample.request("Get"), Sample.request("Put")],
        [Sample.folder("Admin", [Sample.request("Ban")])]),
      Sample.folder("Empty"),
      Sample.folder("Carts", [Sample.request("Get")]),
    ])

  private func written(_ layout: WritingLayout) -> Written {
    var options = WritingOptions()
    options.layout = layout
    return Written(shop, options)
  }

  @Test func `requests of a folder are one file, and its folders lie in a directory`() {
    let written = written(.folder)
    #expect(written.paths == ["Shop.http", "Users.http", "Users/Admin.http", "Carts.http"])
    #expect(written.text("Users.http").hasPrefix("### Get\nGET http://a.test/x\n\n### Put\n"))
    expect(
      written.attachment("postkit-folder.json") ?? "",
      is: """
        {
          "folders": [
            "Shop.http",
            "Users",
            "Users.http",
            "Carts.http"
          ]
        }

        """)
    // A folder without requests has no file.
    #expect(written.notes.map(\.origin) == ["Empty"])
  }

  @Test func `a written folder is read as the folders of the origin, in their order`() {
    let files = written(.folder)
    let all = files.folder.attachments
      + files.folder.files.map { TransferFile(path: $0.path, bytes: Array($0.text.utf8)) }
    let read = RequestFolderReader().read(all, name: "Shop").collection
    #expect(read.folders.map(\.name) == ["Shop", "Users", "Carts"] && read.requests.isEmpty)
    // A file of one request is that request.
    #expect(read.folders[1].requests.count == 3 && read.folders[1].folders.isEmpty)
  }

  @Test func `order needs no file where names have it`() {
    let sorted = Sample.collection(
      [], [Sample.folder("A", [Sample.request("x")]), Sample.folder("B", [Sample.request("y")])])
    #expect(Written(sorted).folder.attachments.isEmpty)
  }

  @Test func `each request is a file in its folder`() {
    let written = written(.request)
    #expect(
      written.paths == [
        "Root.http", "Users/Get.http", "Users/Put.http", "Users/Admin/Ban.http", "Carts/Get.http",
      ])
    expect(
      written.attachment("postkit-folder.json") ?? "",
      is: """
        {
          "folders": [
            "Users",
            "Carts"
          ],
          "requests": [
            "Root.http"
          ]
        }

        """)
  }

  @Test func `all requests are one file`() {
    var options = WritingOptions()
    options.layout = .file
    options.name = "All of it"
    let written = Written(shop, options)
    #expect(written.paths == ["All of it.http"])
    #expect(
      written.folder.files[0].blocks.map(\.title) == ["Root", "Get", "Put", "Ban", "Get 2"])
    #expect(written.codes == [.itemMalformed, .duplicateTitle])
    #expect(written.notes[1].origin == "Carts / Get")
  }

  @Test func `names are such as every system can have`() {
    let names = [
      "CON", "con", "../../etc", "a/b\\c", "\u{0}\n\u{1b}[31m", "Shop", "shop.http", "scripts",
      "bodies", "users", "Users", "…", "postkit-import.json",
    ]
    let folders = names.map { Sample.folder($0, [Sample.request("r")]) }
    let written = Written(Sample.collection([Sample.request("Root")], folders))
    #expect(Set(written.paths.map { $0.lowercased() }).count == names.count + 1)
    for path in written.paths {
      #expect(!path.contains("/") && !path.hasPrefix(".") && path.hasSuffix(".http"))
      #expect(!path.utf8.contains { $0 < 32 })
    }
    #expect(written.paths.prefix(3) == ["Shop.http", "folder-CON.http", "folder-con 2.http"])
  }

  @Test func `what lies deeper than directories may is joined into the last`() {
    var folder = Sample.folder("f40", [Sample.request("deep")])
    for level in (1..<40).reversed() { folder = Sample.folder("f\(level)", [], [folder]) }
    let written = Written(Sample.collection([], [folder]))
    let depth = written.paths[0].count { $0 == "/" }
    #expect(depth == 32)
    #expect(written.codes.count { $0 == .limit } == 8)
    #expect(written.paths[0].hasSuffix("f39 - f40.http"))
  }

  @Test func `long names and descriptions are cut and told`() {
    let request = Sample.request(String(repeating: "n", count: 3_000)) {
      $0.description = String(repeating: "é", count: 4_000)
    }
    let folder = Sample.folder(String(repeating: "f", count: 3_000), [request])
    let written = Written(Sample.collection([], [folder]))
    #expect(written.codes == [.limit, .limit, .descriptionCut])
    #expect(written.folder.files[0].blocks[0].title.utf8.count == 1_024)
    #expect(written.folder.files[0].blocks[0].head.utf8.count <= 4_098)
  }

  @Test func `descriptions of folders stand at the heads of their files`() {
    let collection = Sample.collection(
      [], [Sample.folder("Users", [Sample.request("Get")]) { $0.description = "All users" }]
    ) { $0.root.description = "The shop\n@import x" }
    expect(
      Written(collection).text("Users.http"),
      is: """
        # The shop
        # # @import x
        # All users

        ### Get
        GET http://a.test/x

        """)
  }

  @Test func `a request that reads one of another file imports it`() {
    let collection = Sample.collection(
      [Sample.request("Log in") { $0.referenceName = "login" }],
      [
        Sample.folder(
          "A",
          [
            Sample.request("Me") {
              $0.references = ["login"]
              $0.headers = [Sample.pair("X-T", "{{login.response.body.$.token}}")]
            }
          ])
      ])
    let text = Written(collection).text("A.http")
    #expect(text.hasPrefix("# @import ./Shop.http\n\n### Me\n# @ref login\n"))
  }

  @Test func `examples that hold requests are files of another kind`() {
    let request = Sample.request("Get") {
      $0.examples = [
        OriginExample(
          name: "bad", status: 200, body: Array("x\n\n### Evil\nDELETE http://evil.test/\n".utf8),
          place: Sample.place),
        OriginExample(name: "none", status: 0, place: Sample.place),
        OriginExample(
          name: "", status: 204, headers: [Sample.pair("Content-Length", "0")],
          place: Sample.place),
      ]
    }
    let written = Written(Sample.collection([request]))
    #expect(
      written.folder.attachments.map(\.path) == [
        "examples/Get.bad.200.response", "examples/Get.3.204.http",
      ])
    #expect(written.attachment("examples/Get.3.204.http") == "HTTP/1.1 204 No Content\n")
    #expect(written.codes == [.itemMalformed])
    var options = WritingOptions()
    options.writesExamples = false
    #expect(Written(Sample.collection([request]), options).folder.attachments.isEmpty)
  }

  @Test func `the same collection gives the same folder`() {
    #expect(written(.folder).folder == written(.folder).folder)
    #expect(written(.request).folder == written(.request).folder)
  }

  @Test func `an order that names have by themselves is not written`() {
    let folders = ["A", "B"].map { Sample.folder($0, [Sample.request("Get")]) }
    // The file of the root has no place between folders.
    let written = Written(Sample.collection([Sample.request("Root")], folders))
    #expect(written.paths == ["Shop.http", "A.http", "B.http"])
    #expect(written.folder.attachments.isEmpty)
  }
}

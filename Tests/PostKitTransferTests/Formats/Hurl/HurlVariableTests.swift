// What an entry of Hurl sets or captures holds for all entries behind it.

import Testing

@testable import PostKitTransfer

@Suite struct HurlVariableTests {
  private func written(
    _ text: String, layout: WritingLayout = .folder, vars: String? = nil
  ) throws -> Written {
    let read =
      if let vars {
        try ImportedText.read(HurlImporter.self, ("c.hurl", text), ("vars", vars))
      } else {
        try ImportedText.read(HurlImporter.self, ("c.hurl", text))
      }
    var options = WritingOptions()
    options.layout = layout
    return Written(read.collection, options)
  }

  /// The definitions of a file, in order, and the names that its targets use.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("@") || $0.hasPrefix("GET") || $0.hasPrefix("# @import")
    }
  }

  private let chain = """
    GET http://h/1
    HTTP 200
    [Captures]
    token: jsonpath "$.token"
    GET http://h/2
    GET http://h/3/{{token}}
    GET http://h/4/{{token}}
    """

  @Test func `a capture holds for all later entries`() throws {
    #expect(
      lines(try written(chain).text("c.http")) == [
        "GET http://h/1", "@token = {{e1.response.body.$.token}}", "GET http://h/2",
        "GET http://h/3/{{token}}", "GET http://h/4/{{token}}",
      ])
  }

  @Test func `each file defines the captures that its entries use`() throws {
    let written = try written(chain, layout: .request)
    #expect(written.paths == ["GET -1.http", "GET -2.http", "GET -3-token.http", "GET -4-token.http"])
    #expect(
      lines(written.text("GET -4-token.http")) == [
        "# @import ./GET -1.http", "@token = {{e1.response.body.$.token}}",
        "GET http://h/4/{{token}}",
      ])
  }

  @Test func `a name that is captured again means the later answer from there on`() throws {
    let written = try written(
      """
      GET http://h/1
      HTTP 200
      [Captures]
      a: header "X-A"
      GET http://h/2/{{a}}
      GET http://h/3/{{a}}
      HTTP 200
      [Captures]
      a: header "X-B"
      GET http://h/4/{{a}}
      GET http://h/5/{{a}}
      """)
    #expect(
      lines(written.text("c.http")) == [
        "GET http://h/1", "@a = {{e1.response.headers.X-A}}", "GET http://h/2/{{a}}",
        "GET http://h/3/{{a}}", "@a = {{e3.response.headers.X-B}}", "GET http://h/4/{{a}}",
        "GET http://h/5/{{a}}",
      ])
  }

  @Test func `an entry before the capture keeps the variable of a file`() throws {
    let written = try written(
      """
      GET http://h/1/{{a}}
      HTTP 200
      [Captures]
      a: header "X-A"
      GET http://h/2
      GET http://h/3/{{a}}
      """, vars: "a=7")
    #expect(
      lines(written.text("c.http")) == [
        "GET http://h/1/{{a}}", "@get_2_a = {{e1.response.headers.X-A}}", "GET http://h/2",
        "GET http://h/3/{{get_2_a}}",
      ])
    #expect(written.wires("c.http", environment: "vars")[0].url == "http://h/1/7")
  }

  @Test func `variables of options hold for later entries, also where they are secrets`() throws {
    let written = try written(
      """
      GET http://h/1
      [Options]
      variable: a=1
      variable: password=hunter22
      GET http://h/2/{{a}}
      GET http://h/3/{{a}}/{{password}}
      GET http://h/4/{{a}}/{{password}}
      [Options]
      variable: a=2
      GET http://h/5/{{a}}
      """)
    #expect(
      written.wires("c.http").map(\.url) == [
        "http://h/1", "http://h/2/1", "http://h/3/1/hunter22", "http://h/4/2/hunter22",
        "http://h/5/2",
      ])
    #expect(!written.text("c.http").contains("hunter22"))
    #expect(written.folder.environments.flatMap(\.secrets).map(\.name) == ["password"])
  }

  @Test func `a handler that captures ends what was captured before`() throws {
    let written = try written(
      """
      GET http://h/1
      HTTP 200
      [Captures]
      a: header "X-A"
      GET http://h/2/{{a}}
      HTTP 200
      [Captures]
      a: header "X-B" regex "(.*)"
      GET http://h/3/{{a}}
      """)
    #expect(
      lines(written.text("c.http")) == [
        "GET http://h/1", "@get_2_a_a = {{e1.response.headers.X-A}}",
        "GET http://h/2/{{get_2_a_a}}",
        "GET http://h/3/{{a}}",
      ])
    // Hurl has no scripts that somebody could miss.
    #expect(written.notes.isEmpty)
  }

  @Test func `two files keep their captures, secrets and ids apart in one`() throws {
    let text = """
      GET http://h/1
      X-Token: {TOKEN}
      HTTP 200
      [Captures]
      a: header "X-A"
      GET http://h/2/{{a}}
      """
    let read = try ImportedText.read(
      HurlImporter.self, ("a.hurl", text.replacing("{TOKEN}", with: "s-1")),
      ("b.hurl", text.replacing("{TOKEN}", with: "s-2")))
    #expect(Set(read.requests.map(\.id)).count == 4)
    #expect(read.collection.shared.map { $0.value?.text } == ["s-1", "s-2"])
    #expect(Set(read.collection.shared.map(\.name)).count == 2)
    var options = WritingOptions()
    options.layout = .file
    options.name = "all"
    let written = Written(read.collection, options)
    let lines = written.text("all.http").split(separator: "\n").filter {
      $0.hasPrefix("# @name") || $0.hasPrefix("# @ref") || $0.hasPrefix("@")
    }
    #expect(
      lines == [
        "# @name e1", "# @ref e1", "@a = {{e1.response.headers.X-A}}", "# @name e1_2",
        "# @ref e1_2", "@a = {{e1_2.response.headers.X-A}}",
      ])
  }
}

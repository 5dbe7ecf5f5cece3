// What a description offers beside what is taken: other schemes, flows, answers and names.

import Testing

@testable import PostKitTransfer

@Suite struct OpenAPIAlternativeTests {
  @Test func `schemes of an operation give it its own server`() throws {
    let paths = """
      "/a":{"get":{"schemes":["http"]}},"/b":{"get":{"schemes":["http","https"]}},"/c":{"get":{}}
      """
    let result = try OpenAPISource(
      version: #""swagger":"2.0""#, root: #""host":"h","basePath":"/v1","schemes":["https"]"#,
      paths: paths
    ).read()
    #expect(
      result.requests["GET /a"]?.variables.map { $0.value?.text } == ["http://h/v1"])
    #expect(result.requests["GET /b"]?.variables == [])
    #expect(result.requests["GET /c"]?.variables == [])
    #expect(result.notes.isEmpty)
    let hostless = try OpenAPISource(
      version: #""swagger":"2.0""#, root: #""basePath":"/v1""#, paths: paths
    ).read()
    #expect(hostless.notes.contains("server-missing /paths/~1a/get/schemes"))
  }

  @Test func `a server without a scheme is asked by https`() throws {
    let source = OpenAPISource(root: #""servers":[{"url":"//h/v1/"}]"#)
    let result = try source.read()
    #expect(result.shared == ["baseUrl=https://h/v1"])
    #expect(result.notes == ["server-missing /servers/0"] && !result.noted[0].isWarning)
    var based = source
    based.options.baseURL = "http://b"
    #expect(try based.read().shared == ["baseUrl=http://h/v1"])
  }

  @Test func `other flows and the place for new tokens are told`() throws {
    let result = try OpenAPISource(
      root: #""servers":[{"url":"http://h"}],"security":[{"o":[]}]"#,
      paths: #""/a":{"get":{}},"/b":{"get":{}}"#,
      components: """
        "securitySchemes":{"o":{"type":"oauth2","flows":{
        "implicit":{"authorizationUrl":"http://h/a","scopes":{}},
        "clientCredentials":{"tokenUrl":"http://h/t","refreshUrl":"http://h/r","scopes":{}}}}}
        """
    ).read()
    let place = "/components/securitySchemes/o/flows"
    #expect(
      result.notes == [
        "auth-partial \(place)", "auth-partial \(place)/clientCredentials/refreshUrl",
      ])
    #expect(result.noted.map(\.isWarning) == [false, true])
  }

  @Test func `a way with OpenID Connect that is not taken has its URL`() throws {
    let result = try OpenAPISource(
      root: #""servers":[{"url":"http://h"}],"security":[{"b":[]},{"c":[]}]"#,
      paths: #""/a":{"get":{}}"#,
      components: """
        "securitySchemes":{"b":{"type":"http","scheme":"bearer"},
        "c":{"type":"openIdConnect","openIdConnectUrl":"https://e.com/o"}}
        """
    ).read()
    #expect(
      result.requests["GET /a"]?.comments
        == ["or with: c", "auth c: OpenID Connect, https://e.com/o"])
  }

  @Test func `examples of ranges and of other answers have a status`() throws {
    func statuses(_ words: String...) throws -> [Int]? {
      let answers = words.map {
        #""\#($0)":{"description":"d","content":{"text/plain":{"example":"e"}}}"#
      }
      let result = try OpenAPISource(
        paths: #""/a":{"get":{"responses":{\#(answers.joined(separator: ","))}}}"#
      ).read()
      return result.requests["GET /a"]?.examples.map(\.status)
    }
    #expect(try statuses("2XX", "4xx", "default") == [200, 400, 500])
    #expect(try statuses("200", "500", "default") == [200, 500, 400])
    #expect(try statuses("404", "default") == [404, 200])
    #expect(try statuses("999", "x") == [])
  }

  @Test func `a name that others refer to is given once in a file`() throws {
    let result = try OpenAPISource(
      paths: #""/a":{"get":{"operationId":"get x"},"put":{"operationId":"get-x"}}"#
    ).read()
    let text = Written(result.collection).text("a.http")
    #expect(text.contains("# @name get_x\n") && text.contains("# @name get_x_2\n"))
  }
}

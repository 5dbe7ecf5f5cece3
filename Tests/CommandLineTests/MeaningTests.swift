// One small file for each rule of what a request means, run by the real program: variables, chains,
// credentials, durations, loops, assertions and saved answers.

import Foundation
import PostKitHTTP
import PostKitTestSupport
import Testing

@Suite struct MeaningTests {
  @Test func `definitions use each other`() async throws {
    let bench = try Bench(["a.http": "@a = 7\n@b = {{a}}/pages\nGET $URL/{{b}}\n"])
    #expect(try await bench.reading().sent == "GET /7/pages")
  }

  @Test func `each use makes a new value, a definition keeps one`() async throws {
    let file = """
      @kept = {{$guid}}
      POST $URL/

      {{$guid}} {{$guid}} {{kept}} {{kept}}

      """
    let bench = try Bench(["a.http": file])
    _ = try await bench.reading()
    let body = String(decoding: try #require(bench.server.requests.first).body, as: UTF8.self)
    let words = body.split(separator: " ")
    #expect(words.count == 4)
    #expect(words.allSatisfy { UUID(uuidString: String($0)) != nil })
    #expect(Set(words[0...2]).count == 3)
    #expect(words[2] == words[3])
  }

  @Test(
    "the values of a credential don't move the place where it is parted",
    arguments: ["Basic ann {{pw}}", "Basic ann:{{pw}}"])
  func credential(_ text: String) async throws {
    let file = "@pw = salt:sea wind\nGET $URL/\nAuthorization: \(text)\n"
    let bench = try Bench(["a.http": file])
    _ = try await bench.reading()
    let wanted = "Basic " + Base64.encode(Array("ann:salt:sea wind".utf8))
    #expect(bench.server.requests.first?.values("Authorization") == [wanted])
  }

  @Test func `a request that an answer is taken from is sent first`() async throws {
    let file = """
      ### login
      GET $URL/login

      ### me
      GET $URL/me
      Authorization: Bearer {{login.response.body.$.data.pass}}

      """
    let bench = try Bench(["a.http": file]) { _ in
      [.response(headers: ["Content-Type: application/json"], body: #"{"data":{"pass":"p9"}}"#)]
    }
    let result = try await bench.postkit("run", "a.http", "--name", "me")
    #expect(result.status == 0)
    #expect(bench.server.requests.map(\.target) == ["/login", "/me"])
    #expect(bench.server.requests.last?.values("Authorization") == ["Bearer p9"])
  }

  @Test func `an unknown name stops a URL and stays in a body`() async throws {
    let bench = try Bench(["a.http": "POST $URL/\nContent-Type: text/plain\n\n{{nobody}}\n"])
    expect(
      try await bench.reading().sent,
      is: """
        POST /
        Content-Type: text/plain

        {{nobody}}
        """)
    try bench.write("a.http", "GET $URL/{{nobody}}\n")
    let refused = try await bench.reading()
    #expect(refused.status == 3)
    #expect(refused.notes.contains("[unresolved-variable]"))
    #expect(bench.server.requests.count == 1)
  }

  @Test func `private values stand above public ones, the file's above the environment's`()
    async throws
  {
    let bench = try Bench([
      "a.http": "@host = f\nGET $URL/{{host}}/{{k}}\n",
      "http-client.env.json": #"{"dev": {"k": "public", "host": "e"}}"#,
      "http-client.private.env.json": #"{"dev": {"k": "private"}}"#,
    ])
    _ = try await bench.reading("--env", "dev")
    _ = try await bench.reading("--env", "dev", "--dialect", "jetbrains")
    #expect(bench.server.requests.map(\.target) == ["/f/private", "/e/private"])
    let check = try await bench.postkit("check", "a.http", "--env", "dev")
    #expect(check.output.contains("[variable-shadowed]"))
  }

  @Test func `a file is sent as it is, with an at sign its variables are filled in`() async throws {
    let bench = try Bench([
      "body.txt": "to {{name}}\r\n",
      "a.http": """
      @name = Ann
      POST $URL/

      < body.txt

      ### filled
      POST $URL/

      <@ body.txt

      """,
    ])
    _ = try await bench.reading()
    let bodies = bench.server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == ["to {{name}}\r\n", "to Ann\r\n"])
    #expect(try await bench.remarks() == ["4 file-has-variables"])
  }

  @Test func `three equals signs compare as two do`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n\n?? status === 200\n"])
    #expect(try await bench.reading().status == 0)
    try bench.write("a.http", "GET $URL/\n\n?? status === 201\n")
    #expect(try await bench.reading().status == 1)
  }

  @Test func `a saved answer writes over nothing`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n\n>> kept/r.json\n"])
    for _ in 1...2 { _ = try await bench.reading() }
    #expect(try bench.directory.read("kept/r.json") == #"{"ok":true}"#)
    #expect(try bench.directory.read("kept/r-1.json") == #"{"ok":true}"#)
  }

  @Test func `a request is run once with other values, which may hold commas`() async throws {
    let file = """
      @user = ann
      @note = none

      ### login
      POST $URL/login
      Content-Type: text/plain

      {{user}}: {{note}}

      ### other
      run #login (@user=bob, @note="a, b")

      """
    let bench = try Bench(["a.http": file])
    let result = try await bench.postkit("run", "a.http", "--line", "11")
    #expect(result.status == 0)
    #expect(bench.server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["bob: a, b"])
  }

  @Test func `dates are written in the tokens of either tool`() async throws {
    let file = """
      GET $URL/{{$datetime "dd-MM-yyyy"}}/{{$datetime "YYYY/MM/DD" -1 d}}/{{$timestamp}}

      """
    let bench = try Bench(["a.http": file])
    _ = try await bench.reading()
    let words = try #require(bench.server.requests.first).target.split(separator: "/")
    let seconds = try #require(words.last.flatMap { Double($0) })
    func date(_ seconds: Double, _ format: String) -> String {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = format
      return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }
    #expect(words[0] == date(seconds, "dd-MM-yyyy"))
    #expect(words[1...3].joined(separator: "/") == date(seconds - 86_400, "yyyy/MM/dd"))
  }

  @Test func `a loop counts from nought`() async throws {
    let bench = try Bench(["a.http": "# @loop for 3\nPOST $URL/\n\n{\"i\": {{$index}}}\n"])
    _ = try await bench.reading()
    #expect(
      bench.server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        == [#"{"i": 0}"#, #"{"i": 1}"#, #"{"i": 2}"#])
  }

  @Test func `a reference between braces is the innermost pair`() async throws {
    let bench = try Bench(["a.http": "@x = 5\nPOST $URL/\n\n{\"a\":{{x}}} {{{x}}}\n"])
    _ = try await bench.reading()
    #expect(bench.server.requests.first?.body == Array(#"{"a":5} {5}"#.utf8))
  }

  @Test func `a GRAPHQL request is a JSON body, a form that begins with query is a form`()
    async throws
  {
    let bench = try Bench([
      "find.graphql": "query Find { book { title } }\nquery Other { shelf }\n",
      "a.http": """
      GRAPHQL $URL/one

      query { book }

      { "page": 1 }

      ### form
      POST $URL/form
      Content-Type: application/x-www-form-urlencoded

      query=boats&page=2

      ### imported
      GRAPHQL $URL/two

      gql Other < ./find.graphql

      { "page": 2 }

      """,
    ])
    expect(
      try await bench.reading().sent,
      is: #"""
        POST /one
        Content-Type: application/json

        {"query":"query { book }","variables":{"page":1}}
        ----
        POST /form
        Content-Type: application/x-www-form-urlencoded

        query=boats&page=2
        ----
        POST /two
        Content-Type: application/json

        {"query":"query Find { book { title } }\nquery Other { shelf }\n","operationName":"Other","variables":{"page":2}}
        """#)
  }
}

// `postkit format`: files laid out in place, checked, or printed.

import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct FormatTests {
  static let untidy = "GET   http://a.test\nA:b\n###\nGET http://b.test"
  static let tidy = "GET http://a.test\nA: b\n\n###\nGET http://b.test\n"

  @Test func `a file is laid out in place, keeps its permissions and is named`() async throws {
    let bench = try Bench(["a.http": Self.untidy, "b.http": Self.tidy])
    let made = try await bench.shell("chmod 640 a.http && \"$POSTKIT\" format a.http b.http")
    #expect(made.status == 0)
    #expect(made.output == "a.http\n")
    #expect(try bench.directory.read("a.http") == Self.tidy)
    #expect(FileSystem.mode(bench.directory.path("a.http")) == 0o640)
    #expect(try await bench.postkit("format", "a.http").output == "")
  }

  @Test func `lines are what the project's dialect makes of them`() async throws {
    let file = "POST http://a.test\n\na\n\n??  status == 200\n"
    let bench = try Bench(["a.http": file, "postkit.json": #"{"dialect": "kulala"}"#])
    #expect(try await bench.postkit("format", "a.http", "--stdout").output == file)
    #expect(try await bench.shell("\"$POSTKIT\" format - < a.http").output == file)
    try bench.write("postkit.json", "{}")
    #expect(try await bench.postkit("format", "a.http", "--stdout").output != file)
  }

  @Test func `a link stays a link to the file that is laid out`() async throws {
    let bench = try Bench(["a.http": Self.untidy])
    let made = try await bench.shell("ln -s a.http b.http; \"$POSTKIT\" format b.http; ls -F")
    #expect(made.output.contains("b.http@"))
    #expect(try bench.directory.read("a.http") == Self.tidy)
    #expect(try FileSystem.list(bench.directory.path).count == 2)
  }

  @Test func `a check names what would change and changes nothing`() async throws {
    let bench = try Bench(["a.http": Self.untidy, "b.http": Self.tidy])
    let check = try await bench.postkit("format", "--check", "a.http", "b.http")
    #expect(check.status == 1)
    #expect(check.output == "a.http\n")
    #expect(try bench.directory.read("a.http") == Self.untidy)
    #expect(try await bench.postkit("format", "--check", "b.http").status == 0)
  }

  @Test func `standard input and one file can go to standard output`() async throws {
    let bench = try Bench(["a.http": Self.untidy])
    #expect(try await bench.postkit("format", "a.http", "--stdout").output == Self.tidy)
    #expect(try await bench.shell("\"$POSTKIT\" format - < a.http").output == Self.tidy)
    let check = try await bench.shell("\"$POSTKIT\" format - --check < a.http")
    #expect(check.status == 1)
    #expect(check.output == "standard input\n")
    #expect(try bench.directory.read("a.http") == Self.untidy)
  }

  @Test func `a block that isn't understood is left as it is, and its place told`() async throws {
    let bench = try Bench(["a.http": "###\nGET  http://a.test\n###\nGET  http://b.test\nno header\n"])
    let made = try await bench.postkit("format", "a.http")
    #expect(made.status == 0)
    #expect(made.errorOutput.hasPrefix("a.http:3: this block is unchanged"))
    #expect(
      try bench.directory.read("a.http")
        == "###\nGET http://a.test\n\n###\nGET  http://b.test\nno header\n")
  }

  @Test(
    "what can't be done is said",
    arguments: [
      (["format"], 2, "name at least one"), (["format", "none.http"], 2, "none.http"),
      (["format", "."], 2, "directory"), (["format", "--check", "--stdout", "a.http"], 2, "combined"),
      (["format", "--stdout", "a.http", "b.http"], 2, "only one file"),
      (["format", "-", "a.http"], 2, "only one file"),
    ])
  func refusals(_ words: [String], _ status: Int32, _ message: String) async throws {
    let bench = try Bench(["a.http": Self.untidy, "b.http": Self.tidy])
    let result = try await bench.postkit(words)
    #expect(result.status == status)
    #expect(result.errorOutput.contains(message))
    #expect(try bench.directory.read("a.http") == Self.untidy)
  }

  /// What a seed gives hangs on names, not on where something stands.
  @Test func `a file that was laid out sends the same with the same seed`() async throws {
    let file = """
      @id={{$uuid}}
      @id2   =   {{$uuid}}-{{id}}



      POST   $URL/{{id}}/{{$randomInt 1 1000000}}/{{id2}}
      content-type:application/json
      X-A:{{$guid}}
      X-B:   {{$randomInt 1 1000000}}

      {"a":"{{id}}","b":"{{$uuid}}"}



      ###
      ###   two
      @id2={{$uuid}}
      GET   $URL/{{$uuid}}/{{id}}/{{id2}}
      """
    let bench = try Bench(["a.http": file])
    var sent: [[String]] = []
    for _ in 0..<2 {
      #expect(try await bench.postkit("run", "a.http", "--all", "--seed", "7").status == 0)
      sent.append(
        bench.server.requests.suffix(2).map { request in
          let values = request.lines.filter { $0.hasPrefix("X-") || $0.contains("HTTP/") }
          return (values + [String(decoding: request.body, as: UTF8.self)]).joined(separator: "\n")
        })
      #expect(try await bench.postkit("format", "a.http").status == 0)
    }
    #expect(try bench.directory.read("a.http").contains("@id = {{$uuid}}\n"))
    #expect(sent[0] == sent[1])
    #expect(sent[0].count == 2)
  }
}

// Answers to the questions of requests: given beforehand, or on a terminal (PK-54, PK-111).

import PostKitTestSupport
import Testing

@Suite struct AnswerTests {
  private static let file = """
    # @prompt user Who are you
    # @kulala-prompt "Which room" room
    GET $URL/{{user}}/{{room}}/{{$input the time $value: now}}/{{$pick color $value: red, blue}}
    """

  @Test func `every question is answered by its variable or its label`() async throws {
    let bench = try Bench(["a.http": AnswerTests.file])
    let run = try await bench.postkit(
      "run", "a.http", "--input", "user=ada", "--input", "room=r1", "--input", "the time=noon",
      "--var", "color=blue")
    #expect(run.status == 0)
    #expect(bench.server.requests.map(\.target) == ["/ada/r1/noon/blue"])
  }

  @Test func `all that is missing is named at once`() async throws {
    let bench = try Bench(["a.http": AnswerTests.file])
    let run = try await bench.postkit("run", "a.http", "--input", "room=r1")
    #expect(run.status == 2)
    #expect(
      run.errorOutput.contains(
        "The request asks for values of `user` and `the time` and `color`. Give them with "
          + "`--input user=VALUE --input 'the time=VALUE' --input color=VALUE`."))
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `an answer that is no choice is refused`() async throws {
    let bench = try Bench(["a.http": "GET $URL/{{$pick color $value: red, blue}}\n"])
    let run = try await bench.postkit("run", "a.http", "--input", "color=pink")
    #expect(run.status == 2)
    #expect(
      run.errorOutput.contains("`pink` is not an option for `color`. Options: red, blue."))
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a person is asked, and the last answer is offered`() async throws {
    let bench = try Bench(
      ["a.http": "# @prompt user\nGET $URL/{{user}}/{{$pick color $value: red, blue}}\n"])
    guard try Require.tool("script", reason: "it makes a terminal") != nil else { return }
    func type(_ keys: String) async throws -> String {
      let command = "script -qec '\"$POSTKIT\" run a.http' /dev/null"
      return try await bench.shell("printf '\(keys)' | \(command)").output
    }
    let first = try await type("ada\\n2\\n")
    #expect(first.contains("user: "))
    #expect(first.contains("  1  red"))
    let second = try await type("\\n\\n")
    #expect(second.contains("user [ada]: "))
    #expect(second.contains("color [blue]: "))
    #expect(bench.server.requests.map(\.target) == ["/ada/blue", "/ada/blue"])
  }
}

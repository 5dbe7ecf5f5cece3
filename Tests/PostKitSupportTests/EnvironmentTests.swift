// Checks the environment, ids and the time.

import Foundation
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct EnvironmentTests {
  @Test func `variables are read by name and as a whole`() {
    let all = ProcessEnvironment.all
    #expect(all == ProcessInfo.processInfo.environment)
    #expect(ProcessEnvironment.value("PATH") == all["PATH"])
    #expect(ProcessEnvironment.value("POSTKIT_NO_SUCH_VARIABLE") == nil)
    #expect(ProcessEnvironment.names == all.keys.sorted())
  }

  @Test func `the command line is known without the help of the file system`() {
    #expect(ProgramArguments.handedOver == CommandLine.arguments)
    #expect(ProgramArguments.all == CommandLine.arguments)
  }

  @Test func `an id is a UUID of version 7 that sorts by time`() {
    let early = Identifier.version7(milliseconds: 0x0123_4567_89ab, random: (~0, ~0))
    #expect(early == "01234567-89ab-7fff-bfff-ffffffffffff")
    #expect(
      Identifier.version7(milliseconds: 1, random: (0, 0)).hasSuffix("-7000-8000-000000000000"))
    #expect(early < Identifier.next())
    #expect(Identifier.next().utf8.count == 36)
  }
}

@Suite struct SubprocessTests {
  @Test func `ids of one millisecond sort by time, too`() {
    var ids: [String] = []
    while ids.count < 500 {
      let made = Clock.wallNanoseconds
      ids.append(Identifier.next())
      while Clock.wallNanoseconds < made + 1_000 {}
    }
    #expect(ids == ids.sorted())
  }

  @Test func `a program gets input and environment and gives output and status`() async throws {
    let result = try await Subprocess.run(
      "sh", ["-c", "cat; printf \"$GREETING\" >&2; exit 3"], input: Array("in".utf8),
      environment: ["GREETING": "hello"])
    #expect(result.output == "in" && result.errorOutput == "hello")
    #expect(result.status == 3 && !result.isTimedOut)
  }

  @Test func `a program that doesn't end is killed`() async throws {
    let result = try await Subprocess.run("sleep", ["60"], timeoutSeconds: 0.2)
    #expect(result.isTimedOut && result.status == 128 + SIGKILL)
  }

  @Test func `a program that reads nothing and writes much is no deadlock`() async throws {
    let result = try await Subprocess.run(
      "sh", ["-c", "head -c 1000000 /dev/zero"], input: [UInt8](repeating: 1, count: 1_000_000))
    #expect(result.standardOutput.count == 1_000_000)
  }

  @Test func `an archive is read and written back`() {
    let source = "note\n-- a.http --\nGET /\n\n-- b/c.json --\n{}\n"
    let archive = Archive(source)
    #expect(archive.comment == "note\n")
    #expect(archive["a.http"] == "GET /\n\n" && archive["b/c.json"] == "{}\n")
    #expect(archive.source == source && Archive("") == Archive(""))
  }

  @Test func `differences show changed lines and any matches one run`() {
    #expect(TextDifference.lines(expected: "a\nb\nc", actual: "a\nx\nc") == " |a\n-|b\n+|x\n |c")
    #expect(TextDifference.matches(expected: "a «any» c\nd", actual: "a b b c\nd"))
    #expect(!TextDifference.matches(expected: "a «any» c", actual: "a b d"))
    #expect(!TextDifference.matches(expected: "a«any»a", actual: "a"))
  }
}

// No test opens the store of whoever runs it: a program that was told none is found.

import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct OwnHomeTests {
  @Test func `a program that a test starts has a home of its own`() async throws {
    let names = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "POSTKIT_HOME"]
    let line = names.map { "echo \"${\($0)-}\"" }.joined(separator: "; ")
    let told = try await Subprocess.run("sh", ["-c", line]).output
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (name, value) in zip(names, told) where !value.isEmpty {
      #expect(value != ProcessEnvironment.value(name), "\(name) is that of whoever runs the tests")
    }
    // What a test chooses itself stays.
    let chosen = try await Subprocess.run("sh", ["-c", line], environment: ["HOME": "/chosen"])
    #expect(chosen.output.hasPrefix("/chosen\n"))
  }

  @Test func `a program that uses the home of whoever runs the tests is an error`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("a.http", "GET {{$exampleServer}}/get\n")
    let error = await #expect(throws: UsedHome.self) {
      try await Subprocess.run(Bench.program, ["run", file])
    }
    #expect(error?.strays.contains { $0.hasSuffix("postkit") } == true)
    let store = directory.path("store")
    let result = try await Subprocess.run(
      Bench.program, ["run", file], environment: ["POSTKIT_HOME": store])
    #expect(result.status == 0 && FileSystem.exists(store), "\(result.errorOutput)")
  }

  @Test func `so is one that a test talks to`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("a.http", "GET {{$exampleServer}}/get\n")
    let process = try ChildProcess(Bench.program, ["run", file])
    let status = await SerialQueueExecutor().perform { process.end(withinSeconds: 60) }
    #expect(status == 0)
    // An issue belongs to the test of the thread that records it.
    withKnownIssue {
      #expect(process.waitForEnd(timeoutSeconds: 60) == 0)
    } matching: { $0.error is UsedHome }
  }
}

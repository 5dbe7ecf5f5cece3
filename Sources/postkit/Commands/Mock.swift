// `postkit mock`: recorded answers, examples and descriptions served on this machine.

import PostKitJSON
import PostKitLoopback
import PostKitMock
import PostKitStore
import PostKitSupport
import Synchronization

extension Command {
  /// Serves what is known of services.
  static let mock = Command(
    name: .mock,
    operands: "[--from history | --from examples [FILE|FOLDER] | --from openapi FILE]... "
      + "[--port N] [--latency recorded|MS|MIN-MAX] [--strict] [FILTER]...",
    summary: "Answers on 127.0.0.1 with recorded responses, examples and descriptions.",
    options: [
      Option(
        names: ["--from"], value: "SOURCE",
        help: "history, examples or openapi, once for each source; the first that has an answer "
          + "gives it (examples of this folder, then history)",
        isRepeatable: true),
      Option(names: ["--port"], value: "N", help: "the port of 127.0.0.1 (any that is free)"),
      Option(
        names: ["--latency"], value: "TIME",
        help: "how long answers wait: recorded, milliseconds, or MIN-MAX (no time)"),
      Option(
        names: ["--speed"], value: "X", help: "with recorded: so many times faster (1)"),
      Option(
        names: ["--sequence"], value: "ON|OFF",
        help: "whether equal requests get what was recorded one after the other (on)"),
      Option(
        names: ["--match-header"], value: "NAME",
        help: "a header that must be as it was recorded; may be repeated",
        isRepeatable: true),
      Option(
        names: ["--strict"], value: nil, help: "end with code 1 if a request had no answer"),
      Option(
        names: ["--log"], value: "FILE", help: "add a line of JSON for each request to this file"),
    ] + HistoryFilters.options
  ) { invocation throws(Arguments.Problem) in
    let command = try MockCommand(invocation)
    return await command.execute()
  }
}

/// One call of `postkit mock`.
struct MockCommand: Sendable {
  /// Where answers come from.
  enum Source: Sendable, Hashable {
    case history
    case examples(String)
    case openapi(String)
  }

  let invocation: Invocation
  let sources: [Source]
  let options: MockOptions
  private let matchedHeaders: [String]
  private let selection: HistorySelection

  private var console: Console { invocation.console }

  /// Reads a command line.
  init(_ invocation: Invocation) throws(Arguments.Problem) {
    self.invocation = invocation
    let arguments = invocation.arguments
    sources = try Self.sources(arguments)
    var options = MockOptions()
    options.port = try arguments.integer("--port", minimum: 1) ?? 0
    guard options.port <= 65_535 else {
      throw Arguments.Problem(message: "`--port` takes a number from 1 to 65535")
    }
    if let text = arguments.value("--latency") { options.latency = try Self.latency(text) }
    if let text = arguments.value("--speed") {
      guard let speed = Double(text), speed > 0, speed <= 1_000 else {
        throw Arguments.Problem(message: "`--speed` takes a number above 0, such as 2")
      }
      options.speed = speed
    }
    switch arguments.value("--sequence") {
    case "on", nil: break
    case "off": options.followsSequence = false
    default: throw Arguments.Problem(message: "`--sequence` is on or off")
    }
    self.options = options
    matchedHeaders = arguments.all("--match-header")
    selection = try HistorySelection(arguments)
  }

  /// Operands belong to the sources that need one, in order; that of `examples` can be left out.
  private static func sources(_ arguments: Arguments) throws(Arguments.Problem) -> [Source] {
    var operands = arguments.positional[...]
    let words = arguments.all("--from")
    if words.isEmpty, operands.isEmpty { return [.examples("."), .history] }
    var result: [Source] = []
    for (index, word) in words.enumerated() {
      let needed = words[(index + 1)...].count { $0 == "openapi" }
      switch word {
      case "history": result.append(.history)
      case "examples":
        result.append(.examples(operands.count > needed ? operands.removeFirst() : "."))
      case "openapi":
        guard let path = operands.popFirst() else {
          throw Arguments.Problem(message: "`--from openapi` needs the file of a description")
        }
        result.append(.openapi(path))
      default:
        throw Arguments.Problem(
          message: "unknown source `\(word)`; write history, examples or openapi")
      }
    }
    guard let rest = operands.first else { return result }
    throw Arguments.Problem(
      message: "what is `\(rest)`? write `--from examples \(rest)` or `--from openapi \(rest)`")
  }

  private static func latency(_ text: String) throws(Arguments.Problem) -> MockLatency {
    if text == "recorded" { return .recorded }
    let ends = text.split(separator: "-").map { Int($0) }
    if ends.count == 1, let time = ends[0], (0...600_000).contains(time) {
      return .range(time...time)
    }
    if ends.count == 2, let from = ends[0], let to = ends[1], 0 <= from, from <= to, to <= 600_000 {
      return .range(from...to)
    }
    throw Arguments.Problem(
      message: "`--latency \(text)`: write recorded, milliseconds up to 600000, or MIN-MAX")
  }

  /// Serves until it is interrupted, and answers the exit code.
  func execute() async -> Int32 {
    let stop = StopSignal()
    Interrupts.watch { stop.stop() }
    let log: LineFile?
    do throws(FileFailure) {
      log = try invocation.arguments.value("--log").map { path throws(FileFailure) in
        try LineFile(path)
      }
    } catch {
      console.complain("\(error)")
      return 2
    }
    let code = Mutex<Int32>(0)
    let served = await stop.ending {
      do throws(MockFailure) {
        let server = try serve(await recordings(), log)
        // Until the signal, which cancels this.
        while !Task.isCancelled { try? await Alarm.sleep(milliseconds: 3_600_000) }
        server.stop()
        if server.misses > 0, invocation.arguments.has("--strict") { code.withLock { $0 = 1 } }
      } catch {
        console.complain(error.message)
        return Int32(2)
      }
      return Int32(0)
    }
    SpoolDirectory.leave(invocation.storeLocation.spoolDirectory)
    let strict = code.withLock { $0 }
    // To be interrupted is how a mock ends.
    return strict != 0 ? strict : served ?? 0
  }

  private func serve(
    _ recordings: [MockRecording], _ log: LineFile?
  ) throws(MockFailure) -> MockServer {
    let book = MockBook(recordings, matchingHeaders: matchedHeaders)
    let console = console
    do throws(LoopbackFailure) {
      let server = try MockServer(book, options) { event in
        if event.source == nil {
          console.note("\(event.method) \(Display.line(event.target)): no answer is recorded.")
        }
        log?.write(event)
      }
      console.line(server.url)
      console.note("The mock has \(recordings.count) answers. Ctrl-C ends it.")
      return server
    } catch {
      throw MockFailure("The mock can't be started: \(error).")
    }
  }

  // MARK: What is served

  private func recordings() async throws(MockFailure) -> [MockRecording] {
    var result: [MockRecording] = []
    for (rank, source) in sources.enumerated() {
      switch source {
      case .history: result += try await history(rank)
      case .examples(let path): result += try examples(path, rank)
      case .openapi(let path): result += try MockFiles.description(path, rank: rank)
      }
    }
    return result
  }

  private func history(_ rank: Int) async throws(MockFailure) -> [MockRecording] {
    let location = invocation.storeLocation
    // Without a history there is nothing to serve of it, and none is made.
    guard FileSystem.exists(location.historyPath) else { return [] }
    return try await invocation.withStore(
      { store throws(MockFailure) in
        let query: HistoryQuery
        do throws(StoreFailure) {
          query = try await selection.query(limit: 1_000, in: store)
        } catch {
          throw MockFailure(error.message)
        }
        let history = MockHistory(store, spool: location.spoolDirectory)
        return try await history.recordings(query, rank: rank)
      }, failing: { MockFailure($0.message) })
  }

  private func examples(_ path: String, _ rank: Int) throws(MockFailure) -> [MockRecording] {
    let found = try MockFiles.examples(path, rank: rank) { bytes, place in
      RequestFile(bytes, at: place, invocation, dialect: nil).document
    }
    for remark in found.remarks { console.note(Display.line(remark)) }
    return found.recordings
  }
}

extension LineFile {
  /// Writes what became of a request as a line of JSON.
  fileprivate func write(_ event: MockEvent) {
    let value: JSONValue = [
      "time": .int(Clock.wallMilliseconds), "method": .string(event.method),
      "target": .string(event.target), "status": .int(event.status),
      "source": .optional(event.source),
    ]
    // A full disk must not end the mock.
    write(value.bytes)
  }
}

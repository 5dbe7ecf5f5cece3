// `postkit describe coverage`: operations without a request, and requests without an operation.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitTransfer

/// One call of `postkit describe coverage`.
struct CoverageCommand: Sendable {
  /// The options of this form.
  static let options: Set<String> = ["--history", "--env", "--json"]

  /// Where a request is: in a file, or nowhere but in the history.
  private enum Place: Sendable {
    case file(String, line: Int)
    case history
  }
  private typealias Coverage = DescriptionCoverage<Place>

  private let invocation: Invocation
  /// The file of the description.
  private let path: String
  /// What it is compared with; `nil` for the history.
  private let requests: String?

  private var console: Console { invocation.console }

  /// Takes up a call.
  init(_ invocation: Invocation) throws(Arguments.Problem) {
    self.invocation = invocation
    let arguments = invocation.arguments
    try arguments.allow(Self.options, in: "describe coverage")
    let words = arguments.positional.dropFirst()
    guard let path = words.first else {
      throw Arguments.Problem(message: "name the file of the description")
    }
    self.path = path
    requests = words.dropFirst().first
    guard (requests == nil) == arguments.has("--history"), words.count <= 2 else {
      throw Arguments.Problem(message: "name a folder or a request file, or write `--history`")
    }
  }

  /// Compares: 0 where each has its counterpart, 1 where one has none, 2 where something can't be
  /// read, 5 where the history can't.
  func execute() async -> Int32 {
    let loaded: LoadedDescription
    do throws(DescriptionFailure) {
      loaded = try LoadedDescription(commandLine: path)
    } catch {
      console.complain(Display.safe(error.message))
      return 2
    }
    var coverage = Coverage(loaded.index)
    if let requests {
      do throws(FileFailure) {
        try add(requests, to: &coverage, loaded.index)
      } catch {
        console.complain("\(error)")
        return 2
      }
      return tell(coverage, loaded)
    }
    return await invocation.withStore { store throws(StoreFailure) in
      var coverage = Coverage(loaded.index)
      try await addHistory(of: store, to: &coverage, loaded.index)
      return tell(coverage, loaded)
    }
  }

  // MARK: - Requests

  private func add(
    _ requests: String, to coverage: inout Coverage, _ index: DescriptionIndex
  ) throws(FileFailure) {
    let top = FileSystem.absolute(requests)
    let contents = try FolderFiles.read(top)
    for warning in contents.warnings { console.complain(Display.safe(warning)) }
    for file in contents.files where FolderFiles.isRequestFile(FilePath.name(file.path)) {
      let place = contents.isOneFile ? top : FilePath.join(top, file.path)
      let read = RequestFile(file.bytes, at: place, invocation, dialect: nil)
      var analysis = read.analysis(invocation.arguments.environment)
      analysis.descriptions = RequestDescriptions(revision: 0, severity: nil) { _, _ in index }
      let name = contents.isOneFile ? requests : FilePath.join(requests, file.path)
      for block in read.document.batch(sharesBlocks: read.dialect.sharesBlocks) {
        guard let described = analysis.description(of: block) else { continue }
        let line = read.document.line(at: block.requestLine.lowerBound) + 1
        coverage.add(
          described.request, shown: block.writtenTarget, at: .file(name, line: line))
      }
    }
  }

  private func addHistory(
    of store: Store, to coverage: inout Coverage, _ index: DescriptionIndex
  ) async throws(StoreFailure) {
    var seen: Set<DescribedRequest> = []
    var query = HistoryQuery(limit: 1_000)
    while true {
      let page = try await store.history(query)
      for summary in page {
        let target = String(summary.url.prefix { $0 != "?" && $0 != "#" })
        let request = DescribedRequest(method: summary.method.uppercased(), target: target)
        // Most of what a history has is about other services.
        guard seen.insert(request).inserted,
          index.serves(target) || index.match(request)?.isExact == true
        else { continue }
        coverage.add(request, shown: target, at: .history)
      }
      guard page.count == query.limit, let last = page.last else { return }
      query.after = HistoryQuery.Cursor(last)
    }
  }

  // MARK: - Telling

  private func tell(_ coverage: Coverage, _ loaded: LoadedDescription) -> Int32 {
    let missing = coverage.missing
    let lines = missing.map { loaded.line(of: $0) }
    if invocation.arguments.has("--json") {
      console.line(json(coverage, missing, lines))
    } else {
      let all = coverage.operationCount
      console.line("\(all - missing.count) of \(all) operations have a request.")
      if !missing.isEmpty { console.line("Operations without a request:") }
      for (entry, line) in zip(missing, lines) {
        console.line("  \(Display.line("\(path):\(line): \(entry.method) \(entry.path)"))")
      }
      if !coverage.unknown.isEmpty { console.line("Requests without an operation:") }
      for unknown in coverage.unknown { console.line("  \(text(unknown))") }
    }
    return missing.isEmpty && coverage.unknown.isEmpty ? 0 : 1
  }

  private func text(_ unknown: Coverage.Unknown) -> String {
    let request = "\(unknown.method) \(shown(unknown.target))"
    let others =
      unknown.methods.isEmpty ? "" : " (the path has \(unknown.methods.joined(separator: ", ")))"
    return switch unknown.place {
    case .file(let file, let line): Display.line("\(file):\(line): \(request)\(others)")
    case .history: Display.line("history: \(request)\(others)")
    }
  }

  private func shown(_ target: String) -> String { SecretMask(secrets: []).maskURL(target).text }

  private func json(
    _ coverage: Coverage, _ missing: [DescriptionIndex.Entry], _ lines: [Int]
  ) -> JSONValue {
    [
      "description": .string(path), "operations": .int(coverage.operationCount),
      "covered": .int(coverage.operationCount - missing.count),
      "withoutRequest": .array(
        zip(missing, lines).map { entry, line -> JSONValue in
          [
            "method": .string(entry.method), "path": .string(entry.path),
            "operationId": .optional(entry.id), "line": .int(line),
          ]
        }),
      "withoutOperation": .array(
        coverage.unknown.map { unknown -> JSONValue in
          var members = [
            JSONMember("method", .string(unknown.method)),
            JSONMember("url", .string(shown(unknown.target))),
          ]
          if case .file(let file, let line) = unknown.place {
            members += [JSONMember("file", .string(file)), JSONMember("line", .int(line))]
          }
          return .object(members)
        }),
    ]
  }
}

extension LoadedDescription {
  /// Reads the description that a command line names, wherever it lies.
  init(commandLine path: String) throws(DescriptionFailure) {
    let absolute = FileSystem.absolute(path)
    try self.init(absolute, in: Workspace(file: absolute))
  }

  /// The line of an operation in its file, counted from 1.
  fileprivate func line(of entry: DescriptionIndex.Entry) -> Int {
    let operation = index.description.operations.first {
      $0.method == entry.method && $0.path == entry.path
    }
    return (operation.map { place(of: $0.value).line } ?? 0) + 1
  }
}

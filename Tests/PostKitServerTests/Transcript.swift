// Sessions as text: `-->` is said by the client, `<--` is awaited from the server.
//
// Expected messages are matched as subsets, in any order; at the end nothing may be left over.
// `"«any»"` matches any value and `"«absent»"` a member that isn't there. A line that begins
// with blanks goes on with the message above; `//` begins a comment; `<== 0` is the exit code; `--> EOF`
// closes the client's end.

import Foundation
import JSONRPC
import PostKitJSON
import PostKitServer
import PostKitTestSupport
import Testing

/// A parsed transcript.
struct Transcript {
  enum Step {
    case say(String)
    case expect(JSONValue)
    case endOfInput
    case exit(Int32)
  }

  var steps: [(line: Int, step: Step)] = []

  init(_ text: String) throws {
    var pending: (line: Int, text: String)?
    func flush(_ steps: inout [(line: Int, step: Step)]) throws {
      guard let (line, text) = pending else { return }
      pending = nil
      let body = text.dropFirst(3).trimmingCharacters(in: .whitespacesAndNewlines)
      switch text.prefix(3) {
      case "-->" where body == "EOF": steps.append((line, .endOfInput))
      case "-->": steps.append((line, .say(body)))
      case "<--":
        do {
          steps.append((line, .expect(try JSONTree(parsing: Array(body.utf8)).root.value)))
        } catch {
          throw Malformed(line: line, reason: "\(error)")
        }
      case "<==":
        guard let code = Int32(body) else { throw Malformed(line: line, reason: body) }
        steps.append((line, .exit(code)))
      default: throw Malformed(line: line, reason: text)
      }
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix(" "), let (start, text) = pending {
        pending = (start, text + "\n" + line)
        continue
      }
      try flush(&steps)
      if line.isEmpty || line.hasPrefix("//") { continue }
      pending = (index + 1, String(line))
    }
    try flush(&steps)
  }

  struct Malformed: Error {
    let line: Int
    let reason: String
  }

  /// Runs the session against a server in this process, with a store of its own.
  func run(_ name: String) async throws {
    let place = try TemporaryDirectory()
    let options = ServerOptions(storeDirectory: place.path("store"), version: "test")
    let transport = MemoryTransport()
    let server = Task {
      let code = await LanguageServer.run(options: options, transport: transport)
      transport.finish()
      return code
    }
    // The server has set up its end when it takes the first message; start() comes first.
    while !transport.isStarted { await Task.yield() }
    var received: [JSONValue] = []
    var iterator = transport.messages.makeAsyncIterator()
    for (line, step) in steps {
      switch step {
      case .say(let body): transport.say(Transcript.withVersion(body))
      case .endOfInput: transport.deliver(.endOfInput)
      case .expect(let expected):
        while !received.contains(where: { $0.matches(expected) }) {
          guard let next = await iterator.next() else {
            Issue.record(
              "\(name):\(line): the server ended; left over: \(received.map(\.text))")
            return
          }
          received.append(next)
        }
        if let index = received.firstIndex(where: { $0.matches(expected) }) {
          received.remove(at: index)
        }
      case .exit(let expected):
        let code = await server.value
        while let next = await iterator.next() { received.append(next) }
        #expect(code == expected, "\(name):\(line)")
      }
    }
    #expect(received.isEmpty, "\(name): left over: \(received.map(\.text))")
  }

  /// Transcripts leave `"jsonrpc"` out.
  private static func withVersion(_ body: String) -> String {
    guard body.hasPrefix("{"), !body.contains("\"jsonrpc\"") else { return body }
    return "{\"jsonrpc\":\"2.0\"," + (body == "{}" ? "\"x\":1}" : body.dropFirst())
  }
}

extension JSONValue {
  /// Whether everything that `expected` says is so.
  func matches(_ expected: JSONValue) -> Bool {
    switch (self, expected) {
    case (_, .string("«any»")): return true
    case (.object, .object(let members)):
      return members.allSatisfy { member in
        if member.value == .string("«absent»") { return self[member.key] == nil }
        return self[member.key]?.matches(member.value) ?? false
      }
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.matches($1) }
    default: return self == expected
    }
  }
}

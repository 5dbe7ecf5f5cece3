// A link that somebody changes while a folder that isn't trusted is read: what lies outside of it
// is never read, whenever the link changes.

import Libc
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct SwappedLinkTests {
  private static let inside = "INSIDE"
  private static let outside = "OUTSIDE"

  /// The ways in which a file of a folder is read by its path: its name there, its content, and
  /// what was read of it.
  enum Way: String, CaseIterable {
    case content, environment, dotEnv, settings, imported

    var file: String {
      switch self {
      case .content: "body.txt"
      case .environment: "http-client.env.json"
      case .dotEnv: ".env"
      case .settings: "postkit.json"
      case .imported: "other.http"
      }
    }

    func text(_ word: String) -> String {
      switch self {
      case .content, .dotEnv: "a=\(word)"
      case .environment: "{\"dev\": {\"a\": \"\(word)\"}}"
      case .settings: "{\"proxy\": \"http://\(word)/\"}"
      case .imported: "@a = \(word)\n"
      }
    }

    func read(_ workspace: Workspace) -> String {
      let path = FilePath.join(workspace.root, file)
      switch self {
      case .content:
        if case .bytes(let bytes) = workspace.content(path) { return "\(decoding: bytes)" }
        return ""
      case .environment:
        return workspace.environmentSources(active: "dev").map { "\(decoding: $0.file.bytes)" }
          .joined()
      case .dotEnv:
        return workspace.dotEnvFiles(active: nil).map { "\(decoding: $0.bytes)" }.joined()
      case .settings: return workspace.settingsFile(in: workspace.root).settings[.proxy] ?? ""
      case .imported:
        if case .parsed(let document, _) = workspace.imported(path) {
          return "\(decoding: document.bytes)"
        }
        return ""
      }
    }
  }

  /// Reads again and again while a thread has the file be a link inside and outside in turn.
  @Test(arguments: Way.allCases)
  func `what lies outside is never read`(way: Way) throws {
    let (root, far) = (try TemporaryDirectory(), try TemporaryDirectory())
    try root.write("inner/file", way.text(Self.inside))
    try far.write("file", way.text(Self.outside))
    try root.write("a.http", "GET http://a.test/\n")
    let targets = ["inner/file", far.path("file")]
    #expect(symlink(targets[0], root.path(way.file)) == 0)
    var workspace = Workspace(file: root.path("a.http"), workspaceFolder: root.path)
    workspace.outsideRefusal = "it lies outside"
    let isDone = Monitor(false)
    let swapped = Monitor(0)
    let (next, link) = (root.path("next"), root.path(way.file))
    let hasEnded = Monitor(false)
    SystemThread.start {
      var turn = 0
      while !isDone.update({ $0 }) {
        turn += 1
        if symlink(targets[turn % 2], next) == 0, rename(next, link) == 0 {
          swapped.update { $0 = turn }
        }
      }
      hasEnded.update { $0 = true }
    }
    var found: [String: Int] = [:]
    var reads = 0
    // Until it was read often enough while the link went to and fro.
    while reads < 2_000 || swapped.update({ $0 }) < 2_000 {
      let text = way.read(workspace)
      let word = [Self.outside, Self.inside].first { text.contains($0) } ?? "nothing"
      found[word, default: 0] += 1
      reads += 1
    }
    isDone.update { $0 = true }
    _ = hasEnded.wait { $0 ? true : nil }
    #expect(found[Self.outside] == nil, "\(found)")
  }

  @Test func `a body that is changed for a link is not sent`() async throws {
    let server = try StubServer { _ in [.response()] }
    let far = try TemporaryDirectory()
    try far.write("secret.txt", Self.outside)
    let track = try Track("POST \(server.url("/"))\n\n< ./body.txt\n", ["body.txt": Self.inside])
    let path = track.directory.path("body.txt")
    let run = await track.run { $0.workspace.outsideRefusal = "it lies outside" }
    #expect(run.recorded.first?.request.body == .bytes(Array(Self.inside.utf8)))
    // The run judges the path when it evaluates the request; the link comes when it is sent.
    let swapped = await track.run {
      $0.workspace.outsideRefusal = "it lies outside"
    } onEvent: { event in
      guard case .sending = event else { return }
      #expect(unlink(path) == 0 && symlink(far.path("secret.txt"), path) == 0)
    }
    #expect(swapped.result.firstFailure?.message.contains("lies outside") == true)
    #expect(server.requests.count == 1)
  }
}

extension String.StringInterpolation {
  fileprivate mutating func appendInterpolation(decoding bytes: [UInt8]) {
    appendLiteral(String(decoding: bytes, as: UTF8.self))
  }
}

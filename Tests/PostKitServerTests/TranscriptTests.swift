// Every transcript of the folder, each a session of its own.

import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct TranscriptTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Transcripts").path

  private static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?
    .filter { $0.hasSuffix(".transcript") }.sorted() ?? []

  @Test(arguments: names) func `the session goes as written`(name: String) async throws {
    let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
    try await Transcript(text).run(name)
  }

  @Test func `there are transcripts`() {
    #expect(Self.names.count >= 8)
  }
}

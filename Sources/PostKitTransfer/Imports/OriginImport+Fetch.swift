// What an import may fetch from other machines, where the one who imports has asked for that
// (IO-23).

import PostKitHTTP
import PostKitSupport

/// What came of fetching a URL.
package enum OriginFetched: Sendable, Hashable {
  case bytes([UInt8])
  /// It can't be had; a sentence says why.
  case failed(String)
}

extension OriginImport {
  /// The most documents that one import fetches.
  package static let fetchLimit = 20

  /// Fetches what the order names by URLs, and what that names: with `get`, one after the other.
  /// Answers why a source itself can't be had.
  package mutating func fetch(
    _ get: @Sendable (String) async -> OriginFetched
  ) async -> String? {
    var all: [String: OriginFetched] = [:]
    /// The user information of sources, by their origins: what they name there is fetched with it.
    var users: [String: String] = [:]
    func load(_ url: String) async -> OriginFetched {
      if let known = all[url] { return known }
      let answer: OriginFetched
      if all.count >= Self.fetchLimit {
        answer = .failed("An import fetches \(Self.fetchLimit) documents at most.")
      } else if let refusal = Self.fetchRefusal(of: url) {
        answer = .failed(refusal)
      } else {
        answer = await get(OriginCredentials.adding(users, to: url))
      }
      all[url] = answer
      return answer
    }
    for place in inputs.indices {
      guard case .path(_, let called) = inputs[place], Self.isURL(called) else { continue }
      if let origin = URLParts(called)?.origin, let user = SecretMask.userInfo(of: called) {
        users[origin] = String(called[user])
      }
      let answer = await load(called)
      // From here on it has the name that may be told and kept.
      let shown = OriginCredentials.without(called)
      all[called] = nil
      all[shown] = answer
      switch answer {
      case .bytes(let bytes): inputs[place] = .text(bytes, called: shown)
      case .failed(let why): return Self.failure(of: called, why)
      }
    }
    fetched = all
    while true {
      let order = self
      let wanted = await SerialQueueExecutor().perform { order.wantedURLs() }
      if wanted.isEmpty { return nil }
      for url in wanted { _ = await load(url) }
      fetched = all
    }
  }

  /// Whether a source is named by a URL.
  package static func isURL(_ called: String) -> Bool {
    called.hasPrefix("https://") || called.hasPrefix("http://")
  }

  /// Why a URL is none that is fetched; `nil` for one that is.
  package static func fetchRefusal(of url: String) -> String? {
    let parts = URLParts(url)
    let isHere = ["localhost", "127.0.0.1", "[::1]"].contains(parts?.host)
    return parts?.scheme == "https" || parts?.scheme == "http" && isHere
      ? nil : "Only `https:`, or `http:` to this machine, is fetched."
  }

  /// That a URL can't be fetched, as a sentence without its user.
  package static func failure(of url: String, _ why: String) -> String {
    "\(OriginCredentials.without(url)) can't be fetched. \(why)"
  }

  /// The URLs that the sources name and that nobody has tried to fetch.
  private func wantedURLs() -> [String] {
    var report = ImportReport(sources: [])
    let wanted = WantedURLs()
    let file = self.file
    var context = OriginContext(notes: ImportNotes(), file: { file($0) }, options: options)
    context.remote = { url in
      if let answer = remoteAnswer(url) { return answer }
      wanted.add(url)
      return nil
    }
    // What can't be read is told by the import itself.
    guard let sources = try? read(&report) else { return [] }
    _ = try? OriginSelection(importers: importers).read(sources, as: format, context)
    return wanted.urls
  }

  /// What was fetched of a URL; `nil` where nobody has tried.
  func remoteAnswer(_ url: String) -> OriginFileAnswer? {
    switch fetched?[url] {
    case .bytes(let bytes): .bytes(bytes)
    case .failed(let why): .unreadable(why)
    case nil: nil
    }
  }

  /// Tells what was fetched.
  func tellFetched(_ notes: ImportNotes) {
    for (url, answer) in (fetched ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard case .bytes(let bytes) = answer else { continue }
      notes.tell(
        .refRemote, "`\(OriginCredentials.without(url))` was fetched: \(bytes.count) bytes.",
        at: OriginPlace(), isWarning: false)
    }
  }

  /// What is answered for a file that a source names: what comes from another machine names none
  /// of this one.
  var file: (String) -> OriginFileAnswer {
    if let first = inputs.first, Self.isURL(first.name) { return { _ in .outside } }
    let (from, root) = (sourceFolder, root.map { FilePath.join(folder, $0) } ?? sourceFolder)
    return { OriginFiles.answer($0, from: from, below: root) }
  }
}

/// Collects URLs in the order in which they are named.
private final class WantedURLs {
  private(set) var urls: [String] = []

  func add(_ url: String) {
    if !urls.contains(url) { urls.append(url) }
  }
}

// Which folders are trusted, as far as that is known without asking anybody.

import LanguageServerProtocol
import PostKitRunner
import PostKitStore
import PostKitSupport

extension Snapshot {
  /// Why nothing outside of a folder is read for what an editor shows, as a clause; `nil` where the
  /// folder is trusted. Nobody is asked for that.
  func trustRefusal(of folder: String) async -> String? {
    if initialization.trusted == true { return nil }
    if initialization.trusted == nil {
      if session.memory.isTrusted(folder: folder) == true { return nil }
      // Where it can't be read, a send says so and asks.
      let kept = try? await store.value(.trust, folder: folder)
      if kept == "yes" { return nil }
    }
    let remedy =
      initialization.trusted == false
      ? "Trust the folder in your editor" : "Send a request that uses it, and trust the folder"
    return "it lies outside of \(folder), which is not trusted. \(remedy), "
      + TrustSubject.file("").remedy
  }

  /// Whether a folder is trusted, as far as that is known without asking.
  package func isTrusted(_ folder: String) async -> Bool { await trustRefusal(of: folder) == nil }

  /// The trust in the workspace's folders as it is now; nobody is asked.
  var folderTrust: FolderTrust {
    get async {
      if let isTrusted = initialization.trusted { return FolderTrust(isOfAll: isTrusted) }
      var trust = FolderTrust()
      for path in folders.compactMap(\.uri.path).map(FilePath.normalise) {
        if await trustRefusal(of: path) == nil { trust.folders.insert(path) }
      }
      return trust
    }
  }
}

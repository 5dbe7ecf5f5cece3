// What `postkit describe --fetch` has kept, for who keeps no history and reads it all the same.

import PostKitStore
import PostKitSupport

/// Reads descriptions that were fetched.
enum FetchedDescription {
  /// What was kept of a URL; `nil` for a file, and where nothing was kept.
  static func content(_ path: String, _ location: StoreLocation) async -> [UInt8]? {
    let kind = Model.DescribedService.Kind.openAPI
    guard path.contains("://"), let key = kind.key(of: path),
      FileSystem.exists(location.historyPath)
    else { return nil }
    let store = Store.closed(location)
    var content: [UInt8]?
    do throws(StoreFailure) {
      try await store.openForRun()
      content = try await store.service(kind, key: key, environment: "")?.content
    } catch {
      // A store that can't be read has none, and the run says that it was not fetched.
      content = nil
    }
    await store.close()
    return content
  }
}

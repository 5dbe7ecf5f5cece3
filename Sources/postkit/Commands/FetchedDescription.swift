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
    let task = Task.detached(executorPreference: store.taskExecutor) { () -> [UInt8]? in
      do throws(StoreFailure) {
        try await store.openForRun()
        return try await store.service(kind, key: key, environment: "")?.content
      } catch {
        // A store that can't be read has none, and the run says that it was not fetched.
        return nil
      }
    }
    let content = await task.value
    await store.close()
    return content
  }
}

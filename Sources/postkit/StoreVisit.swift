// Opening the store for a subcommand, and telling what went wrong with it.

import PostKitHTTP
import PostKitStore

extension Invocation {
  /// Opens the store for some work, closes it, and tells what its user should know of it, also
  /// when the work fails. `failing` makes a failure to open it one of the work.
  func withStore<Result, Failure>(
    _ work: (Store) async throws(Failure) -> Result, failing: (StoreFailure) -> Failure
  ) async throws(Failure) -> Result {
    let store: Store
    do throws(StoreFailure) { store = try await Store.open(storeLocation) } catch {
      throw failing(error)
    }
    let result: Swift.Result<Result, Failure>
    do throws(Failure) { result = .success(try await work(store)) } catch {
      result = .failure(error)
    }
    for notice in await store.conclude().notices { console.complain(notice.message) }
    return try result.get()
  }

  /// Opens the store for some work and closes it; answers the exit code.
  func withStore(
    _ work: (Store) async throws(StoreFailure) -> Int32
  ) async -> Int32 {
    do throws(StoreFailure) {
      return try await withStore(work) { $0 }
    } catch {
      console.complain(error.message(on: .commandLine))
      return switch error {
      case .ambiguousID, .collection: 2
      default: 5
      }
    }
  }
}

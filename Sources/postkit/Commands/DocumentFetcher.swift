// What `postkit import --fetch` and `postkit describe --fetch` get from other machines.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer

extension DocumentFetcher {
  /// Makes a fetcher with the settings of the current directory, which tells each URL.
  init(_ invocation: Invocation) {
    let file = RequestFile([], at: FileSystem.absolute("import.http"), invocation, dialect: nil)
    let console = invocation.console
    self.init(
      spoolDirectory: invocation.storeLocation.spoolDirectory,
      options: file.settings.requestDefaults.options, userAgent: Version.userAgent,
      isAllowed: { OriginImport.fetchRefusal(of: $0) == nil },
      shown: { OriginCredentials.without($0) }
    ) { console.note("Fetching \(Display.line($0))") }
  }

  /// Fetches what an order needs; answers why a source can't be had.
  func fetch(for order: inout OriginImport) async -> String? {
    defer { end() }
    return await order.fetch { await fetched($0) }
  }

  /// Fetches one document that somebody has named; the failure is a sentence with its name.
  func fetch(_ url: String) async -> OriginFetched {
    defer { end() }
    let answer = await fetched(url)
    guard case .failed(let why) = answer else { return answer }
    return .failed(OriginImport.failure(of: url, why))
  }

  private func fetched(_ url: String) async -> OriginFetched {
    do throws(Failure) { return .bytes(try await get(url)) } catch { return .failed(error.message) }
  }
}

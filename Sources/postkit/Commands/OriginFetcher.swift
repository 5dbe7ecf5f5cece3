// What `postkit import --fetch` gets from other machines.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer
import PostKitTransport

/// Fetches sources of an import, and what they name, with the proxy and the authorities of the
/// settings. Nothing of it is kept in the history.
struct OriginFetcher: Sendable {
  /// Bytes of one document at most.
  private static let bytesLimit = 10 << 20

  private let transport: Transport
  private let options: TransferOptions
  private let console: Console

  /// Makes a fetcher with the settings of the current directory.
  init(_ invocation: Invocation) {
    var configuration = TransportConfiguration(
      spoolDirectory: invocation.storeLocation.spoolDirectory, keptBodyBytes: Self.bytesLimit + 1)
    configuration.memoryBytes = Self.bytesLimit + 1
    transport = Transport(configuration)
    let file = RequestFile([], at: FileSystem.absolute("import.http"), invocation, dialect: nil)
    options = file.settings.requestDefaults.options
    console = invocation.console
  }

  /// Fetches what an order needs; answers why a source can't be had.
  func fetch(for order: inout OriginImport) async -> String? {
    defer { transport.shutdown() }
    return await order.fetch { await get($0) }
  }

  /// Gets one document. A redirect to another host is not followed: nobody has named that.
  private func get(_ url: String) async -> OriginFetched {
    var spec = RequestSpec(
      method: "GET", url: url,
      headers: [
        ("Accept", "application/json, application/yaml, */*"), ("User-Agent", Version.userAgent),
      ], options: options)
    for _ in 0...5 {
      console.note("Fetching \(Display.line(OriginCredentials.without(spec.url)))")
      let outcome = await transport.send(spec, jar: nil)
      if let failure = outcome.failure { return .failed(failure.message) }
      guard let response = outcome.response else { return .failed("Nothing was answered.") }
      switch Redirects.decide(
        after: spec, status: response.status, headers: response.headers, secrets: [])
      {
      case .follow(let next):
        guard OriginImport.mayBeFetched(next.url), URLParts(next.url)?.host == URLParts(url)?.host
        else {
          let place = OriginCredentials.without(next.url)
          return .failed("It leads to \(place), which is not followed; name that.")
        }
        spec = next
      case .stay, .unusable:
        guard response.status == 200 else {
          return .failed("The answer has the status \(response.status).")
        }
        guard case .bytes(let bytes) = response.body, !response.isTruncated,
          bytes.count <= Self.bytesLimit
        else {
          return .failed("It is larger than 10 MiB.")
        }
        return .bytes(bytes)
      }
    }
    return .failed("It leads from one place to the next without an end.")
  }
}

// Documents that are fetched from other machines because somebody has asked for that.

import PostKitEvaluate
package import PostKitHTTP
import PostKitTransport

/// Fetches documents with the proxy and the authorities of settings. Nothing of it is kept in the
/// history.
package struct DocumentFetcher: Sendable {
  /// Why a document can't be had.
  package struct Failure: Error, Sendable, Hashable {
    /// A sentence that says it.
    package let message: String
  }

  /// Bytes of one document at most: what is read of a description that lies in a folder.
  private static let bytesLimit = DescriptionFinder.foundBytes

  private let transport: Transport
  private let options: TransferOptions
  private let userAgent: String
  private let isAllowed: @Sendable (String) -> Bool
  private let shown: @Sendable (String) -> String
  private let onFetch: @Sendable (String) -> Void

  /// Makes a fetcher that keeps what it gets in a folder of its own meanwhile. `isAllowed` says of
  /// the place that a redirect leads to whether it may be fetched; `shown` says how people may see
  /// a URL, and `onFetch` is told each one so.
  package init(
    spoolDirectory: String, options: TransferOptions, userAgent: String,
    isAllowed: @escaping @Sendable (String) -> Bool,
    shown: @escaping @Sendable (String) -> String,
    onFetch: @escaping @Sendable (String) -> Void
  ) {
    var configuration = TransportConfiguration(
      spoolDirectory: spoolDirectory, keptBodyBytes: Self.bytesLimit + 1)
    configuration.memoryBytes = Self.bytesLimit + 1
    transport = Transport(configuration)
    (self.options, self.userAgent) = (options, userAgent)
    (self.isAllowed, self.shown, self.onFetch) = (isAllowed, shown, onFetch)
  }

  /// Ends its connections.
  package func end() { transport.shutdown() }

  /// Gets one document. A redirect to another host is not followed: nobody has named that.
  package func get(_ url: String) async throws(Failure) -> [UInt8] {
    var spec = RequestSpec(
      method: "GET", url: url,
      headers: [
        ("Accept", "application/json, application/yaml, */*"), ("User-Agent", userAgent),
      ], options: options)
    for _ in 0...5 {
      onFetch(shown(spec.url))
      let outcome = await transport.send(spec, jar: nil)
      if let failure = outcome.failure { throw Failure(message: failure.withoutTags.message) }
      guard let response = outcome.response else { throw Failure(message: "Nothing was answered.") }
      switch Redirects.decide(
        after: spec, status: response.status, headers: response.headers, secrets: [])
      {
      case .follow(let next):
        guard isAllowed(next.url), URLParts(next.url)?.host == URLParts(url)?.host else {
          throw Failure(
            message: "It leads to \(shown(next.url)), which is not followed; name that.")
        }
        spec = next
      case .stay, .unusable:
        guard response.status == 200 else {
          throw Failure(message: "The answer has the status \(response.status).")
        }
        guard case .bytes(let bytes) = response.body, !response.isTruncated,
          bytes.count <= Self.bytesLimit
        else { throw Failure(message: "It is larger than \(Self.bytesLimit >> 20) MiB.") }
        return bytes
      }
    }
    throw Failure(message: "It leads from one place to the next without an end.")
  }
}

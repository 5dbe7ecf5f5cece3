// What a transfer tells while it runs, and what is left of it at its end.

package import PostKitHTTP

/// A step of a transfer. `started` is the first and `finished` the last, each exactly once; the
/// others come between them in the order of the cases, `progress` any number of times.
package enum TransferEvent: Sendable, Hashable {
  /// The transfer was given to libcurl.
  case started
  /// A connection stands, a new one or one that was kept; the address is such as `127.0.0.1:80`.
  case connected(remoteAddress: String)
  /// The request line and the header fields are out: these bytes, with what libcurl has added.
  case sentHead([UInt8])
  /// The head of the final response is there; interim heads (1xx) are not reported.
  case receivedHead(status: Int, headers: HeaderFields)
  /// Body bytes came in, told at most ten times a second. `total` is the announced size, `nil`
  /// where none was or where a content coding makes it another one.
  case progress(received: Int, total: Int?)
  /// Bytes of the body as they came in, of its beginning and where somebody wants to know.
  case body([UInt8])
  /// Nothing follows.
  case finished
}

/// How one hop ended. Failures are values: there is an outcome for everything.
package struct TransferOutcome: Sendable, Hashable {
  /// The request; its headers are those that really were sent, or those of the spec where the
  /// transfer ended before anything was sent.
  package var sent: SentRequest
  /// What was received; a part of it where the transfer broke off after the head.
  package var response: Response?
  package var timings = Timings()
  /// Address and port of the peer; empty without a connection.
  package var remoteAddress = ""
  package var state: ExchangeState
  /// Set unless `state` is `done`.
  package var failure: Failure?
  /// The files that the body was saved to.
  package var savedTo: [String] = []
  /// Why the body could not be saved, although it came.
  package var saveFailure: Failure?
}
